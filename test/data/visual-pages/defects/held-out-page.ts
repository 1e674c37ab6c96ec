import { addCss, addHead, editElements, editHead } from '../edit.ts'
import { damage, defineDefects } from './define.ts'

const IMAGE = /<img/
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAMLCwgAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=='

/** Defects of pictures, players and styles, and of pages that do not respond as they should. */
export const PAGE_HELD_OUT = defineDefects('held-out', {
  visible: {
    'pictures-blocked-by-policy': {
      about: "the site's content security policy forbids the pictures",
      needs: IMAGE,
      codes: ['IMAGE_BROKEN', 'IMAGE_NOT_LOADED'],
      apply: (page) => {
        page.headers['content-security-policy'] = "img-src 'self' data:"
      }
    },
    'pictures-cropped': {
      about: 'pictures are strips of 40 pixels',
      needs: IMAGE,
      codes: ['IMAGE_DISTORTED'],
      ...damage('.svc-blog img', 'height: 40px; width: 100%; object-fit: cover')
    },
    'variants-missing': {
      about: 'the variants in srcset respond with 404',
      needs: /srcset=/,
      codes: ['IMAGE_BROKEN'],
      apply: (page) => {
        editElements(page, 'img', 'all', (html) =>
          html.replace(
            / srcset="[^"]*"/,
            ' srcset="/cdn/320/a.webp 320w, /cdn/640/a.webp 640w, /cdn/1280/a.webp 1280w"'
          )
        )
      }
    },
    'pictures-inverted': {
      about: 'dark mode inverts pictures',
      needs: IMAGE,
      codes: ['LOOKS_DIFFERENT', 'IMAGE_FOREIGN', 'IMAGE_DISTORTED'],
      ...damage('.svc-blog img', 'filter: invert(1)')
    },
    'pictures-exchanged': {
      about: 'two pictures are exchanged, not their descriptions',
      needs: /<img[\s\S]*<img/,
      codes: ['CONTENT_REORDERED', 'IMAGE_FOREIGN', 'IMAGE_MISSING', 'LOOKS_DIFFERENT'],
      target: '.svc-blog img',
      apply: (page) => {
        const sources = (page.article.match(/<img[^>]*>/g) ?? []).map(
          (html) => / src="[^"]*" srcset="[^"]*"/.exec(html)![0]
        )
        const [first, second] = [sources[0]!, sources[1]!]
        editElements(page, 'img', 0, (html) => html.replace(first, second))
        editElements(page, 'img', 1, (html) => html.replace(second, first))
      }
    },
    'pictures-upside-down': {
      about: 'pictures are upside down',
      needs: IMAGE,
      codes: ['LOOKS_DIFFERENT', 'IMAGE_DISTORTED', 'IMAGE_FOREIGN'],
      ...damage('.svc-blog img', 'transform: rotate(180deg)')
    },
    'pictures-hidden-on-phones': {
      about: 'pictures are hidden on phones',
      needs: IMAGE,
      codes: ['IMAGE_INVISIBLE'],
      target: '.svc-blog img',
      apply: (page) => {
        addCss(page, '@media (max-width: 700px) { .svc-blog img { display: none } }')
      }
    },
    'gray-pixel-instead': {
      about: 'a gray pixel is shown at the size of each picture',
      needs: IMAGE,
      codes: ['IMAGE_NOT_LOADED', 'IMAGE_LOW_RESOLUTION', 'IMAGE_FOREIGN', 'IMAGE_MISSING', 'IMAGE_BROKEN'],
      target: '.svc-blog img',
      apply: (page) => {
        editElements(page, 'img', 'all', (html) =>
          html.replace(/ srcset="[^"]*"/, '').replace(/ src="[^"]*"/, ` src="${PIXEL}"`)
        )
      }
    },
    'player-blank': {
      about: 'the video is an empty frame',
      needs: /<iframe/,
      codes: ['LOOKS_DIFFERENT', 'RESOURCE_FAILED'],
      pattern: /EMBED|VIDEO|FRAME|PLAYER/,
      target: '.svc-blog iframe',
      apply: (page) => {
        editElements(page, 'iframe', 'all', (html) => html.replace(/ src="[^"]*"/, ' src="about:blank"'))
      }
    },
    'player-removed': {
      about: 'the video is removed',
      needs: /<iframe/,
      codes: ['CONTENT_INCOMPLETE'],
      pattern: /EMBED|VIDEO|FRAME|PLAYER/,
      apply: (page) => {
        editElements(page, 'iframe', 'all', () => '')
      }
    },
    'player-fails': {
      about: 'the server of the video has an error',
      needs: /<iframe/,
      codes: [],
      pattern: /EMBED|VIDEO|FRAME|PLAYER|RESOURCE/,
      target: '.svc-blog iframe',
      apply: (page) => {
        editElements(page, 'iframe', 'all', (html) => html.replace(/ src="[^"]*"/, ' src="/status/503/video"'))
      }
    },
    'class-names-mangled': {
      about: 'a build tool renames the classes',
      codes: ['BLOG_CSS_NOT_APPLIED'],
      apply: (page) => {
        page.article = page.article.replaceAll(/class="([^"]*)"/g, (_, names: string) => `class="_${names.length}x7f"`)
      }
    },
    'styles-in-print-only': {
      about: 'cssContent is inside of a media query for print',
      codes: ['BLOG_CSS_NOT_APPLIED'],
      apply: (page) => {
        editHead(page, 'blogStyle', (html) => html.replace('<style>', '<style media="print">'))
      }
    },
    'reset-after-article': {
      about: 'a reset of all elements is stronger than the article',
      codes: ['BLOG_CSS_NOT_APPLIED', 'BLOG_CSS_PARTLY_OVERRIDDEN', 'LOOKS_DIFFERENT'],
      pattern: /HEADING|LIST|LINK|TABLE/,
      target: '.svc-blog *',
      apply: (page) => {
        addCss(page, '.svc-blog :not(img, iframe, input) { all: unset !important; display: revert !important }')
      }
    },
    'bot-check': {
      about: 'a firewall checks the browser',
      codes: ['CONTENT_MISSING', 'LOGIN_WALL', 'HTTP_ERROR'],
      apply: (page) => {
        page.status = 403
        page.heading = '<h1>Checking your browser</h1>'
        page.article = '<p>Enable JavaScript and cookies to continue.</p>'
      }
    },
    'endless-redirects': {
      about: 'the URL redirects to itself',
      codes: ['PAGE_REDIRECTS_ENDLESSLY'],
      pattern: /REDIRECT|UNREACHABLE|TIMEOUT/,
      apply: (page) => {
        page.status = 302
        page.headers.location = '/loop/a'
      }
    },
    'connection-closed': {
      about: 'the server closes the connection',
      codes: ['PAGE_UNREACHABLE'],
      apply: (page) => {
        page.status = 302
        page.headers.location = '/reset/a'
      }
    },
    'script-leaves-the-page': {
      about: 'a script goes to the start page',
      codes: ['REDIRECTED_AWAY', 'CONTENT_MISSING', 'WRONG_POST', 'HTTP_ERROR', 'SOFT_404'],
      apply: (page) => {
        addHead(page, "<script>setTimeout(() => location.replace('/welcome'), 300)</script>")
      }
    },
    'reloads-forever': {
      about: 'the page reloads again and again',
      codes: ['PAGE_RELOADS_ENDLESSLY', 'ENDLESS_LOADING', 'REDIRECTED_AWAY'],
      pattern: /RELOAD|NAVIGAT|REDIRECT/,
      apply: (page) => {
        addHead(page, '<script>setTimeout(() => location.reload(), 150)</script>')
      }
    },
    'blocking-style-sheet': {
      about: 'a style sheet blocks rendering for five seconds',
      codes: ['SLOW_RENDER', 'SLOW_RESPONSE'],
      apply: (page) => {
        addHead(page, '<link rel="stylesheet" href="/slow/5000/fonts.css">')
      }
    },
    'font-blocks-text': {
      about: 'the text is invisible until its font is loaded',
      codes: ['FONT_BLOCKS_TEXT', 'SLOW_RENDER'],
      target: '.svc-blog',
      apply: (page) => {
        addCss(
          page,
          '@font-face { font-family: Late; src: url(/slow/6000/late.woff); font-display: block } ' +
            '.svc-blog, .svc-blog :is(p, li, h2, h3) { font-family: Late, sans-serif }'
        )
      }
    }
  }
})
