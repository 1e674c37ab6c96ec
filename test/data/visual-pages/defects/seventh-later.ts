import { addCss, editBlocks, editElements, editTexts, replaceText } from '../edit.ts'
import { damage, defineDefects } from './define.ts'

const TEXT = '.svc-blog p:not(:has(img))'

/** Defects of the seventh set that were written when the rules had been tuned on the others. */
export const SEVENTH_LATER_TUNE = defineDefects('tune', {
  visible: {
    'headings-of-the-next-section': {
      about: 'a loop prints each heading one section too early',
      needs: /<h2[\s\S]*<h2/,
      codes: ['CONTENT_REORDERED', 'CONTENT_CHANGED', 'CONTENT_INCOMPLETE', 'CONTENT_DUPLICATED'],
      target: '.svc-blog h2',
      apply: (page) => {
        const headings = [...page.article.matchAll(/<h2[\s\S]*?<\/h2>/g)].map(([html]) => html)
        let at = 0
        replaceText(page, /<h2[\s\S]*?<\/h2>/g, () => headings[++at % headings.length]!)
      }
    },
    'items-end-in-commas': {
      about: 'a template prints arrays, with commas between the items',
      needs: /<li>[^<]{8,}<\/li>\s*<li>/,
      codes: ['CONTENT_CHANGED', 'UNEXPECTED_TEXT'],
      target: '.svc-blog :is(ul, ol)',
      apply: (page) => {
        replaceText(page, /<\/li>\s*<li>/g, '</li>,<li>')
      }
    },
    'null-after-paragraphs': {
      about: 'a field without a value is printed below each paragraph',
      codes: ['PLACEHOLDER_TEXT', 'UNEXPECTED_TEXT', 'CONTENT_CHANGED'],
      target: '.svc-blog .field',
      apply: (page) => {
        editElements(page, 'p', 'all', (html) => `${html}<div class="field">null</div>`)
      }
    },
    'numbers-in-words': {
      about: 'a translation plugin replaces numbers by their words',
      needs: />[^<]*\b\d\d?\b/,
      locales: ['en', 'de', 'pt'],
      codes: ['CONTENT_CHANGED'],
      target: '.svc-blog :is(p, li, td)',
      apply: (page) => {
        page.article = editTexts(page.article, (text) => text.replaceAll(/\b\d{1,2}\b(?![;:.])/g, 'some'))
      }
    },
    'links-twice': {
      about: 'a plugin prints each link again behind it',
      needs: /<a href="(?!#)/,
      codes: ['CONTENT_CHANGED', 'CONTENT_DUPLICATED'],
      target: '.svc-blog a',
      apply: (page) => {
        editElements(page, 'a', 'all', (html) => (html.startsWith('<a href="#') ? html : `${html} ${html}`))
      }
    },
    'quotes-within-quotes': {
      about: 'an editor nests each paragraph of a quote in a further one, up to ten levels',
      needs: /<blockquote/,
      codes: ['BLOCKS_MISALIGNED', 'COLUMN_TOO_NARROW', 'LOOKS_DIFFERENT', 'CONTENT_CHANGED', 'TEXT_CUT_OFF'],
      target: '.svc-blog blockquote',
      apply: (page) => {
        editElements(page, 'blockquote', 'all', (html) =>
          html.replace(/^<blockquote>/, '<blockquote>'.repeat(6)).replace(/<\/blockquote>$/, '</blockquote>'.repeat(6))
        )
      }
    },
    'pictures-in-a-column-of-icons': {
      about: 'the grid of a list of logos shows pictures beside each other at a sixth of the width',
      needs: /<p><img/,
      codes: ['IMAGE_TOO_SMALL'],
      ...damage('.svc-blog p > img', 'width: 56px !important; height: auto !important; aspect-ratio: auto !important')
    },
    'pictures-below-their-frames': {
      about: 'a frame lies on the upper half of each picture',
      needs: /<p><img/,
      codes: ['LOOKS_DIFFERENT', 'IMAGE_INVISIBLE'],
      target: '.svc-blog p:has(> img), .svc-blog img',
      apply: (page) => {
        addCss(
          page,
          '.svc-blog p:has(> img) { position: relative } .svc-blog p:has(> img)::after { content: ""; position: ' +
            'absolute; inset: 0 0 45% 0; background: #777 }'
        )
      }
    },
    'text-in-the-style-of-labels': {
      about: 'the style of labels of forms is on paragraphs: tiny and spaced',
      codes: ['FONT_TOO_SMALL', 'LETTER_SPACING', 'TEXT_ALL_CAPS'],
      ...damage(TEXT, 'font-size: 10px !important; letter-spacing: .3em !important')
    },
    'code-from-the-right': {
      about: 'code is aligned to the right by a theme for other scripts',
      needs: /<pre/,
      codes: ['CODE_FORMAT_LOST', 'BLOCKS_MISALIGNED', 'TEXT_DIRECTION', 'LOOKS_DIFFERENT'],
      ...damage('.svc-blog pre', 'text-align: right !important')
    },
    'table-without-its-first-column': {
      about: 'a style for narrow screens hides the first column on all screens',
      needs: /<table/,
      codes: ['TEXT_HIDDEN', 'CONTENT_INCOMPLETE'],
      ...damage('.svc-blog table', '& :is(td, th):first-child { display: none !important }')
    },
    'items-over-each-other': {
      about: 'items have the height of a line, and wrap',
      needs: /<li>[^<]{70}/,
      codes: ['TEXT_OVERLAP', 'TEXT_CUT_OFF', 'TEXT_CLIPPED'],
      ...damage('.svc-blog li', 'height: 1.5em !important; margin: 0 !important; padding-block: 0 !important')
    },
    'words-in-the-color-of-links': {
      about: 'a color for accents is on all bold and plain words, so that no link stands out',
      needs: /<p>[^<]+<a href="(?!#)/,
      codes: ['LINK_STYLE_LOST'],
      ...damage(
        '.svc-blog, .svc-blog *',
        'color: #7a1f1f !important; text-decoration: none !important; border-color: #0000 ' +
          '!important; background: none; font-weight: 400 !important'
      )
    },
    'paragraphs-in-a-random-order': {
      about: 'blocks load in the order in which they arrive',
      codes: ['CONTENT_REORDERED'],
      apply: (page) => {
        editBlocks(page, (blocks) => [
          ...blocks.filter((_, at) => at % 2 === 1),
          ...blocks.filter((_, at) => at % 2 === 0)
        ])
      }
    }
  }
})
