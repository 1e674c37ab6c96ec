import { addCss, editElements } from '../edit.ts'
import { damage, defineDefects } from './define.ts'

const TEXT = '.svc-blog p:not(:has(img))'

/** Defects of the fifth set in layout and style: resets, themes, print styles and plugins. */
export const FIFTH_LAYOUT_TUNE = defineDefects('tune', {
  visible: {
    'numbered-twice': {
      about: 'a theme numbers steps by itself and keeps the markers',
      needs: /<ol>/,
      codes: ['TEXT_ADDED_BY_CSS', 'LIST_STYLE_LOST', 'LOOKS_DIFFERENT'],
      ...damage(
        '.svc-blog ol',
        'counter-reset: n 4; & > li { counter-increment: n; &::before { content: counter(n) ". " } }'
      )
    },
    'undefined-before-headings': {
      about: 'a theme prints a variable that is not set',
      needs: /<h2/,
      codes: ['TEXT_ADDED_BY_CSS', 'PLACEHOLDER_TEXT', 'UNEXPECTED_TEXT'],
      ...damage('.svc-blog h2', '&::before { content: "undefined " }')
    },
    'watermark-on-pictures': {
      about: 'an agency prints its name across pictures',
      needs: /<img/,
      codes: ['LOOKS_DIFFERENT', 'TEXT_ADDED_BY_CSS', 'TEXT_COVERED', 'UNEXPECTED_TEXT'],
      target: '.svc-blog .marked, .svc-blog .marked *',
      apply: (page) => {
        editElements(page, 'img', 'all', (html) => `<span class="marked">${html}</span>`)
        addCss(
          page,
          '.marked { position: relative; display: inline-block } .marked::after { content: "SAMPLE SAMPLE"; ' +
            'position: absolute; inset: 20% 0; font: 900 3.5rem/1.1 sans-serif; color: #fff; ' +
            'text-shadow: 0 0 3px #000; text-align: center; overflow: hidden }'
        )
      }
    },
    'words-break-anywhere': {
      about: 'a rule for long addresses breaks all words',
      locales: ['en', 'de'],
      codes: ['LOOKS_DIFFERENT', 'COLUMN_TOO_NARROW', 'CONTENT_CHANGED'],
      ...damage(TEXT, 'word-break: break-all; hyphens: none')
    },
    'last-lines-stretched': {
      about: 'justified text stretches its last lines',
      locales: ['en', 'de', 'ar'],
      codes: ['LOOKS_DIFFERENT', 'LETTER_SPACING', 'BLOCKS_MISALIGNED'],
      ...damage('.svc-blog :is(p, li, h2, h3)', 'text-align: justify !important; text-align-last: justify !important')
    },
    'lines-far-apart': {
      about: 'a line height in the wrong unit',
      codes: ['LARGE_GAP', 'LOOKS_DIFFERENT'],
      pattern: /LINE_HEIGHT|GAP|SPACING/,
      ...damage('.svc-blog :is(p, li)', 'line-height: 4.5 !important')
    },
    'half-a-screen-between-blocks': {
      about: 'the space of a landing page is between all blocks',
      codes: ['LARGE_GAP', 'LOOKS_DIFFERENT'],
      pattern: /GAP|SPACING/,
      ...damage('.svc-blog > *', 'margin-block: 22rem !important')
    },
    'indent-of-half-a-line': {
      about: 'the indent is a share of the column',
      codes: ['LOOKS_DIFFERENT', 'BLOCKS_MISALIGNED'],
      ...damage(TEXT, 'text-indent: 55% !important')
    },
    'sizes-alternate': {
      about: 'every other paragraph has the size of a lead',
      needs: /<p>(?!<img)[\s\S]*<p>(?!<img)[\s\S]*<p>(?!<img)/,
      codes: ['LOOKS_DIFFERENT', 'FONT_TOO_LARGE'],
      pattern: /FONT|SIZE/,
      ...damage('.svc-blog > p:nth-of-type(even)', 'font-size: 2.1em !important')
    },
    'fonts-alternate': {
      about: 'a font is missing for a part of the paragraphs, and the browser takes one of typewriters',
      needs: /<p>(?!<img)[\s\S]*<p>(?!<img)[\s\S]*<p>(?!<img)/,
      locales: ['en', 'de'],
      codes: ['LOOKS_DIFFERENT'],
      pattern: /FONT/,
      ...damage(
        '.svc-blog > p:nth-of-type(even)',
        'font-family: "DejaVu Sans Mono", monospace !important; font-weight: 700'
      )
    },
    'huge-first-lines': {
      about: 'the style of the first line of a magazine is on all paragraphs',
      locales: ['en', 'de'],
      codes: ['LOOKS_DIFFERENT', 'FONT_TOO_LARGE'],
      ...damage(TEXT, '&::first-line { font-size: 2.4em }')
    },
    'columns-touch': {
      about: 'a reset takes the space between the columns of tables',
      needs: /<table/,
      codes: ['TABLE_LAYOUT_LOST', 'SPACING_LOST', 'LOOKS_DIFFERENT'],
      pattern: /RUN_TOGETHER|SPAC/,
      target: '.svc-blog table, .svc-blog table *',
      apply: (page) => {
        addCss(
          page,
          '.svc-blog table { width: auto !important; min-width: 0 !important; border-spacing: 0; border-collapse: ' +
            'collapse } .svc-blog :is(td, th) { padding: 0 !important; border: 0 !important; text-align: start ' +
            '!important; white-space: nowrap; background: none !important }'
        )
      }
    },
    'cells-with-ellipsis': {
      about: 'the style of an admin list cuts the cells of tables',
      needs: /<table/,
      codes: ['TEXT_CUT_OFF', 'TEXT_CLIPPED', 'TEXT_HIDDEN'],
      target: '.svc-blog table, .svc-blog table *',
      apply: (page) => {
        addCss(
          page,
          '.svc-blog table { width: 12rem !important; table-layout: fixed } .svc-blog :is(td, th) { ' +
            'overflow: hidden; white-space: nowrap; text-overflow: ellipsis }'
        )
      }
    },
    'table-cut-on-phones': {
      about: 'a table keeps its width on phones in a box that cuts it',
      needs: /<table/,
      codes: ['TEXT_CUT_OFF', 'TEXT_CLIPPED', 'TEXT_OFFSCREEN'],
      target: '.svc-blog .cutting, .svc-blog .cutting *',
      apply: (page) => {
        editElements(page, 'table', 'all', (html) => `<div class="cutting">${html}</div>`)
        addCss(page, '.cutting { overflow: hidden } .cutting table { min-width: 60rem !important; width: 60rem }')
      }
    },
    'pale-code': {
      about: 'the colors of a dark highlighter on a light background',
      needs: /<pre/,
      codes: ['LOW_CONTRAST', 'TEXT_INVISIBLE_COLOR'],
      target: '.svc-blog pre, .svc-blog pre *',
      apply: (page) => {
        addCss(
          page,
          '.svc-blog pre { background: #fff !important } .svc-blog :is(pre, pre *) { color: #d8dee9 !important }'
        )
      }
    },
    'lists-from-the-right': {
      about: 'a theme for other scripts turns lists around',
      needs: /<ul>/,
      locales: ['en', 'de', 'ja'],
      codes: ['TEXT_DIRECTION', 'BLOCKS_MISALIGNED'],
      ...damage('.svc-blog :is(ul, ol)', 'direction: rtl')
    },
    'periods-at-the-start': {
      about: 'text runs from right to left and is aligned to the left',
      locales: ['en', 'de'],
      codes: ['TEXT_DIRECTION', 'LOOKS_DIFFERENT'],
      ...damage(TEXT, 'direction: rtl; text-align: left !important')
    },
    'cells-spelled-backwards': {
      about: 'a theme overrides the direction of letters in tables',
      needs: /<table/,
      locales: ['en', 'de', 'ja'],
      codes: ['TEXT_DIRECTION', 'LOOKS_DIFFERENT', 'CONTENT_CHANGED'],
      ...damage('.svc-blog :is(td, th)', 'direction: rtl; unicode-bidi: bidi-override; & * { unicode-bidi: inherit }')
    },
    'bars-above-and-below': {
      about: 'a header that sticks and a banner leave a third of the screen',
      codes: ['VIEWPORT_OBSTRUCTED', 'TEXT_COVERED'],
      apply: (page) => {
        page.bodyEnd +=
          '<div style="position:fixed;inset:0 0 auto;height:30vh;background:#234;z-index:900"></div>' +
          '<div style="position:fixed;inset:auto 0 0;height:36vh;background:#432;z-index:900"></div>'
      }
    },
    'open-tooltips': {
      about: 'the tooltips of links are open and cover the lines below',
      needs: /<a href="(?!#)/,
      codes: ['TEXT_COVERED', 'TEXT_ADDED_BY_CSS', 'LOOKS_DIFFERENT', 'TEXT_OVERLAP', 'UNEXPECTED_TEXT'],
      target: '.svc-blog a, .svc-blog :has(> a)',
      apply: (page) => {
        addCss(
          page,
          '.svc-blog a { position: relative } .svc-blog a::after { content: "Opens the page " attr(href); position: ' +
            'absolute; inset-block-start: 1.3em; inset-inline-start: 0; width: 15rem; background: #222; color: #fff; ' +
            'padding: .8rem; z-index: 4 }'
        )
      }
    },
    'outlines-of-a-debugger': {
      about: 'the outlines of a debugging tool stay on the page',
      codes: ['LOOKS_DIFFERENT'],
      ...damage('.svc-blog :is(p, li, h2, h3, strong, em, a, code)', 'outline: 2px solid #e11 !important')
    },
    'bold-words-on-lines-of-their-own': {
      about: 'the style of a card makes bold words blocks',
      needs: /<p>[^<]+<strong/,
      codes: ['LOOKS_DIFFERENT'],
      ...damage('.svc-blog strong', 'display: block')
    },
    'all-in-italics': {
      about: 'the font has only its italic cut',
      needs: /<em/,
      codes: ['EMPHASIS_LOST', 'LOOKS_DIFFERENT'],
      target: '.svc-blog :is(p, li, em)',
      apply: (page) => {
        addCss(page, '.svc-blog, .svc-blog * { font-style: italic !important }')
      }
    },
    'items-far-from-markers': {
      about: 'the text of items starts far from its marker',
      needs: /<ul>\s*<li>/,
      codes: ['LIST_STYLE_LOST', 'BLOCKS_MISALIGNED', 'COLUMN_TOO_NARROW', 'LOOKS_DIFFERENT'],
      ...damage('.svc-blog li', 'padding-inline-start: 45% !important')
    },
    'boxes-above-their-tasks': {
      about: 'a reset of forms puts check boxes on lines of their own',
      needs: /type="checkbox"/,
      codes: ['LIST_STYLE_LOST', 'LOOKS_DIFFERENT'],
      target: '.svc-blog li:has(input), .svc-blog input',
      apply: (page) => {
        addCss(
          page,
          '.svc-blog input { display: block !important; width: 100% !important; height: 2.5rem; position: static }'
        )
      }
    },
    'pictures-at-a-quarter': {
      about: 'the fade of pictures ends too early',
      needs: /<img/,
      codes: ['IMAGE_INVISIBLE', 'LOOKS_DIFFERENT'],
      ...damage('.svc-blog img', 'opacity: .15')
    },
    'letters-of-headings-stacked': {
      about: 'headings are as narrow as a letter',
      needs: /<h2/,
      locales: ['en', 'de'],
      codes: ['COLUMN_TOO_NARROW', 'LOOKS_DIFFERENT', 'FONT_TOO_LARGE'],
      ...damage('.svc-blog h2', 'width: 1.2em !important; word-break: break-all; overflow-wrap: anywhere')
    },
    'gray-on-gray-quotes': {
      about: 'quotes have the color of their box',
      needs: /<blockquote/,
      codes: ['LOW_CONTRAST', 'TEXT_INVISIBLE_COLOR'],
      target: '.svc-blog blockquote, .svc-blog blockquote *',
      apply: (page) => {
        addCss(
          page,
          '.svc-blog :is(blockquote, blockquote *) { color: #b5b5b5 !important; background: #ddd !important }'
        )
      }
    },
    'pictures-out-of-the-column': {
      about: 'a margin for wide screens moves pictures half out of the page',
      needs: /<img/,
      codes: ['IMAGE_INVISIBLE', 'HORIZONTAL_OVERFLOW', 'LOOKS_DIFFERENT', 'IMAGE_DISTORTED'],
      ...damage('.svc-blog img', 'position: relative; inset-inline-start: -62vw')
    },
    'rules-through-the-text': {
      about: 'a ruled background has another line height than the text',
      codes: ['LOOKS_DIFFERENT', 'TEXT_STRUCK_THROUGH', 'LOW_CONTRAST'],
      target: '.svc-blog, .svc-blog *',
      apply: (page) => {
        addCss(
          page,
          '.svc-blog :is(p, li) { background: repeating-linear-gradient(transparent 0 11px, currentcolor 11px 13px) }'
        )
      }
    },
    'text-at-the-edge-of-phones': {
      about: 'the column loses its padding and is moved a little out of the screen',
      codes: ['TEXT_CUT_OFF', 'TEXT_OFFSCREEN', 'HORIZONTAL_OVERFLOW', 'TEXT_CLIPPED', 'LOOKS_DIFFERENT'],
      target: '.svc-blog, .svc-blog *',
      apply: (page) => {
        addCss(
          page,
          '@media (max-width: 700px) { .svc-blog { position: relative; left: -44px } html { overflow-x: clip } }'
        )
      }
    },
    'headings-under-a-sticky-picture': {
      about: 'a picture sticks to the top and covers the text that scrolls below it',
      needs: /<img/,
      codes: ['TEXT_COVERED', 'VIEWPORT_OBSTRUCTED', 'LOOKS_DIFFERENT'],
      target: '.svc-blog img, .svc-blog > *',
      apply: (page) => {
        addCss(page, '.svc-blog p:has(> img) { position: sticky; top: 0; z-index: 3 } .svc-blog img { width: 100% }')
      }
    }
  }
})
