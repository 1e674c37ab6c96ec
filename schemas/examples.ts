import { blogExamples } from './examples/blogs.ts'
import { DEMO } from './examples/demo.ts'
import { peopleExamples } from './examples/people.ts'
import { failedRows, importFile, productExamples } from './examples/products.ts'
import { queueExamples } from './examples/queues.ts'
import { visualCheckExamples, waitingCheck } from './examples/visual-checks.ts'
import { webhookExamples } from './examples/webhooks.ts'

/** An example of every named schema. Each is valid against its schema. */
export const schemaExamples: Readonly<Record<string, unknown>> = {
  ...blogExamples,
  ...peopleExamples,
  ...productExamples,
  ...queueExamples,
  ...visualCheckExamples,
  ...webhookExamples
}

const SERVICE = 'https://content.harbor-coffee.example'
const JOURNAL = 'https://harbor-coffee.example/journal'
const toText = (...lines: string[]) => lines.map((line) => `${line}\n`).join('')
const readiness = { 200: { status: 'ok', missing: [] } }
const moved = { code: 'slug_moved', slug: DEMO.slug }
const lines = (...rows: unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

const visualCheckReport = toText(
  '<!doctype html>',
  '<html lang="en">',
  '<meta charset="utf-8">',
  `<title>70 of 100: https://harbor-coffee.example/journal/${DEMO.slug}</title>`,
  '…',
  '</html>'
)

/**
 * Examples of bodies without a named schema: by operation, then by status, or by status and media
 * type. The status of a request body is `request`.
 */
export const inlineExamples: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  getBlog: { 308: moved },
  listRelatedBlogs: { 308: moved },
  exportProducts: {
    200:
      'Handle,Title,SEO Title,SEO Description\r\n' +
      'quay-blend,Quay Blend coffee beans,Quay Blend coffee beans | Harbor Coffee,Milk chocolate and hazelnut.\r\n'
  },
  exportProductsFor: {
    200:
      'Handle,Title,SEO Title,SEO Description\r\n' +
      'quay-blend,Quay Blend coffee beans,Quay Blend coffee beans | Harbor Coffee,Milk chocolate and hazelnut.\r\n'
  },
  publishBlog: { request: { publishAt: '2026-02-02T07:30:00.000Z' } },
  previewBlog: {
    200: {
      url: `${SERVICE}/api/v1/blogs/${DEMO.blogId}/preview?token=1769936400.Zk3v9q`,
      token: '1769936400.Zk3v9q',
      expiresAt: '2026-02-01T09:00:00.000Z'
    }
  },
  getVisualCheckReport: { 200: visualCheckReport },
  getVisualCheckReportFor: { 200: visualCheckReport },
  showBlogPreview: {
    200: toText(
      '<!doctype html>',
      '<html lang="en">',
      '<meta charset="utf-8">',
      '<title>A pour-over that tastes the same every morning</title>',
      '…',
      '</html>'
    )
  },
  getRssFeed: {
    200: toText(
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<rss version="2.0"><channel><title>Harbor Coffee</title><link>${JOURNAL}</link>` +
        `<item><title>${blogExamples.Blog.title}</title><link>${JOURNAL}/${DEMO.slug}</link></item></channel></rss>`
    )
  },
  getJsonFeed: {
    200: {
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Harbor Coffee',
      home_page_url: 'https://harbor-coffee.example/journal',
      items: [
        {
          id: `urn:uuid:${DEMO.blogId}`,
          url: `${JOURNAL}/${DEMO.slug}`,
          title: 'A pour-over that tastes the same every morning',
          content_text: 'Water, coffee and time are three dials.',
          date_published: '2025-02-11T07:30:00.000Z'
        }
      ]
    }
  },
  getSitemap: {
    200: toText(
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">' +
        `<url><loc>${JOURNAL}/${DEMO.slug}</loc><lastmod>2026-01-31T09:00:00.000Z</lastmod></url></urlset>`
    )
  },
  importBlogs: { 200: { results: [schemaExamples.BlogImportResult] } },
  checkBlogVisually: { 202: waitingCheck },
  optimizeProducts: { 202: { queued: 73 } },
  optimizeProductsFor: { 202: { queued: 73 } },
  rotateSecretsKey: { 200: { webhooks: 12, reencrypted: 14, unreadable: 0 } },
  createProductImport: importFile,
  createProductImportFor: importFile,
  getProductImportErrors: failedRows,
  getProductImportErrorsFor: failedRows,
  listEvents: { 200: { events: [schemaExamples.EventLogEntry], next: 42 } },
  exportEverything: {
    200: lines(
      { type: 'account', record: { id: DEMO.accountId, plan: 'samurai' } },
      { type: 'project', record: { id: 'harbor-coffee', name: 'Harbor Coffee' } }
    )
  },
  getHealth: { 200: { ...readiness[200], browser: { sandbox: 'on' } } },
  getLiveness: { 200: { status: 'ok' } },
  getReadiness: readiness,
  getMetrics: {
    200: toText(
      '# HELP svc_http_requests_total HTTP responses by route pattern, method and status',
      '# TYPE svc_http_requests_total counter',
      'svc_http_requests_total{route="/api/v1/blogs/:slug",method="GET",status="200"} 1027'
    )
  }
}
