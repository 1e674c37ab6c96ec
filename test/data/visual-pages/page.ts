import { escapeHtml } from '../../../lib/html.ts'
import { HEAD_ELEMENTS, type HeadElement, type Page, type Post, type SiteStyle } from './types.ts'

export interface PageOptions {
  origin: string
  path: string
  style: SiteStyle
  post: Post
  other: Post
}

const meta = (name: string, content: string): string => `<meta name="${name}" content="${escapeHtml(content)}">`
const property = (name: string, content: string): string => `<meta property="${name}" content="${escapeHtml(content)}">`

/** A page without defects: the post as the documentation says, in the template of a site. */
export function createPage({ origin, path, style, post, other }: PageOptions): Page {
  const { blog } = post
  const language = blog.lang
  const packages = (style.packages ?? []).map((name) => `<link rel="stylesheet" href="/packages/${name}">`)
  const head = new Map<HeadElement, string>([
    ['charset', '<meta charset="utf-8">'],
    ['viewport', '<meta name="viewport" content="width=device-width, initial-scale=1">'],
    ['title', `<title>${escapeHtml(blog.metaTitle)}</title>`],
    ['description', meta('description', blog.metaDescription)],
    ['canonical', `<link rel="canonical" href="${origin}${path}">`],
    ['robots', meta('robots', 'index, follow, max-image-preview:large')],
    [
      'alternates',
      blog.translations
        .map(({ hreflang, url }) => `<link rel="alternate" hreflang="${hreflang}" href="${escapeHtml(url!)}">`)
        .join('')
    ],
    ['og:title', property('og:title', blog.title)],
    ['og:description', property('og:description', blog.metaDescription)],
    ['og:image', property('og:image', blog.ogImageUrl)],
    ['og:type', property('og:type', 'article')],
    ['og:url', property('og:url', `${origin}${path}`)],
    ['dates', property('article:published_time', blog.publishedAt)],
    ['twitter', meta('twitter:card', 'summary_large_image')],
    ['icon', '<link rel="icon" href="/assets/icon.jpg">'],
    ['siteStyles', `${packages.join('')}<style>${style.css}</style>`],
    ['blogStyle', `<style>${blog.cssContent}</style>`],
    ['jsonLd', `<script type="application/ld+json">${blog.schemaOrgJson}</script>`],
    ['extra', '']
  ])
  const page: Page = {
    ...{ origin, path, post, other, status: 200, headers: {}, delayMs: 0 },
    root: { lang: language, dir: blog.dir, ...style.root },
    body: { ...style.body },
    head,
    heading: `<h1>${escapeHtml(blog.title)}</h1>`,
    byline: renderByline(post),
    article: blog.htmlContent,
    ...{ beforeArticle: '', afterArticle: '', bodyStart: '', bodyEnd: '' },
    encode: (html) => html
  }
  style.prepare?.(page)
  return page
}

/** The author and the date in the language of the post. */
function renderByline({ blog }: Post): string {
  const date = new Intl.DateTimeFormat(blog.locale, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(blog.publishedAt)
  )
  const name = escapeHtml(blog.author?.name ?? '')
  return `<p class="byline">${name} · <time datetime="${blog.publishedAt}">${date}</time></p>`
}

const attributes = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('')

export function renderPage(page: Page, style: SiteStyle): string | Buffer {
  const head = HEAD_ELEMENTS.map((name) => page.head.get(name) ?? '').join('\n')
  const body = `${page.bodyStart}\n${style.render(page)}\n${page.bodyEnd}`
  return page.encode(
    `<!doctype html>\n<html${attributes(page.root)}>\n<head>\n${head}\n</head>\n` +
      `<body${attributes(page.body)}>\n${body}\n</body>\n</html>\n`
  )
}
