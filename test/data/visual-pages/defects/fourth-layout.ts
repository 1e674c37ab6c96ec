import { addCss, editElements } from '../edit.ts'
import { damage, defineDefects } from './define.ts'

/** Covers of pages, such as an open chat. */
const fixedBox = (css: string): string =>
  `<div style="position:fixed;z-index:2000;background:#2b3a55;color:#fff;${css}"></div>`

/** Sites in which the blocks are children of the article, so that its `display` places them. */
const DIRECT_BLOCKS = ['block-theme', 'lined-paper', 'docs-sidebar', 'app-shell', 'narrow-rem', 'soft-gradient']

/** Defects of the fourth set in layout and style: resets, themes, page builders and scripts that did not run. */
export const FOURTH_LAYOUT_TUNE = defineDefects('tune', {
  visible: {
    'no-gaps-at-all': {
      about: 'a reset removes the space between all blocks',
      codes: [],
      pattern: /SPAC|GAP|RUN_TOGETHER|LOOKS_DIFFERENT/,
      ...damage(
        '.svc-blog, .svc-blog *',
        '&&& { margin-block: 0 !important; padding-block: 0 !important; text-indent: 0 }'
      )
    },
    'zigzag-blocks': {
      about: 'a theme for chats shifts every other block',
      codes: [],
      pattern: /ALIGN|SHIFTED|INDENT|COLUMN_TOO_NARROW|LOOKS_DIFFERENT/,
      ...damage(
        '.svc-blog > *',
        '&:nth-child(even) { margin-inline-start: 28% } &:nth-child(odd) { margin-inline-end: 28% }'
      )
    },
    'aligned-to-the-end': {
      about: 'a right-to-left theme aligns all text to the wrong side',
      codes: ['TEXT_DIRECTION'],
      pattern: /ALIGN|LOOKS_DIFFERENT/,
      ...damage('.svc-blog :is(p, li, h2, h3, blockquote)', 'text-align: end !important')
    },
    'centered-everything': {
      about: 'the class of the hero centers all paragraphs and lists',
      codes: [],
      pattern: /ALIGN|LOOKS_DIFFERENT/,
      ...damage('.svc-blog :is(p, li, blockquote, pre)', 'text-align: center !important')
    },
    'link-over-everything': {
      about: 'a transparent link of a teaser covers the article',
      codes: ['TEXT_COVERED', 'VIEWPORT_OBSTRUCTED'],
      pattern: /CLICK|LINK/,
      target: '.svc-blog, .svc-blog *',
      apply: (page) => {
        page.article = `<div style="position:relative">${page.article}<a href="/" aria-label="More"
style="position:absolute;inset:0;z-index:9"></a></div>`
      }
    },
    'strip-of-a-picture': {
      about: 'pictures are a strip of a few pixels',
      needs: /<img/,
      codes: ['IMAGE_DISTORTED', 'IMAGE_TOO_SMALL'],
      ...damage('.svc-blog img', 'width: 100%; height: 36px !important; object-fit: cover')
    },
    'banded-pictures': {
      about: 'an optimizer saves pictures with a few colors',
      needs: /<img/,
      codes: ['LOOKS_DIFFERENT', 'IMAGE_LOW_RESOLUTION'],
      target: '.svc-blog img',
      apply: (page) => {
        page.bodyEnd +=
          '<svg width="0" height="0" style="position:absolute" aria-hidden="true"><filter id="bands" ' +
          'color-interpolation-filters="sRGB"><feComponentTransfer>' +
          ['R', 'G', 'B'].map((name) => `<feFunc${name} type="discrete" tableValues="0 1"/>`).join('') +
          '</feComponentTransfer></filter></svg>'
        addCss(page, '.svc-blog img { filter: url(#bands) }')
      }
    },
    'pictures-on-their-side': {
      about: 'the orientation of photographs is ignored',
      needs: /<img/,
      codes: ['LOOKS_DIFFERENT', 'IMAGE_DISTORTED'],
      ...damage('.svc-blog img', 'transform: rotate(90deg)')
    },
    'pictures-upside-down': {
      about: 'the orientation of photographs is applied twice',
      needs: /<img/,
      codes: ['LOOKS_DIFFERENT', 'IMAGE_DISTORTED'],
      ...damage('.svc-blog img', 'transform: rotate(180deg)')
    },
    'pictures-nearly-black': {
      about: 'dark mode dims pictures twice',
      needs: /<img/,
      codes: ['LOOKS_DIFFERENT', 'IMAGE_INVISIBLE'],
      ...damage('.svc-blog img', 'filter: brightness(.12)')
    },
    'pictures-wider-than-the-page': {
      about: 'pictures keep the width of the desktop',
      needs: /<img/,
      codes: ['HORIZONTAL_OVERFLOW', 'IMAGE_DISTORTED', 'LOOKS_DIFFERENT'],
      ...damage('.svc-blog img', 'width: 1700px !important; max-width: none !important; height: auto')
    },
    'pictures-over-text': {
      about: 'pictures lie over the paragraph below',
      needs: /<img/,
      codes: ['TEXT_COVERED', 'TEXT_OVERLAP'],
      target: '.svc-blog img, .svc-blog > *',
      apply: (page) => {
        addCss(page, '.svc-blog img { position: relative; z-index: 2; margin-block-end: -7rem !important }')
      }
    },
    'text-beside-wide-floats': {
      about: 'floated pictures leave a few letters of width on phones',
      needs: /<img/,
      locales: ['en', 'de', 'ar'],
      codes: ['COLUMN_TOO_NARROW'],
      target: '.svc-blog img, .svc-blog p, .svc-blog li, .svc-blog h2',
      apply: (page) => {
        editElements(page, 'img', 'all', (html) => html.replace('<img', '<img class="left"'))
        addCss(
          page,
          '.svc-blog .left { float: inline-start; width: 76% !important; height: 70rem !important; object-fit: cover }'
        )
      }
    },
    'one-line-with-ellipsis': {
      about: 'the style of teasers cuts each paragraph after a line',
      codes: ['TEXT_CUT_OFF', 'TEXT_CLIPPED', 'TEXT_HIDDEN'],
      ...damage('.svc-blog > p:not(:has(img))', 'white-space: nowrap; overflow: hidden; text-overflow: ellipsis')
    },
    'two-lines-clamped': {
      about: 'the style of teasers clamps paragraphs and list items',
      codes: ['TEXT_CUT_OFF', 'TEXT_CLIPPED', 'TEXT_HIDDEN'],
      ...damage(
        '.svc-blog p:not(:has(img))',
        'display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 1; overflow: hidden'
      )
    },
    'headings-over-text': {
      about: 'headings are pulled down over the paragraphs',
      needs: /<h2/,
      codes: ['TEXT_OVERLAP', 'TEXT_COVERED', 'LOOKS_DIFFERENT'],
      target: '.svc-blog h2, .svc-blog h2 + *',
      apply: (page) => {
        addCss(page, '.svc-blog h2 { margin-block-end: -1.1em !important }')
      }
    },
    'stuck-at-a-third': {
      about: 'a fade-in ends before the text is opaque',
      codes: ['LOW_CONTRAST', 'TEXT_TRANSPARENT'],
      ...damage('.svc-blog > *', 'opacity: .28')
    },
    'pulsing-text': {
      about: 'an attention effect never ends',
      codes: ['LOOKS_DIFFERENT', 'TEXT_SCALED'],
      target: '.svc-blog *',
      apply: (page) => {
        addCss(
          page,
          '@keyframes pulse { 50% { transform: scale(.8); opacity: .3 } } .svc-blog > * { animation: pulse .9s ' +
            'infinite }'
        )
      }
    },
    'cut-on-phones': {
      about: 'the article has the height of a screen on phones, without a button',
      codes: ['TEXT_CLIPPED', 'TEXT_CUT_OFF', 'TEXT_HIDDEN'],
      apply: (page) => {
        addCss(page, '@media (max-width: 700px) { .svc-blog { max-height: 90vh; overflow: hidden } }')
      }
    },
    'text-on-a-photograph': {
      about: 'a page builder puts the article on a photograph',
      codes: ['LOW_CONTRAST', 'LOOKS_DIFFERENT', 'TEXT_INVISIBLE_COLOR'],
      target: '.svc-blog *',
      apply: (page) => {
        addCss(
          page,
          '.svc-blog { background: url(/assets/banner.jpg) 0 0 / 500px 400px } .svc-blog :is(p, li, h2, h3) { color: ' +
            '#888 }'
        )
      }
    },
    'subheadings-larger-than-headings': {
      about: 'a theme mixes up the sizes of headings',
      needs: /<h2[\s\S]*<h3/,
      codes: ['HEADING_STYLE_LOST', 'HEADINGS_FLATTENED', 'FONT_TOO_LARGE'],
      pattern: /HEADING/,
      target: '.svc-blog h2, .svc-blog h3',
      apply: (page) => {
        addCss(page, '.svc-blog h2 { font-size: 1.05em !important } .svc-blog h3 { font-size: 2.2em !important }')
      }
    },
    'words-far-apart': {
      about: 'a slip of the pen in the unit of word-spacing',
      locales: ['en', 'de', 'ar'],
      codes: ['LETTER_SPACING', 'LOOKS_DIFFERENT'],
      ...damage('.svc-blog p', 'word-spacing: 1.6em')
    },
    'letters-of-arabic-apart': {
      about: 'spaced letters tear joined ones apart',
      locales: ['ar'],
      codes: ['LETTER_SPACING', 'LOOKS_DIFFERENT'],
      ...damage('.svc-blog p', 'letter-spacing: .3em')
    },
    'half-scale': {
      about: 'the article is shown at half of its size',
      codes: ['TEXT_SCALED', 'FONT_TOO_SMALL', 'LOOKS_DIFFERENT'],
      ...damage('.svc-blog', 'zoom: .5')
    },
    'advertisement-over-text': {
      about: 'an advertisement floats over the middle of the screen',
      codes: ['TEXT_COVERED', 'VIEWPORT_OBSTRUCTED'],
      apply: (page) => {
        page.bodyEnd += fixedBox('width:300px;height:250px;left:calc(50% - 150px);top:30vh')
      }
    },
    'chat-window-open': {
      about: 'the window of a chat opens by itself and covers the text on phones',
      codes: ['TEXT_COVERED', 'VIEWPORT_OBSTRUCTED'],
      apply: (page) => {
        page.bodyEnd += fixedBox('width:min(370px, 100%);height:80vh;right:0;bottom:0')
      }
    },
    'text-below-the-header': {
      about: 'the start of the text lies below the header',
      codes: ['TEXT_COVERED', 'TEXT_OVERLAP', 'VIEWPORT_OBSTRUCTED'],
      target: '.svc-blog > *',
      apply: (page) => {
        page.beforeArticle += '<div class="stripe"></div>'
        addCss(
          page,
          '.stripe { position: relative; z-index: 3; height: 5rem; background: #345 } ' +
            '.svc-blog { margin-block-start: -4.5rem }'
        )
      }
    },
    'ends-of-lines-cut': {
      about: 'the text is wider than the box that cuts it',
      codes: ['TEXT_CUT_OFF', 'TEXT_CLIPPED', 'TEXT_OFFSCREEN'],
      target: '.svc-blog, .svc-blog *',
      apply: (page) => {
        page.article = `<div style="overflow:hidden">${page.article}</div>`
        addCss(page, '.svc-blog { width: 118% !important; max-width: none !important }')
      }
    },
    'columns-of-fixed-height': {
      about: 'columns of a fixed height run out of the page',
      codes: ['HORIZONTAL_OVERFLOW', 'TEXT_OFFSCREEN', 'COLUMN_TOO_NARROW', 'TEXT_OVERLAP', 'TEXT_COVERED'],
      target: '.svc-blog, .svc-blog *',
      apply: (page) => {
        addCss(page, '.svc-blog { columns: 3; height: 420px }')
      }
    },
    'blocks-in-two-columns': {
      about: 'a grid for cards takes the blocks of the article',
      codes: ['COLUMN_TOO_NARROW', 'CONTENT_REORDERED'],
      pattern: /ALIGN|SIDE_BY_SIDE|SHIFTED|LOOKS_DIFFERENT/,
      ...damage('.svc-blog', 'display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; & > * { min-width: 0 }')
    },
    'blocks-in-rows': {
      about: 'a flex container puts short blocks beside each other',
      codes: ['COLUMN_TOO_NARROW', 'CONTENT_REORDERED', 'TABLE_LAYOUT_LOST'],
      pattern: /ALIGN|SIDE_BY_SIDE|SHIFTED|LOOKS_DIFFERENT/,
      target: '.svc-blog, .svc-blog > *',
      apply: (page) => {
        addCss(page, '.svc-blog { display: flex; flex-wrap: wrap; gap: 0 2rem } .svc-blog > * { max-width: 100% }')
      }
    },
    'bottom-to-top': {
      about: 'a flex container shows the blocks from bottom to top',
      codes: ['CONTENT_REORDERED'],
      ...damage('.svc-blog', 'display: flex; flex-direction: column-reverse')
    },
    'headings-at-the-end': {
      about: 'a flex container sorts all headings behind the text',
      needs: /<h2/,
      styles: DIRECT_BLOCKS,
      codes: ['CONTENT_REORDERED'],
      target: '.svc-blog h2',
      apply: (page) => {
        addCss(page, '.svc-blog { display: flex; flex-direction: column } .svc-blog h2 { order: 1 }')
      }
    },
    'every-word-capitalized': {
      about: 'the style of titles is on all text',
      locales: ['en', 'de'],
      codes: ['TEXT_ALL_CAPS', 'LOOKS_DIFFERENT', 'CONTENT_CHANGED'],
      ...damage('.svc-blog :is(p, li)', 'text-transform: capitalize')
    },
    'all-underlined': {
      about: 'the style of links is on all text',
      codes: ['LOOKS_DIFFERENT', 'LINK_STYLE_LOST', 'TEXT_STRUCK_THROUGH'],
      ...damage('.svc-blog :is(p, li)', 'text-decoration: underline')
    },
    'smeared-shadows': {
      about: 'a shadow meant for headings on pictures is on all text',
      codes: ['LOOKS_DIFFERENT', 'LOW_CONTRAST', 'TEXT_BLURRED'],
      ...damage('.svc-blog :is(p, li)', 'text-shadow: 3px 3px 1px currentcolor')
    },
    'all-bold': {
      about: 'the font has only its bold cut',
      needs: /<strong/,
      codes: ['EMPHASIS_LOST', 'HEADING_STYLE_LOST'],
      target: '.svc-blog :is(p, li, strong)',
      apply: (page) => {
        addCss(page, '.svc-blog, .svc-blog * { font-weight: 700 !important }')
      }
    },
    'vertical-lines': {
      about: 'a style for Japanese books is on text from left to right',
      locales: ['en', 'de', 'ar'],
      codes: ['TEXT_ROTATED', 'LOOKS_DIFFERENT', 'TEXT_DIRECTION'],
      ...damage('.svc-blog > p', 'writing-mode: vertical-rl; max-height: 20rem')
    },
    'padding-of-a-hero': {
      about: 'the space of a hero is on every paragraph',
      codes: ['COLUMN_TOO_NARROW', 'LARGE_GAP'],
      ...damage('.svc-blog > p:not(:has(img))', 'padding: 4rem 36%')
    },
    'addresses-after-links': {
      about: 'the style sheet for print is used on screens',
      needs: /<a href/,
      codes: ['TEXT_ADDED_BY_CSS', 'UNEXPECTED_TEXT', 'LOOKS_DIFFERENT'],
      ...damage('.svc-blog a', '&::after { content: " (" attr(href) ")"; word-break: break-all }')
    },
    'starts-of-lines-cut': {
      about: 'a hanging indent is cut by the box of the paragraph',
      codes: ['TEXT_CLIPPED', 'TEXT_CUT_OFF', 'TEXT_OFFSCREEN', 'LOOKS_DIFFERENT'],
      ...damage('.svc-blog > p:not(:has(img))', 'text-indent: -5em !important; overflow: hidden')
    },
    'lines-cut-in-half': {
      about: 'paragraphs have a height of one and a half lines',
      codes: ['TEXT_CLIPPED', 'TEXT_CUT_OFF', 'TEXT_HIDDEN'],
      ...damage('.svc-blog > p:not(:has(img))', 'height: 1.5lh; overflow: hidden')
    },
    'white-headers-of-tables': {
      about: 'the color behind the headers of tables is missing',
      needs: /<th/,
      codes: ['LOW_CONTRAST', 'TEXT_INVISIBLE_COLOR'],
      ...damage('.svc-blog th', 'color: #fff; background: #f6f6f6')
    },
    'table-of-letters': {
      about: 'tables are as narrow as a phone can show three times',
      needs: /<table/,
      codes: ['COLUMN_TOO_NARROW', 'TABLE_LAYOUT_LOST', 'TEXT_OVERLAP', 'LOOKS_DIFFERENT'],
      target: '.svc-blog table, .svc-blog td, .svc-blog th',
      apply: (page) => {
        addCss(
          page,
          '.svc-blog table { width: 8rem !important; min-width: 0 !important; table-layout: fixed; word-break: ' +
            'break-all }'
        )
      }
    },
    'text-waits-for-the-mouse': {
      about: 'text appears only below the mouse',
      codes: ['TEXT_INVISIBLE_COLOR', 'TEXT_TRANSPARENT', 'LOW_CONTRAST'],
      ...damage('.svc-blog > p:nth-of-type(n + 2)', 'color: transparent; &:hover { color: inherit }')
    },
    'slightly-blurred': {
      about: 'the blur of a closed dialog stays on the page',
      codes: ['TEXT_BLURRED', 'LOOKS_DIFFERENT'],
      ...damage('.svc-blog', 'filter: blur(2px)')
    },
    'giant-drop-caps': {
      about: 'every paragraph and list item starts with a huge letter',
      locales: ['en', 'de'],
      codes: ['LOOKS_DIFFERENT', 'FONT_TOO_LARGE', 'TEXT_OVERLAP'],
      ...damage('.svc-blog :is(p, li)', '&::first-letter { font-size: 5em; line-height: 1 }')
    },
    'quotes-of-giants': {
      about: 'quotes have the size of a poster',
      needs: /<blockquote/,
      codes: ['FONT_TOO_LARGE', 'LOOKS_DIFFERENT', 'HORIZONTAL_OVERFLOW'],
      ...damage('.svc-blog blockquote', 'font-size: 5em; & * { font-size: inherit }')
    },
    'items-beside-each-other': {
      about: 'the list of the menu takes the lists of the article',
      needs: /<ul>\s*<li>/,
      codes: ['LIST_STYLE_LOST', 'COLUMN_TOO_NARROW'],
      target: '.svc-blog ul, .svc-blog li',
      apply: (page) => {
        addCss(page, '.svc-blog ul { display: flex; list-style: none; padding: 0; gap: .3rem }')
      }
    },
    'code-wraps-anywhere': {
      about: 'code breaks within words in a narrow box',
      needs: /<pre/,
      codes: ['CODE_FORMAT_LOST', 'COLUMN_TOO_NARROW'],
      target: '.svc-blog pre, .svc-blog pre *',
      apply: (page) => {
        addCss(
          page,
          '.svc-blog :is(pre, pre *) { white-space: pre-wrap !important; word-break: break-all } .svc-blog pre { ' +
            'width: 9rem }'
        )
      }
    }
  }
})
