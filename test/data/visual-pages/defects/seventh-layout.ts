import { addCss, editElements, editHead } from '../edit.ts'
import { damage, defineDefects } from './define.ts'

const TEXT = '.svc-blog p:not(:has(img))'

/** Defects of the seventh set in layout and style. */
export const SEVENTH_LAYOUT_TUNE = defineDefects('tune', {
  visible: {
    'dark-bands-behind-headings': {
      about: 'headings have a band of a dark theme and the letters of a light one',
      needs: /<h2/,
      codes: ['LOW_CONTRAST', 'TEXT_INVISIBLE_COLOR'],
      ...damage(
        '.svc-blog h2',
        'background: #1b1b1b !important; color: #333 !important; -webkit-text-fill-color: #333; padding: .3em'
      )
    },
    'headings-on-their-side': {
      about: 'the style of a rail beside the page is on headings',
      needs: /<h2/,
      codes: ['TEXT_ROTATED'],
      ...damage('.svc-blog h2', 'writing-mode: vertical-rl !important; height: 18rem')
    },
    'bullets-on-the-letters': {
      about: 'markers of a theme lie on the first letters, as the padding of items is reset',
      needs: /<ul>\s*<li>/,
      codes: ['LOOKS_DIFFERENT', 'LIST_STYLE_LOST', 'TEXT_OVERLAP', 'TEXT_COVERED', 'TEXT_ADDED_BY_CSS'],
      ...damage(
        '.svc-blog ul > li',
        'list-style: none !important; position: relative; padding: 0 !important; margin: 0 !important; ' +
          '&::before { content: "●" !important; position: absolute !important; inset: 0 auto auto 0 !important; ' +
          'color: #c00 !important; width: auto !important; background: none !important }'
      )
    },
    'lists-in-four-columns': {
      about: 'the style of a wide directory is on all lists',
      needs: /<li>[^<]{40}/,
      codes: ['COLUMN_TOO_NARROW', 'LIST_STYLE_LOST', 'LOOKS_DIFFERENT', 'TEXT_OVERLAP', 'TEXT_CUT_OFF'],
      ...damage('.svc-blog :is(ul, ol)', 'columns: 4 !important; column-gap: 4px !important; display: block !important')
    },
    'markers-of-a-missing-font': {
      about: 'markers are letters of an icon font that is not loaded',
      needs: /<ul>\s*<li>/,
      codes: ['TEXT_WRONG_GLYPHS', 'LIST_STYLE_LOST', 'LOOKS_DIFFERENT', 'TEXT_ADDED_BY_CSS'],
      ...damage(
        '.svc-blog ul > li',
        'list-style: "\\F00C\\F105  " !important; display: list-item !important; ' +
          'margin-inline-start: 2.5em !important; ' +
          '&::before { content: none !important }'
      )
    },
    'links-as-wide-buttons': {
      about: 'the style of buttons is on the links of sentences',
      needs: /<p>[^<]+<a href="(?!#)/,
      codes: ['LOOKS_DIFFERENT', 'BLOCKS_MISALIGNED'],
      ...damage(
        '.svc-blog p > a',
        'display: block !important; background: #0a58ca !important; color: #fff !important; ' +
          'padding: 1rem !important; ' +
          'text-align: center; border-radius: 8px; margin: 1rem 0'
      )
    },
    'code-fades-out': {
      about: 'the hint that code can be scrolled covers half of it',
      needs: /<pre/,
      codes: ['TEXT_TRANSPARENT', 'LOOKS_DIFFERENT', 'TEXT_COVERED', 'LOW_CONTRAST'],
      ...damage(
        '.svc-blog pre',
        'animation: none !important; mask: linear-gradient(90deg, #000 4%, #0000 22%) !important'
      )
    },
    'words-of-code-on-lines-of-their-own': {
      about: 'the style of code blocks is on code in sentences',
      needs: /<(?:p|li)>[^<]+<code/,
      codes: ['LOOKS_DIFFERENT', 'BLOCKS_MISALIGNED', 'EMPHASIS_LOST'],
      ...damage(
        '.svc-blog :is(p, li) > code',
        'display: block !important; padding: 1rem !important; background: #222 !important; color: #fff !important'
      )
    },
    'cells-run-into-each-other': {
      about: 'tables of a fixed width do not wrap',
      needs: /<td>[^<]{8}/,
      codes: ['TEXT_OVERLAP', 'TEXT_CUT_OFF', 'LOOKS_DIFFERENT', 'TABLE_LAYOUT_LOST'],
      target: '.svc-blog table, .svc-blog table *',
      apply: (page) => {
        addCss(
          page,
          '.svc-blog table { table-layout: fixed !important; width: 11rem !important; min-width: 0 ' +
            '!important; display: ' +
            'table !important } .svc-blog :is(td, th) { white-space: nowrap !important; overflow: ' +
            'visible !important; ' +
            'text-align: start !important; min-width: 0 !important }'
        )
      }
    },
    'headers-lie-on-the-first-row': {
      about: 'the headers of tables stick to a header that the page does not have',
      needs: /<table/,
      codes: ['TEXT_COVERED', 'TEXT_OVERLAP', 'LOOKS_DIFFERENT'],
      target: '.svc-blog table, .svc-blog table *',
      apply: (page) => {
        addCss(
          page,
          '.svc-blog thead th { position: relative !important; top: 2.6em; background: #444 !important; color: #fff ' +
            '!important; z-index: 2 }'
        )
      }
    },
    'stripes-in-the-color-of-text': {
      about: 'every other row has the background of dark mode',
      needs: /<table/,
      codes: ['TEXT_INVISIBLE_COLOR', 'LOW_CONTRAST'],
      target: '.svc-blog table, .svc-blog table *',
      apply: (page) => {
        addCss(
          page,
          '.svc-blog tbody tr:nth-child(odd) > td { background: #2a2a2a !important; color: #1e1e1e !important }'
        )
      }
    },
    'entity-before-quotes': {
      about: 'the quotation mark of a theme is escaped',
      needs: /<blockquote/,
      codes: ['TEXT_ADDED_BY_CSS', 'ESCAPED_ENTITIES', 'UNEXPECTED_TEXT', 'LOOKS_DIFFERENT'],
      ...damage('.svc-blog blockquote', '&::before { content: "&ldquo;" !important; display: block !important }')
    },
    'quotes-of-a-few-letters': {
      about: 'quotes have the width of an icon',
      needs: /<blockquote/,
      codes: ['COLUMN_TOO_NARROW', 'TEXT_CUT_OFF'],
      ...damage(
        '.svc-blog blockquote',
        'width: 6rem !important; min-width: 0 !important; padding: 0 .5rem !important; overflow-wrap: anywhere; ' +
          'margin-inline: 0 !important'
      )
    },
    'badge-over-half-of-pictures': {
      about: 'a badge for sales has the size of the picture',
      needs: /<p><img/,
      codes: ['LOOKS_DIFFERENT', 'IMAGE_INVISIBLE', 'TEXT_COVERED', 'TEXT_ADDED_BY_CSS', 'UNEXPECTED_TEXT'],
      target: '.svc-blog :is(.badged, .badged *)',
      apply: (page) => {
        editElements(page, 'img', 'all', (html) => `<span class="badged">${html}<b class="sale">SALE</b></span>`)
        addCss(
          page,
          '.badged { position: relative; display: block } .sale { position: absolute; inset: 0 0 0 35%; background: ' +
            '#d00; color: #fff; font: 900 3rem/1.2 sans-serif; display: grid; place-items: center }'
        )
      }
    },
    'pictures-mirrored': {
      about: 'a theme for other scripts mirrors pictures',
      // A portrait alone may look the same.
      needs: /<img[\s\S]*<img/,
      codes: ['LOOKS_DIFFERENT', 'IMAGE_DISTORTED'],
      ...damage('.svc-blog img', 'transform: scaleX(-1) !important')
    },
    'pictures-tall-on-phones': {
      about: 'pictures keep a height on phones that is meant for wide screens',
      needs: /<img/,
      codes: ['IMAGE_DISTORTED'],
      target: '.svc-blog img',
      apply: (page) => {
        addCss(
          page,
          '@media (max-width: 600px) { .svc-blog img { height: 620px !important; width: 100% ' +
            '!important; aspect-ratio: ' +
            'auto !important; object-fit: fill !important } }'
        )
      }
    },
    'pictures-shown-by-half': {
      about: 'pictures are twice as wide as the box that cuts them',
      needs: /<p><img/,
      codes: ['IMAGE_DISTORTED', 'IMAGE_INVISIBLE', 'LOOKS_DIFFERENT'],
      target: '.svc-blog img, .svc-blog .halved',
      apply: (page) => {
        editElements(page, 'img', 'all', (html) => `<span class="halved">${html}</span>`)
        addCss(
          page,
          '.halved { display: block; overflow: hidden } .halved img { width: 320% !important; max-width: none ' +
            '!important; height: auto !important }'
        )
      }
    },
    'video-follows-the-reader': {
      about: 'a video sticks to the screen and covers the text',
      needs: /<iframe/,
      codes: ['TEXT_COVERED', 'VIEWPORT_OBSTRUCTED', 'LOOKS_DIFFERENT'],
      target: '.svc-blog, .svc-blog *',
      apply: (page) => {
        addCss(
          page,
          '.svc-blog iframe { position: sticky !important; top: 10vh; bottom: 10vh; z-index: 50; ' +
            'width: 100% !important; ' +
            'height: 70vh !important; aspect-ratio: auto !important }'
        )
      }
    },
    'white-veil': {
      about: 'the veil of a closed dialog stays on the page',
      codes: ['LOW_CONTRAST', 'TEXT_TRANSPARENT', 'TEXT_COVERED', 'TEXT_INVISIBLE_COLOR', 'LOOKS_DIFFERENT'],
      apply: (page) => {
        page.bodyEnd += '<div class="veil"></div>'
        addCss(page, '.veil { position: fixed; inset: 0; background: rgba(128, 128, 128, .86); z-index: 999 }')
      }
    },
    'page-cannot-scroll': {
      about: 'the lock of a closed dialog stays on the page',
      codes: ['TEXT_CLIPPED', 'TEXT_OFFSCREEN', 'TEXT_HIDDEN', 'TEXT_CUT_OFF'],
      apply: (page) => {
        addCss(page, 'html, body { overflow: hidden !important; height: 100vh !important }')
      }
    },
    'zoomed-in': {
      about: 'a script scales the page for a screen of four times the density',
      codes: ['HORIZONTAL_OVERFLOW', 'FONT_TOO_LARGE', 'TEXT_SCALED', 'COLUMN_TOO_NARROW'],
      ...damage('.svc-blog', 'zoom: 2.6')
    },
    'text-fades-to-the-background': {
      about: 'the gradient of a headline is on paragraphs',
      codes: ['LOW_CONTRAST', 'TEXT_INVISIBLE_COLOR', 'TEXT_TRANSPARENT', 'LOOKS_DIFFERENT'],
      ...damage(
        TEXT,
        'background: linear-gradient(90deg, currentColor 25%, rgb(from currentColor r g b / 4%) 75%) !important; ' +
          'background-clip: text !important; -webkit-text-fill-color: transparent !important'
      )
    },
    'letters-squeezed': {
      about: 'a script fits the text into half of its width',
      codes: ['TEXT_SCALED', 'LOOKS_DIFFERENT'],
      ...damage('.svc-blog :is(p, ul, ol):not(:has(img))', 'transform: scaleX(.45); transform-origin: 0 0')
    },
    'paragraphs-as-rows-of-items': {
      about: 'paragraphs are flex containers, so that each bold word and link is a column',
      needs: /<p>[^<]{20,}<(?:strong|em|a|code)\b[^>]*>[^<]*<\/(?:strong|em|a|code)>[^<]{10}/,
      codes: ['LOOKS_DIFFERENT', 'CONTENT_CHANGED', 'CONTENT_REORDERED', 'COLUMN_TOO_NARROW'],
      ...damage(TEXT, 'display: flex !important; gap: .5em')
    },
    'all-blocks-float': {
      about: 'the style of thumbnails floats all blocks',
      codes: ['BLOCKS_MISALIGNED', 'LOOKS_DIFFERENT', 'SPACING_LOST', 'COLUMN_TOO_NARROW'],
      ...damage('.svc-blog > *', 'float: left !important; width: 46% !important; margin: 0 2% .5em 0 !important')
    },
    'sidebar-over-the-text': {
      about: 'a sidebar has a place of its own that the text does not leave free',
      codes: ['TEXT_COVERED', 'LOOKS_DIFFERENT'],
      target: '.svc-blog, .svc-blog *',
      apply: (page) => {
        page.afterArticle +=
          '<div class="over-side"><p>Popular</p><p>Recent</p><p>Archive</p><p>About</p><p>Contact</p></div>'
        addCss(
          page,
          'article, main { position: relative } .over-side { position: absolute; inset: 22rem 0 ' +
            'auto auto; width: 45%; ' +
            'height: 900px; background: #ddd; color: #111; z-index: 6; padding: 1rem }'
        )
      }
    },
    'viewport-of-desktops': {
      about: 'the viewport is that of a desktop',
      codes: ['NO_MOBILE_VIEWPORT'],
      apply: (page) => {
        editHead(page, 'viewport', () => '<meta name="viewport" content="width=1280">')
      }
    }
  }
})
