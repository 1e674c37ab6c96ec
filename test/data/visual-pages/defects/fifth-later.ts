import { addCss, editBlocks, editElements, editTexts } from '../edit.ts'
import { damage, defineDefects } from './define.ts'

/** Defects of the fifth set that were written when the rules had been tuned on the others. */
export const FIFTH_LATER_TUNE = defineDefects('tune', {
  visible: {
    'pictures-beside-their-boxes': {
      about: 'a focal point in the wrong unit moves pictures out of their boxes',
      needs: /<img/,
      codes: ['IMAGE_INVISIBLE', 'LOOKS_DIFFERENT', 'IMAGE_DISTORTED'],
      ...damage('.svc-blog img', 'object-fit: cover; object-position: 2000px 0')
    },
    'header-row-at-the-bottom': {
      about: 'the style of totals is on the headers of tables',
      needs: /<thead/,
      codes: ['CONTENT_REORDERED', 'TABLE_LAYOUT_LOST'],
      target: '.svc-blog table, .svc-blog table *',
      apply: (page) => {
        addCss(page, '.svc-blog thead { display: table-footer-group }')
      }
    },
    'pictures-as-markers': {
      about: 'a picture of a theme without a size is the marker of lists',
      needs: /<ul>\s*<li>/,
      codes: ['LIST_STYLE_LOST', 'LOOKS_DIFFERENT', 'LARGE_GAP'],
      ...damage('.svc-blog ul > li', 'list-style: url(/assets/banner.jpg) inside !important')
    },
    'numbers-as-prices': {
      about: 'a currency plugin takes every number for a price',
      needs: /<(?:td|li)[^>]*>[^<]*\d/,
      codes: ['CONTENT_CHANGED'],
      target: '.svc-blog :is(p, li, td)',
      apply: (page) => {
        page.article = editTexts(page.article, (text) => text.replaceAll(/(?<![&#\w.,])\d+(?:[.,]\d+)?/g, '$$$&.00'))
      }
    },
    'numbered-paragraphs': {
      about: 'the style of contracts numbers all paragraphs',
      codes: ['TEXT_ADDED_BY_CSS', 'LIST_STYLE_LOST', 'LOOKS_DIFFERENT'],
      ...damage(
        '.svc-blog p:not(:has(img))',
        'counter-increment: clause; &::before { content: "Clause " counter(clause) ". " }'
      )
    },
    'code-over-its-neighbors': {
      about: 'the padding of inline code covers the words beside it',
      needs: /<p>[^<]+<code/,
      codes: ['TEXT_COVERED', 'LOOKS_DIFFERENT', 'TEXT_OVERLAP'],
      target: '.svc-blog :is(p, li):has(> code), .svc-blog code',
      apply: (page) => {
        addCss(
          page,
          '.svc-blog :is(p, li) > code { padding: .1em 1.6em !important; margin: 0 -1.6em !important; position: ' +
            'relative; background: #ccc !important; color: #111 !important }'
        )
      }
    },
    'links-in-the-color-of-the-page': {
      about: 'the color of links is meant for a dark header',
      needs: /<a href="(?!#)/,
      styles: ['block-theme', 'lined-paper', 'wiki', 'docs-three-columns', 'mail-tables', 'timeline'],
      codes: ['TEXT_INVISIBLE_COLOR', 'LOW_CONTRAST', 'LOOKS_DIFFERENT', 'LINK_STYLE_LOST'],
      ...damage('.svc-blog a', 'color: #fffffe !important; text-decoration: none !important; background: none')
    },
    'headings-out-of-the-window': {
      about: 'hanging headings leave the window',
      needs: /<h2/,
      codes: ['TEXT_OFFSCREEN', 'TEXT_CUT_OFF', 'TEXT_CLIPPED', 'BLOCKS_MISALIGNED'],
      ...damage('.svc-blog h2', 'position: relative; left: -70vw')
    },
    'notes-before-the-text': {
      about: 'a template prints the last blocks of the post first',
      codes: ['CONTENT_REORDERED'],
      apply: (page) => {
        editBlocks(page, (blocks) => [...blocks.slice(-3), ...blocks.slice(0, -3)])
      }
    },
    'each-step-is-the-first': {
      about: 'an importer makes a list of each step',
      needs: /<ol>/,
      codes: ['LIST_STYLE_LOST', 'CONTENT_CHANGED'],
      target: '.svc-blog ol, .svc-blog li',
      apply: (page) => {
        editElements(page, 'ol', 0, (html) => html.replaceAll(/<\/li>\s*<li>/g, '</li></ol><ol><li>'))
      }
    },
    'words-repeated': {
      about: 'a merge of two revisions repeats words',
      locales: ['en', 'de'],
      codes: ['CONTENT_CHANGED', 'CONTENT_DUPLICATED'],
      target: '.svc-blog p',
      apply: (page) => {
        editElements(page, 'p', 'all', (html) =>
          editTexts(html, (text) => text.replaceAll(/((?:\p{L}+ ){5})(\p{L}+) /gu, '$1$2 $2 '))
        )
      }
    },
    'headings-with-ellipsis': {
      about: 'the style of cards cuts headings after some letters',
      needs: /<h2/,
      codes: ['TEXT_CUT_OFF', 'TEXT_CLIPPED', 'TEXT_HIDDEN', 'COLUMN_TOO_NARROW'],
      ...damage(
        '.svc-blog :is(h2, h3)',
        'max-width: 5em; overflow: hidden; white-space: nowrap; text-overflow: ellipsis'
      )
    }
  }
})
