import { addCss, editElements, say } from '../edit.ts'
import { damage, defineDefects } from './define.ts'

/** Defects of layout and type: style sheets, overlays and scripts of the site. */
export const LAYOUT_TUNE = defineDefects('tune', {
  visible: {
    'reveal-without-script': {
      about: 'blocks wait for an animation that never starts',
      codes: ['TEXT_TRANSPARENT'],
      ...damage('.svc-blog > *', 'opacity: 0; transform: translateY(2rem)')
    },
    'fixed-heights': {
      about: 'paragraphs have a height that is too small',
      codes: ['TEXT_OVERLAP', 'TEXT_COVERED', 'TEXT_CUT_OFF'],
      ...damage('.svc-blog p', 'height: 1.2em; margin: 0 0 .5em')
    },
    'no-wrapping': {
      about: 'lines do not wrap',
      codes: ['HORIZONTAL_OVERFLOW', 'TEXT_CUT_OFF', 'TEXT_CLIPPED', 'TEXT_OFFSCREEN'],
      ...damage('.svc-blog p', 'white-space: nowrap')
    },
    'gap-before-text': {
      about: 'three screens of nothing before the text',
      codes: ['LARGE_GAP'],
      pattern: /GAP|SPACE/,
      apply: (page) => {
        page.beforeArticle = '<div class="ad-slot" style="height: 3000px"></div>'
      },
      target: '.ad-slot'
    },
    'modal-newsletter': {
      about: 'a dialog covers the text',
      codes: ['TEXT_COVERED', 'VIEWPORT_OBSTRUCTED'],
      apply: (page) => {
        const text = say(page, { en: 'Wait! Before you go …', de: 'Moment noch!', ar: 'انتظر!', ja: 'ちょっと待って!' })
        page.bodyEnd =
          '<div style="position:fixed;inset:0;background:#000c;z-index:999;display:grid;place-items:center">' +
          `<div role="dialog" aria-label="Newsletter" ` +
          `style="background:#fff;color:#111;padding:3rem">${text}</div></div>`
      }
    },
    'tall-sticky-header': {
      about: 'a sticky header takes half of the viewport',
      codes: ['VIEWPORT_OBSTRUCTED', 'TEXT_COVERED'],
      apply: (page) => {
        page.bodyStart =
          '<div style="position:sticky;top:0;height:55vh;background:#14213d;color:#fff;z-index:90">50 %</div>'
      }
    },
    'squeezed-column': {
      about: 'the column is 90 pixels wide',
      codes: ['COLUMN_TOO_NARROW'],
      ...damage('.svc-blog', 'width: 90px')
    },
    'wide-table': {
      about: 'the table makes the page scroll sideways',
      needs: /<table/,
      codes: ['HORIZONTAL_OVERFLOW'],
      target: '.svc-blog table',
      apply: (page) => {
        addCss(page, '.svc-blog .svc-table { overflow: visible; contain: none } .svc-blog table { min-width: 1700px }')
      }
    },
    'struck-through': {
      about: 'all text is struck through',
      codes: ['LOOKS_DIFFERENT'],
      ...damage('.svc-blog p', 'text-decoration: line-through')
    },
    blurred: {
      about: 'the text is blurred',
      codes: ['LOOKS_DIFFERENT', 'TEXT_TRANSPARENT'],
      ...damage('.svc-blog p', 'filter: blur(3px)')
    },
    mirrored: {
      about: 'the text is mirrored',
      codes: ['TEXT_ROTATED'],
      ...damage('.svc-blog', 'transform: scaleX(-1)')
    },
    'transparent-headings': {
      about: 'the headings of the article are invisible',
      codes: ['TEXT_TRANSPARENT', 'TEXT_INVISIBLE_COLOR'],
      ...damage('.svc-blog h2', 'color: transparent')
    },
    'text-offscreen': {
      about: 'the text is left of the page',
      codes: ['TEXT_OFFSCREEN'],
      ...damage('.svc-blog p', 'position: relative; left: -4000px')
    },
    'flat-lists': {
      about: 'lists look like lines of text',
      needs: /<ul/,
      codes: ['BLOG_CSS_PARTLY_OVERRIDDEN', 'LOOKS_DIFFERENT'],
      pattern: /LIST/,
      ...damage('.svc-blog ul, .svc-blog ol', 'list-style: none; padding: 0; margin: 0')
    },
    'flat-headings': {
      about: 'headings look like text',
      codes: ['BLOG_CSS_PARTLY_OVERRIDDEN', 'LOOKS_DIFFERENT'],
      pattern: /HEADING/,
      ...damage(
        '.svc-blog h2, .svc-blog h3',
        'font-size: 1em; font-weight: 400; margin: 0; border: 0; text-transform: none'
      )
    },
    'invisible-links': {
      about: 'links look like text',
      codes: ['AXE_ARTICLE', 'LOOKS_DIFFERENT', 'BLOG_CSS_PARTLY_OVERRIDDEN'],
      pattern: /LINK/,
      ...damage(
        '.svc-blog a',
        'color: inherit; text-decoration: none; font-weight: inherit; background: none; border: 0'
      )
    },
    'collapsed-code': {
      about: 'code is one paragraph',
      needs: /<pre/,
      codes: ['LOOKS_DIFFERENT', 'CONTENT_CHANGED', 'BLOG_CSS_PARTLY_OVERRIDDEN'],
      pattern: /CODE/,
      ...damage('.svc-blog pre, .svc-blog pre code', 'white-space: normal; font-family: serif')
    },
    'tiny-text': {
      about: 'the font size is 8 pixels',
      codes: ['FONT_TOO_SMALL'],
      ...damage('.svc-blog, .svc-blog p, .svc-blog li', 'font-size: 8px')
    },
    'tight-lines': {
      about: 'lines overlap',
      codes: ['LINE_HEIGHT_TIGHT', 'TEXT_OVERLAP'],
      ...damage('.svc-blog p, .svc-blog li', 'line-height: .8')
    },
    'tight-letters': {
      about: 'letters overlap',
      locales: ['en', 'de', 'ja'],
      codes: ['LETTER_SPACING'],
      ...damage('.svc-blog p', 'letter-spacing: -.13em')
    },
    'pale-text': {
      about: 'the text is hardly darker than its background',
      codes: ['LOW_CONTRAST', 'TEXT_TRANSPARENT', 'TEXT_INVISIBLE_COLOR'],
      ...damage('.svc-blog p, .svc-blog li', 'opacity: .28')
    },
    'wrong-direction': {
      about: 'the writing direction is that of other scripts',
      codes: ['TEXT_DIRECTION'],
      target: '.svc-blog',
      apply: (page) => {
        const direction = page.post.blog.dir === 'rtl' ? 'ltr' : 'rtl'
        page.root.dir = direction
        addCss(page, `.svc-blog { direction: ${direction} }`)
      }
    },
    'endless-lines': {
      about: 'lines run over the whole screen',
      styles: ['magazine-drop-cap', 'dark-terminal', 'book-print', 'github-light'],
      locales: ['en', 'de'],
      codes: ['LINE_TOO_LONG'],
      target: '.svc-blog',
      apply: (page) => {
        addCss(page, 'main, .page { max-width: none !important } .svc-blog { font-size: 15px }')
      }
    },
    'inline-items': {
      about: 'table cells are on top of each other',
      needs: /<table/,
      codes: ['TEXT_OVERLAP', 'TEXT_COVERED', 'LOOKS_DIFFERENT'],
      ...damage('.svc-blog td', 'position: absolute')
    },
    'tinted-quote': {
      about: 'a banner covers the quote',
      needs: /<blockquote/,
      codes: ['TEXT_COVERED', 'LOOKS_DIFFERENT'],
      target: '.svc-blog blockquote',
      apply: (page) => {
        editElements(page, 'blockquote', 0, (html) =>
          html.replace(
            '<blockquote>',
            '<blockquote style="position:relative"><i style="position:absolute;inset:0;background:#888"></i>'
          )
        )
      }
    }
  }
})
