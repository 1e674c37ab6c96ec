import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildApp } from '../../app.ts'
import { escapeHtml } from '../../lib/html.ts'
import type { Blog } from '../../schemas/blog.ts'
import { DEMO_ACCOUNT } from '../../services/demo/index.ts'
import { getExpectedPage } from '../../services/visual-checks/expected-page.ts'
import type { BenchPage } from './helpers.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'

/** Serves the demo's published blogs on a plain site without defects. The service has their images. */
export async function serveOwnPages(): Promise<BenchPage[]> {
  const dataDir = temporaryFolder('bench-visual-check')
  const app = await buildApp({
    ...process.env,
    MONGODB_URL: undefined,
    REDIS_URL: undefined,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error'
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  if ((await app.seedDemo()) === null) throw new Error('The demo content is missing: set DEMO_CONTENT to on.')
  const blogs = await listPublished(app.services.blogs)

  const server = createServer((request, response) => {
    const blog = blogs.find(({ slug }) => request.url === `/${slug}`)
    response
      .writeHead(blog === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
      .end(blog === undefined ? 'Not found' : renderPage(blog))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return blogs.map((blog) => {
    const url = `${origin}/${blog.slug}`
    return { id: blog.slug, url, expected: getExpectedPage(blog, { url, environment: 'live' }), expectedCodes: [] }
  })
}

async function listPublished(blogs: Awaited<ReturnType<typeof buildApp>>['services']['blogs']): Promise<Blog[]> {
  const reader = { accountId: DEMO_ACCOUNT, projectIds: null }
  const { list } = await blogs.list(reader, { page: 1, pageSize: 100, include: 'content' })
  return list.blogs.map((json) => JSON.parse(json.toString()) as Blog)
}

const SITE_CSS = [
  'body { margin: 0; font: 18px/1.6 Georgia, serif; color: #1b1b1b; background: #fff }',
  'header, footer { padding: 1rem; background: #f2efe9 }',
  'main { max-width: 42rem; margin: 0 auto; padding: 1rem }',
  'img { max-width: 100%; height: auto }'
].join('\n')

/** A page as a customer's site renders the blog. */
function renderPage({
  title,
  htmlContent,
  cssContent,
  metaDescription,
  ogImageUrl,
  canonicalUrl,
  schemaOrgJson,
  locale
}: Blog): string {
  const direction = /^(?:ar|he|fa|ur)\b/.test(locale) ? 'rtl' : 'ltr'
  const canonical = canonicalUrl === null ? '' : `<link rel="canonical" href="${escapeHtml(canonicalUrl)}">`
  return [
    `<!doctype html><html lang="${escapeHtml(locale)}" dir="${direction}"><head><meta charset="utf-8">`,
    `<title>${escapeHtml(title)}</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="description" content="${escapeHtml(metaDescription)}">`,
    `<meta property="og:title" content="${escapeHtml(title)}">`,
    `<meta property="og:image" content="${escapeHtml(ogImageUrl)}">${canonical}`,
    `<script type="application/ld+json">${schemaOrgJson}</script>`,
    `<style>${SITE_CSS}</style><style>${cssContent}</style></head>`,
    '<body><header><a href="/">The journal</a></header>',
    `<main><article><h1>${escapeHtml(title)}</h1>${htmlContent}</article></main>`,
    '<footer><p>All articles</p></footer></body></html>'
  ].join('\n')
}
