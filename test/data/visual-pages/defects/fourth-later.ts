import { addCss, editBlocks, editElements, editTexts } from '../edit.ts'
import { damage, defineDefects } from './define.ts'

/** Defects of the fourth set that were written when the rules had been tuned on the others. */
export const FOURTH_LATER_TUNE = defineDefects('tune', {
  visible: {
    'numbers-cut-off': {
      about: 'the numbers of steps are outside of a box that cuts them off',
      needs: /<ol>/,
      codes: ['LIST_STYLE_LOST', 'TEXT_CUT_OFF', 'TEXT_CLIPPED'],
      ...damage('.svc-blog ol', 'overflow: hidden; padding-inline-start: 0 !important; margin-inline: 0')
    },
    'every-other-paragraph-indented': {
      about: 'a style for dialogs indents every other paragraph',
      needs: /<p>(?!<img)[\s\S]*<p>(?!<img)[\s\S]*<p>(?!<img)/,
      codes: ['BLOCKS_MISALIGNED', 'COLUMN_TOO_NARROW', 'LOOKS_DIFFERENT'],
      ...damage('.svc-blog > p:nth-of-type(odd)', 'margin-inline-start: 30% !important')
    },
    'columns-mirrored': {
      about: 'tables run in the other direction than the text',
      needs: /<table/,
      locales: ['en', 'de', 'ja'],
      codes: ['CONTENT_REORDERED', 'TEXT_DIRECTION', 'TABLE_LAYOUT_LOST'],
      ...damage('.svc-blog table', 'direction: rtl')
    },
    'buttons-over-paragraphs': {
      about: 'a plugin lays a transparent button over each paragraph',
      codes: ['TEXT_COVERED', 'LOOKS_DIFFERENT'],
      target: '.svc-blog p',
      apply: (page) => {
        editElements(page, 'p', 'all', (html) =>
          html.replace(
            /^<p>/,
            '<p style="position:relative"><button type="button" class="over" aria-label="Edit"></button>'
          )
        )
        addCss(page, '.over { position: absolute; inset: 0; opacity: 0; z-index: 2; border: 0 }')
      }
    },
    'first-words-lost': {
      about: 'a script for drop caps drops the first word of each paragraph',
      locales: ['en', 'de', 'ar'],
      codes: ['CONTENT_CHANGED', 'CONTENT_INCOMPLETE'],
      target: '.svc-blog p',
      apply: (page) => {
        editElements(page, 'p', 'all', (html) => html.replace(/^<p>[^\s<]+\s/, '<p>'))
      }
    },
    'headings-below-their-text': {
      about: 'a page builder puts each heading below the block that it is for',
      needs: /<h2/,
      styles: ['block-theme', 'lined-paper', 'app-shell', 'narrow-rem', 'soft-gradient', 'docs-sidebar'],
      codes: ['CONTENT_REORDERED'],
      target: '.svc-blog h2',
      apply: (page) => {
        editBlocks(page, (blocks) =>
          blocks.map((block, at) => {
            const [before, after] = [blocks[at - 1], blocks[at + 1]]
            if (block.startsWith('<h2') && after !== undefined) return after
            return before?.startsWith('<h2') === true ? before : block
          })
        )
      }
    },
    'lists-pushed-aside': {
      about: 'lists start beyond the middle of the column',
      needs: /<ul>/,
      codes: ['COLUMN_TOO_NARROW', 'BLOCKS_MISALIGNED', 'TEXT_OFFSCREEN', 'HORIZONTAL_OVERFLOW', 'LOOKS_DIFFERENT'],
      ...damage('.svc-blog :is(ul, ol)', 'margin-inline-start: 62% !important')
    },
    'slanted-article': {
      about: 'the style of a banner slants the article',
      codes: ['LOOKS_DIFFERENT', 'TEXT_ROTATED'],
      ...damage('.svc-blog', 'transform: skewX(-14deg)')
    },
    'stripes-behind-text': {
      about: 'a pattern meant for the edge of the page is behind the text',
      codes: ['LOW_CONTRAST', 'LOOKS_DIFFERENT', 'TEXT_INVISIBLE_COLOR'],
      target: '.svc-blog, .svc-blog *',
      apply: (page) => {
        addCss(
          page,
          '.svc-blog { background: repeating-linear-gradient(90deg, #777 0 26px, #fff 26px 52px) } .svc-blog :is(p, ' +
            'li) ' +
            '{ color: #777 }'
        )
      }
    },
    'spaces-before-punctuation': {
      about: 'a translation memory puts a space before each period and comma',
      locales: ['en', 'de'],
      codes: ['CONTENT_CHANGED', 'LOOKS_DIFFERENT'],
      target: '.svc-blog p',
      apply: (page) => {
        editElements(page, 'p', 'all', (html) =>
          editTexts(html, (text) => text.replaceAll(/(\p{L})([.,])(?=\s|$)/gu, '$1 $2'))
        )
      }
    },
    'pictures-behind-text': {
      about: 'pictures lose their place in the flow and lie behind the text',
      needs: /<img/,
      codes: ['TEXT_COVERED', 'LOOKS_DIFFERENT', 'TEXT_OVERLAP', 'LOW_CONTRAST', 'IMAGE_INVISIBLE'],
      target: '.svc-blog img, .svc-blog > *',
      apply: (page) => {
        addCss(page, '.svc-blog img { position: absolute; z-index: -1; width: 100% }')
      }
    },
    'letters-of-a-line-only': {
      about: 'the reset of a print theme shows each word on a line of its own',
      locales: ['en', 'de', 'ar'],
      codes: ['COLUMN_TOO_NARROW', 'LOOKS_DIFFERENT'],
      ...damage('.svc-blog p:not(:has(img))', 'word-spacing: 100vw')
    }
  }
})
