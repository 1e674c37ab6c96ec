import { escapeHtml } from '../../../../lib/html.ts'
import { addCss, addHead, editElements, editHead, replaceText } from '../edit.ts'
import { damage, defineDefects } from './define.ts'

const IMAGE = /<img/

/** Defects of pictures and styles, of the head, and of the way the page is served. */
export const PAGE_TUNE = defineDefects('tune', {
  visible: {
    'pictures-deleted': {
      about: 'pictures respond with 404',
      needs: IMAGE,
      codes: ['IMAGE_BROKEN'],
      apply: (page) => {
        editElements(page, 'img', 'all', (html) => html.replaceAll(/\/images\//g, '/images/gone/'))
      }
    },
    'lazy-without-script': {
      about: 'pictures wait for a script that is missing',
      needs: IMAGE,
      codes: ['IMAGE_NOT_LOADED'],
      apply: (page) => {
        editElements(page, 'img', 'all', (html) =>
          html
            .replace(' src="', ' data-src="')
            .replace(' srcset="', ' data-srcset="')
            .replace('<img', '<img class="lazyload"')
        )
      }
    },
    'pictures-removed': {
      about: 'pictures are filtered out',
      needs: IMAGE,
      codes: ['IMAGE_MISSING'],
      apply: (page) => {
        editElements(page, 'img', 'all', () => '')
      }
    },
    'pictures-squashed': {
      about: 'pictures are squashed',
      needs: IMAGE,
      codes: ['IMAGE_DISTORTED'],
      ...damage('.svc-blog img', 'width: 100%; height: 90px; object-fit: fill')
    },
    'pictures-tiny': {
      about: 'pictures are 24 pixels wide',
      needs: IMAGE,
      codes: ['IMAGE_TOO_SMALL'],
      pattern: /IMAGE/,
      ...damage('.svc-blog img', 'width: 24px; height: auto')
    },
    'picture-of-another-post': {
      about: 'a picture is replaced by another one',
      needs: IMAGE,
      codes: ['IMAGE_FOREIGN', 'IMAGE_MISSING', 'LOOKS_DIFFERENT'],
      target: '.svc-blog img',
      apply: (page) => {
        editElements(page, 'img', 0, (html) =>
          html.replace(/ srcset="[^"]*"/, '').replace(/ src="[^"]*"/, ' src="/assets/foreign.jpg"')
        )
      }
    },
    'pictures-transparent': {
      about: 'pictures never fade in',
      needs: IMAGE,
      codes: ['IMAGE_INVISIBLE'],
      ...damage('.svc-blog img', 'opacity: 0')
    },
    'picture-blown-up': {
      about: 'a picture of 48 pixels is shown large',
      needs: IMAGE,
      codes: ['IMAGE_LOW_RESOLUTION', 'IMAGE_FOREIGN', 'IMAGE_MISSING'],
      target: '.svc-blog img',
      apply: (page) => {
        editElements(page, 'img', 0, (html) =>
          html.replace(/ srcset="[^"]*"/, '').replace(/ src="[^"]*"/, ' src="/assets/icon.jpg"')
        )
      }
    },
    'blog-styles-forgotten': {
      about: 'cssContent is missing',
      codes: ['BLOG_CSS_NOT_APPLIED'],
      apply: (page) => {
        page.head.set('blogStyle', '')
      }
    },
    'server-error': {
      about: 'the server has an error',
      codes: ['HTTP_ERROR'],
      apply: (page) => {
        page.status = 500
        page.article = '<p>Internal Server Error</p>'
      }
    },
    'not-found-with-success': {
      about: 'the page says that it does not exist',
      codes: ['SOFT_404', 'CONTENT_MISSING'],
      apply: (page) => {
        page.heading = '<h1>404 – Page not found</h1>'
        page.head.set('title', '<title>Page not found</title>')
        page.article = '<p>Sorry, the page that you are looking for does not exist.</p>'
      }
    },
    'redirect-to-start': {
      about: 'the URL redirects to the start page',
      codes: ['REDIRECTED_AWAY', 'CONTENT_MISSING', 'WRONG_POST', 'HTTP_ERROR'],
      apply: (page) => {
        page.status = 302
        page.headers.location = '/'
      }
    },
    'late-banner': {
      about: 'a banner moves the text after a second',
      codes: ['LAYOUT_SHIFT'],
      apply: (page) => {
        page.bodyStart = '<div id="banner"></div>'
        addHead(
          page,
          "<script>addEventListener('load', () => setTimeout(() => { " +
            "document.getElementById('banner').style.height = '420px' }, 900))</script>"
        )
      }
    },
    'alert-on-load': {
      about: 'a dialog of the browser interrupts readers',
      codes: ['DIALOG_SHOWN'],
      apply: (page) => {
        addHead(page, "<script>addEventListener('load', () => alert('Please enable notifications!'))</script>")
      }
    },
    'site-styles-deleted': {
      about: 'the style sheet of the site responds with 404',
      codes: ['STYLESHEET_FAILED'],
      apply: (page) => {
        page.head.set('siteStyles', '<link rel="stylesheet" href="/assets/theme.v3.css">')
      }
    },
    'wrong-date-in-byline': {
      about: 'the byline has another date',
      codes: [],
      pattern: /DATE|BYLINE/,
      target: '.byline',
      apply: (page) => {
        page.byline = '<p class="byline"><time datetime="1970-01-01T00:00:00.000Z">1 January 1970</time></p>'
      }
    },
    'code-on-white': {
      about: 'code has a dark theme on a light background',
      needs: /<pre/,
      codes: ['LOW_CONTRAST', 'TEXT_INVISIBLE_COLOR'],
      target: '.svc-blog pre',
      apply: (page) => {
        addCss(page, '.svc-blog pre { background: #fff } .svc-blog pre, .svc-blog pre * { color: #e2e2e2 }')
      }
    }
  },
  invisible: {
    'generic-title': {
      about: 'the title is that of the site',
      codes: ['TITLE_MISMATCH'],
      apply: (page) => {
        editHead(page, 'title', () => '<title>Journal</title>')
      }
    },
    'no-title': {
      about: 'the page has no title',
      codes: ['TITLE_MISSING'],
      apply: (page) => {
        editHead(page, 'title', () => '')
      }
    },
    'no-description': {
      about: 'the page has no meta description',
      codes: ['META_DESCRIPTION_MISSING'],
      apply: (page) => {
        editHead(page, 'description', () => '')
      }
    },
    'social-image-deleted': {
      about: 'the social image responds with 404',
      codes: ['OG_IMAGE_BROKEN'],
      apply: (page) => {
        editHead(page, 'og:image', () => `<meta property="og:image" content="${page.origin}/assets/gone.jpg">`)
      }
    },
    'canonical-to-start': {
      about: 'the canonical URL is the start page',
      codes: ['CANONICAL_ELSEWHERE'],
      apply: (page) => {
        editHead(page, 'canonical', () => `<link rel="canonical" href="${page.origin}/">`)
      }
    },
    'noindex-left': {
      about: 'a noindex of the staging system is left',
      codes: ['NOINDEX'],
      apply: (page) => {
        editHead(page, 'robots', () => '<meta name="robots" content="noindex, nofollow">')
      }
    },
    'no-structured-data': {
      about: 'JSON-LD is missing',
      codes: ['JSONLD_MISSING'],
      apply: (page) => {
        editHead(page, 'jsonLd', () => '')
      }
    },
    'structured-data-escaped': {
      about: 'JSON-LD is escaped as HTML',
      codes: ['JSONLD_INVALID'],
      apply: (page) => {
        page.head.set(
          'jsonLd',
          `<script type="application/ld+json">${escapeHtml(page.post.blog.schemaOrgJson)}</script>`
        )
      }
    },
    'wrong-language': {
      about: 'the page declares another language',
      codes: ['LANG_MISMATCH'],
      apply: (page) => {
        page.root.lang = page.post.blog.locale.startsWith('de') ? 'en' : 'de'
      }
    },
    'two-main-headings': {
      about: 'the name of the site is an h1 too',
      codes: ['H1_DUPLICATE'],
      apply: (page) => {
        page.bodyStart = '<h1 class="logo">Journal</h1>'
      }
    },
    'social-title-of-another-post': {
      about: 'og:title is that of another post',
      codes: ['OG_TITLE_MISMATCH'],
      apply: (page) => {
        editHead(page, 'og:title', () => `<meta property="og:title" content="${escapeHtml(page.other.blog.title)}">`)
      }
    },
    'alternate-to-itself': {
      about: 'hreflang names a wrong page',
      locales: ['de'],
      codes: [],
      pattern: /HREFLANG|ALTERNATE|TRANSLATION/,
      apply: (page) => {
        editHead(page, 'alternates', (html) => html.replaceAll(/href="[^"]*"/g, 'href="/en/undefined"'))
      }
    },
    'slow-server': {
      about: 'the server responds after four seconds',
      codes: ['SLOW_RESPONSE'],
      apply: (page) => {
        page.delayMs = 4000
      }
    },
    'script-throws': {
      about: 'a script throws an error',
      codes: ['JS_ERROR'],
      apply: (page) => {
        addHead(page, "<script>document.querySelector('.missing-slider').init({ speed: 300 })</script>")
      }
    },
    'script-deleted': {
      about: 'a script of the site responds with 404',
      codes: ['RESOURCE_FAILED'],
      apply: (page) => {
        addHead(page, '<script src="/assets/vendor.8f31.js" defer></script>')
      }
    },
    'links-without-targets': {
      about: 'all links lead nowhere',
      codes: ['LINK_TARGETS_CHANGED'],
      pattern: /LINK/,
      target: '.svc-blog a',
      apply: (page) => {
        replaceText(page, /<a href="[^"]*"/g, '<a href="#"')
      }
    }
  }
})
