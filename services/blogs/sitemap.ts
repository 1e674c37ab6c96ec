import type { BlogListItem } from '../../schemas/blog.ts'
import { element, xmlDocument } from './xml.ts'

/**
 * A sitemap may have 50 MB (https://www.sitemaps.org/protocol.html). Beyond these lengths, images and
 * then translations are left out: URLs are more important.
 */
const MAX_LENGTH_WITH_IMAGES = 20_000_000
const MAX_LENGTH_WITH_TRANSLATIONS = 40_000_000
/**
 * The maximum of images for a URL
 * (https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps).
 */
const MAX_IMAGES = 1_000

/** An index of so many sitemaps, whose URLs are this URL with the parameter `page`. */
export function renderSitemapIndex(url: string, pages: number): string {
  const sitemaps = Array.from({ length: pages }, (_, index) => {
    const location = new URL(url)
    location.searchParams.set('page', String(index + 1))
    return `<sitemap>${element('loc', location.href)}</sitemap>`
  })
  return xmlDocument(
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...sitemaps,
    '</sitemapindex>'
  )
}

/**
 * A sitemap of the blogs whose pages are on this origin, with their images and translations, in UTF-8: a text of 40 MB
 * would be joined and encoded in one step.
 */
export async function renderSitemap(blogs: AsyncIterable<BlogListItem>, origin: string): Promise<Buffer> {
  const urls: Buffer[] = []
  let length = 0
  const isOwn = (url: string | null): url is string => url !== null && new URL(url).origin === origin
  for await (const blog of blogs) {
    if (!isOwn(blog.canonicalUrl)) continue
    const translations = length > MAX_LENGTH_WITH_TRANSLATIONS ? [] : blog.translations
    const alternates = translations.map(({ hreflang, url }) =>
      url === null ? '' : element('xhtml:link', '', { rel: 'alternate', hreflang, href: url })
    )
    const images = length > MAX_LENGTH_WITH_IMAGES ? [] : imagesOf(blog)
    const url = [
      '<url>',
      element('loc', blog.canonicalUrl),
      element('lastmod', blog.updatedAt),
      ...alternates,
      ...images.map((image) => `<image:image>${element('image:loc', image)}</image:image>`),
      '</url>'
    ].join('')
    length += url.length
    urls.push(Buffer.from(url))
  }
  const namespaces = [
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"',
    'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"',
    'xmlns:xhtml="http://www.w3.org/1999/xhtml"'
  ]
  const start = xmlDocument(`<urlset ${namespaces.join(' ')}>`).trimEnd()
  return Buffer.concat([Buffer.from(start), ...urls, Buffer.from('</urlset>\n')])
}

/** The images of the page, each once: the cover, and those of the text. */
function imagesOf({ cover, images }: BlogListItem): string[] {
  const urls = [...(cover === null ? [] : [cover.url]), ...images.map(({ url }) => url)]
  return [...new Set(urls)].slice(0, MAX_IMAGES)
}
