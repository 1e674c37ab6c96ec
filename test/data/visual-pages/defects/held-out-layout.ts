import { addCss } from '../edit.ts'
import { damage, defineDefects } from './define.ts'

/** Defects of layout and type: animations, overlays, floats, zoom and plugins. */
export const LAYOUT_HELD_OUT = defineDefects('held-out', {
  visible: {
    'capitals-everywhere': {
      about: 'the text is in capitals',
      locales: ['en', 'de'],
      codes: ['LOOKS_DIFFERENT', 'CONTENT_CHANGED'],
      ...damage('.svc-blog p, .svc-blog li', 'text-transform: uppercase')
    },
    'animation-stuck': {
      about: 'an animation stopped at a quarter of its way',
      codes: ['LOW_CONTRAST', 'TEXT_TRANSPARENT'],
      ...damage('.svc-blog', 'opacity: .2')
    },
    'hidden-on-phones': {
      about: 'paragraphs are hidden on phones',
      codes: ['TEXT_HIDDEN'],
      target: '.svc-blog p',
      apply: (page) => {
        addCss(page, '@media (max-width: 600px) { .svc-blog p { visibility: hidden } }')
      }
    },
    'one-screen-high': {
      about: 'the article ends with the screen',
      codes: ['TEXT_CLIPPED', 'TEXT_CUT_OFF'],
      ...damage('.svc-blog', 'height: 70vh; overflow: clip')
    },
    'pictures-over-text': {
      about: 'pictures are on top of the text',
      needs: /<img/,
      codes: ['TEXT_COVERED', 'TEXT_OVERLAP'],
      ...damage('.svc-blog img', 'position: relative; top: 5.5rem; margin-bottom: -4rem; z-index: 3')
    },
    'chat-window': {
      about: 'a chat window covers the text',
      codes: ['TEXT_COVERED', 'VIEWPORT_OBSTRUCTED'],
      apply: (page) => {
        page.bodyEnd =
          '<div class="chat" style="position:fixed;inset:auto 0 0 ' +
          'auto;width:min(100%,420px);height:80vh;background:#075e54;color:#fff;z-index:500">' +
          '<p>Hi! How can I help?</p></div>'
      }
    },
    interstitial: {
      about: 'an advertisement covers the page',
      codes: ['TEXT_COVERED', 'VIEWPORT_OBSTRUCTED'],
      apply: (page) => {
        page.bodyEnd =
          '<div style="position:fixed;inset:0;background:#fff;z-index:9999;text-align:center"><img ' +
          'src="/assets/advert.jpg" alt="Advertisement" width="300" height="100"></div>'
      }
    },
    watermark: {
      about: 'a watermark is on the text',
      codes: ['LOOKS_DIFFERENT', 'TEXT_COVERED', 'UNEXPECTED_TEXT', 'LOW_CONTRAST'],
      target: '.svc-blog',
      apply: (page) => {
        addCss(
          page,
          ".svc-blog { position: relative } .svc-blog::after { content: 'PREVIEW PREVIEW'; position: absolute; " +
            'inset: 4rem 0 0; ' +
            'font: 900 5rem/1.4 sans-serif; color: #c00; opacity: .7; overflow: hidden; word-break: break-all; ' +
            'pointer-events: none }'
        )
      }
    },
    tilted: {
      about: 'the text is tilted',
      codes: ['TEXT_ROTATED', 'LOOKS_DIFFERENT'],
      ...damage('.svc-blog > *', 'transform: rotate(-4deg)')
    },
    'zoomed-out': {
      about: 'the article is shown at half its size',
      codes: ['TEXT_SCALED', 'FONT_TOO_SMALL', 'TEXT_SHRUNK'],
      ...damage('.svc-blog', 'zoom: .5')
    },
    'vertical-text': {
      about: 'lines run from top to bottom',
      codes: ['TEXT_ROTATED'],
      ...damage('.svc-blog > p', 'writing-mode: vertical-rl; max-height: 20rem')
    },
    'desktop-width-on-phones': {
      about: 'the article is 1100 pixels wide on phones',
      codes: ['HORIZONTAL_OVERFLOW'],
      ...damage('.svc-blog', 'min-width: 1100px')
    },
    'table-cells-as-lines': {
      about: 'the table has lost its columns',
      needs: /<table/,
      codes: ['LOOKS_DIFFERENT', 'BLOG_CSS_PARTLY_OVERRIDDEN', 'CONTENT_CHANGED'],
      pattern: /TABLE/,
      ...damage('.svc-blog :is(table, tbody, thead, tr, td, th)', 'display: block; border: 0; padding: 0')
    },
    'floating-pictures': {
      about: 'pictures leave a strip for the text',
      needs: /<img/,
      codes: ['COLUMN_TOO_NARROW'],
      target: '.svc-blog > *',
      apply: (page) => {
        addCss(
          page,
          '.svc-blog p:has(> img) { float: left; width: 78%; height: 60rem } .svc-blog > :not(p:has(> img)) { ' +
            'clear: none }'
        )
      }
    },
    'six-columns': {
      about: 'the text is in six narrow columns',
      codes: ['COLUMN_TOO_NARROW', 'TEXT_OVERLAP', 'HORIZONTAL_OVERFLOW'],
      ...damage('.svc-blog', 'columns: 6; column-gap: 4px; display: block')
    },
    'gaps-between-paragraphs': {
      about: 'a screen of nothing is below each paragraph',
      codes: ['LARGE_GAP'],
      pattern: /GAP|SPACE/,
      ...damage('.svc-blog > p', 'margin-bottom: 1000px')
    },
    smeared: {
      about: 'the text is a smeared shadow',
      codes: ['LOOKS_DIFFERENT', 'TEXT_TRANSPARENT', 'LOW_CONTRAST', 'TEXT_INVISIBLE_COLOR'],
      ...damage('.svc-blog p', 'color: transparent; text-shadow: 0 0 7px #888')
    },
    'words-broken-anywhere': {
      about: 'words are broken at any letter',
      locales: ['en', 'de'],
      codes: ['LOOKS_DIFFERENT'],
      pattern: /BREAK|WRAP/,
      ...damage('.svc-blog p', 'word-break: break-all; hyphens: none')
    },
    'words-far-apart': {
      about: 'words are far apart',
      locales: ['en', 'de', 'ar'],
      codes: ['LETTER_SPACING'],
      ...damage('.svc-blog p', 'word-spacing: 1.4em')
    },
    'items-in-a-row': {
      about: 'items of lists are one line',
      needs: /<ul/,
      codes: ['LOOKS_DIFFERENT', 'BLOG_CSS_PARTLY_OVERRIDDEN'],
      pattern: /LIST/,
      ...damage('.svc-blog li', 'display: inline; margin: 0')
    },
    'quotes-like-text': {
      about: 'quotes look like text',
      needs: /<blockquote/,
      codes: ['LOOKS_DIFFERENT', 'BLOG_CSS_PARTLY_OVERRIDDEN'],
      pattern: /QUOTE/,
      ...damage(
        '.svc-blog blockquote',
        'margin: 0; padding: 0; border: 0; background: none; font-style: normal; color: inherit; font-size: 1em'
      )
    },
    'code-in-a-book-font': {
      about: 'code has a proportional font and no indents',
      needs: /<pre/,
      codes: ['LOOKS_DIFFERENT', 'BLOG_CSS_PARTLY_OVERRIDDEN'],
      pattern: /CODE/,
      ...damage('.svc-blog pre, .svc-blog pre *', 'font-family: "DejaVu Serif", serif; white-space: pre-line')
    },
    'bold-blacked-out': {
      about: 'bold words are bars',
      needs: /<strong/,
      codes: ['TEXT_INVISIBLE_COLOR', 'LOW_CONTRAST', 'LOOKS_DIFFERENT'],
      ...damage('.svc-blog strong', 'background: currentColor')
    },
    'light-box-on-dark-page': {
      about: 'light text is on a light box',
      styles: ['water-dark', 'github-dark-copy', 'bootstrap-dark'],
      codes: ['LOW_CONTRAST', 'TEXT_INVISIBLE_COLOR'],
      ...damage('.svc-blog', 'background: #fff')
    },
    'veil-over-text': {
      about: 'a half transparent layer is over the text',
      codes: ['TEXT_COVERED', 'LOW_CONTRAST', 'LOOKS_DIFFERENT'],
      target: '.svc-blog',
      apply: (page) => {
        addCss(
          page,
          ".svc-blog { position: relative } .svc-blog::after { content: ''; position: absolute; inset: 0; " +
            'background: rgb(128 128 128 / .9); pointer-events: none }'
        )
      }
    },
    'cut-at-the-right-edge': {
      about: 'the right part of each line is cut off',
      codes: ['TEXT_CUT_OFF', 'TEXT_CLIPPED', 'HORIZONTAL_OVERFLOW', 'TEXT_OFFSCREEN'],
      ...damage('.svc-blog > p', 'width: 160%; max-width: none; clip-path: inset(0 45% 0 0)')
    },
    'first-letters-lost': {
      about: 'the first letter of each paragraph is invisible',
      codes: ['LOOKS_DIFFERENT', 'TEXT_TRANSPARENT', 'TEXT_HIDDEN', 'TEXT_SHRUNK', 'FONT_TOO_SMALL'],
      target: '.svc-blog > p',
      apply: (page) => {
        addCss(page, '.svc-blog > p::first-letter { font-size: 0; color: transparent }')
      }
    },
    'headings-gigantic': {
      about: 'headings are larger than the screen',
      codes: ['HORIZONTAL_OVERFLOW', 'LOOKS_DIFFERENT', 'TEXT_CUT_OFF', 'COLUMN_TOO_NARROW'],
      pattern: /HEADING|FONT/,
      ...damage('.svc-blog h2', 'font-size: 11rem; line-height: 1; letter-spacing: 0')
    }
  }
})
