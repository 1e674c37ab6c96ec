import { readContent } from '../../lib/content.ts'

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** All posts with their last change. The sitemap of the service also has images, and takes one more request. */
export async function GET(): Promise<Response> {
  const { posts } = await readContent()
  const urls = posts
    .filter(({ canonicalUrl }) => canonicalUrl !== null)
    .map((post) => `<url><loc>${escapeXml(post.canonicalUrl!)}</loc><lastmod>${post.updatedAt}</lastmod></url>`)
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`
  return new Response(text, { headers: { 'content-type': 'application/xml; charset=utf-8' } })
}
