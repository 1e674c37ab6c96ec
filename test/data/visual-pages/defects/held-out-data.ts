import { escapeHtml } from '../../../../lib/html.ts'
import { addHead, editElements, editHead, replaceText } from '../edit.ts'
import { defineDefects } from './define.ts'

/** Defects that search engines, link previews and screen readers notice. */
export const DATA_HELD_OUT = defineDefects('held-out', {
  invisible: {
    'not-found-with-text': {
      about: 'the page has the text, and status 404',
      codes: ['HTTP_ERROR'],
      apply: (page) => {
        page.status = 404
      }
    },
    'two-titles': {
      about: 'a plugin adds a second title',
      codes: ['TITLE_DUPLICATE'],
      apply: (page) => {
        addHead(page, '<title>Journal – All articles</title>')
      }
    },
    'description-of-another-post': {
      about: 'the description is that of another post',
      codes: ['META_DESCRIPTION_MISMATCH'],
      apply: (page) => {
        editHead(
          page,
          'description',
          () => `<meta name="description" content="${escapeHtml(page.other.blog.metaDescription)}">`
        )
      }
    },
    'two-descriptions': {
      about: 'a plugin adds a second description',
      codes: ['META_DESCRIPTION_DUPLICATE'],
      apply: (page) => {
        addHead(page, '<meta name="description" content="The journal of people who like to do things themselves.">')
      }
    },
    'no-social-image': {
      about: 'og:image is missing',
      codes: ['OG_IMAGE_MISSING'],
      apply: (page) => {
        editHead(page, 'og:image', () => '')
      }
    },
    'relative-social-image': {
      about: 'og:image is a relative URL',
      codes: ['OG_IMAGE_BROKEN'],
      pattern: /OG_IMAGE|RELATIVE/,
      apply: (page) => {
        editHead(page, 'og:image', () => '<meta property="og:image" content="/assets/banner.jpg">')
      }
    },
    'social-image-is-html': {
      about: 'og:image responds with an HTML page',
      codes: ['OG_IMAGE_BROKEN'],
      apply: (page) => {
        editHead(page, 'og:image', () => `<meta property="og:image" content="${page.origin}/player/1">`)
      }
    },
    'canonical-of-development': {
      about: 'the canonical URL is that of a development server',
      codes: ['CANONICAL_ELSEWHERE', 'CANONICAL_INVALID'],
      apply: (page) => {
        editHead(page, 'canonical', () => `<link rel="canonical" href="http://localhost:3000${page.path}">`)
      }
    },
    'two-canonicals': {
      about: 'two canonical URLs contradict each other',
      codes: ['CANONICAL_INVALID', 'CANONICAL_ELSEWHERE'],
      apply: (page) => {
        addHead(page, `<link rel="canonical" href="${page.origin}/articles?page=2">`)
      }
    },
    'no-canonical': {
      about: 'the page has no canonical URL',
      codes: ['CANONICAL_MISSING'],
      apply: (page) => {
        editHead(page, 'canonical', () => '')
      }
    },
    'noindex-by-header': {
      about: 'a header forbids indexing',
      codes: ['NOINDEX'],
      apply: (page) => {
        page.headers['x-robots-tag'] = 'noindex'
      }
    },
    'structured-data-of-another-post': {
      about: 'JSON-LD is that of another post',
      codes: ['JSONLD_MISMATCH'],
      apply: (page) => {
        editHead(page, 'jsonLd', () => `<script type="application/ld+json">${page.other.blog.schemaOrgJson}</script>`)
      }
    },
    'structured-data-cut': {
      about: 'JSON-LD is cut off',
      codes: ['JSONLD_INVALID'],
      apply: (page) => {
        const { schemaOrgJson } = page.post.blog
        editHead(page, 'jsonLd', () => `<script type="application/ld+json">${schemaOrgJson.slice(0, -25)}</script>`)
      }
    },
    'wrong-date-in-structured-data': {
      about: 'the date of publication in JSON-LD is wrong',
      codes: ['JSONLD_MISMATCH'],
      pattern: /DATE/,
      apply: (page) => {
        editHead(page, 'jsonLd', (html) =>
          html.replace(/"datePublished":\s*"[^"]*"/, '"datePublished":"1970-01-01T00:00:00.000Z"')
        )
      }
    },
    'wrong-date-in-head': {
      about: 'article:published_time is another year',
      codes: [],
      pattern: /DATE|PUBLISHED/,
      apply: (page) => {
        editHead(page, 'dates', () => '<meta property="article:published_time" content="2019-02-30T00:00:00Z">')
      }
    },
    'no-language': {
      about: 'the page declares no language',
      codes: ['LANG_MISSING'],
      apply: (page) => {
        delete page.root.lang
      }
    },
    'headline-is-no-heading': {
      about: 'the headline is a div',
      codes: ['H1_MISSING'],
      apply: (page) => {
        page.heading = page.heading
          .replace('<h1>', '<div style="font-size:2rem;font-weight:700">')
          .replace('</h1>', '</div>')
      }
    },
    'headings-are-no-headings': {
      about: 'the headings of the article are divs',
      codes: [
        'HEADINGS_FLATTENED',
        'CONTENT_CHANGED',
        'LOOKS_DIFFERENT',
        'BLOG_CSS_PARTLY_OVERRIDDEN',
        'BLOG_CSS_NOT_APPLIED'
      ],
      pattern: /HEADING/,
      target: '.svc-blog > .heading',
      apply: (page) => {
        for (const name of ['h2', 'h3']) {
          if (!page.article.includes(`<${name}`)) continue
          editElements(page, name, 'all', (html) =>
            html
              .replace(/^<h\d/, '<div class="heading" style="font-size:1.5em;font-weight:700;margin:1.2em 0 .5em"')
              .replace(/<\/h\d>$/, '</div>')
          )
        }
      }
    },
    'no-mobile-viewport': {
      about: 'the page has no viewport',
      codes: ['NO_MOBILE_VIEWPORT'],
      apply: (page) => {
        editHead(page, 'viewport', () => '')
      }
    },
    'no-social-title': {
      about: 'og:title is missing',
      codes: ['OG_TITLE_MISSING'],
      apply: (page) => {
        editHead(page, 'og:title', () => '')
      }
    },
    'no-alternative-texts': {
      about: 'pictures have lost their descriptions',
      needs: /<img/,
      codes: ['AXE_ARTICLE'],
      pattern: /ALT/,
      target: '.svc-blog img',
      apply: (page) => {
        editElements(page, 'img', 'all', (html) => html.replace(/ alt="[^"]*"/, ''))
      }
    },
    'links-to-development': {
      about: 'links lead to a development server',
      codes: ['LINK_TARGETS_CHANGED'],
      pattern: /LINK/,
      target: '.svc-blog a',
      apply: (page) => {
        replaceText(page, /<a href="\//g, '<a href="http://localhost:3000/')
      }
    },
    'base-of-a-network': {
      about: 'a base element leads all relative links to another server',
      codes: ['LINK_TARGETS_CHANGED'],
      pattern: /LINK|BASE/,
      target: '.svc-blog a',
      apply: (page) => {
        page.bodyEnd = '<base href="https://cdn.example/v2/">'
      }
    },
    'links-without-elements': {
      about: 'a filter replaces links by their text',
      codes: ['LINK_TARGETS_CHANGED', 'CONTENT_CHANGED'],
      pattern: /LINK/,
      apply: (page) => {
        editElements(page, 'a', 'all', (html) => html.replaceAll(/<\/?a[^>]*>/g, ''))
      }
    },
    'promise-rejected': {
      about: 'a script fails in the background',
      codes: ['JS_ERROR'],
      apply: (page) => {
        addHead(page, "<script>Promise.reject(new TypeError('Cannot read properties of null'))</script>")
      }
    },
    'data-request-fails': {
      about: 'a request of the site fails',
      codes: ['RESOURCE_FAILED'],
      apply: (page) => {
        addHead(page, "<script>fetch('/status/500/related').then((response) => response.status)</script>")
      }
    },
    'request-never-ends': {
      about: 'a picture of the site never responds',
      codes: ['ENDLESS_LOADING'],
      apply: (page) => {
        page.bodyEnd = '<img src="/never/pixel.gif" alt="" width="1" height="1">'
      }
    },
    'font-deleted': {
      about: 'a font of the site responds with 404',
      codes: ['RESOURCE_FAILED'],
      apply: (page) => {
        addHead(
          page,
          '<style>@font-face { font-family: Gone; src: url(/assets/gone.woff2); font-display: swap } h1 { ' +
            'font-family: Gone, sans-serif }</style>'
        )
      }
    }
  }
})
