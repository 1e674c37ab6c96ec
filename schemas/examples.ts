import { blogExamples } from './examples/blogs.ts'
import { peopleExamples } from './examples/people.ts'
import { failedRows, importFile, productExamples } from './examples/products.ts'
import { queueExamples } from './examples/queues.ts'
import { visualCheckExamples, waitingCheck } from './examples/visual-checks.ts'
import { webhookExamples } from './examples/webhooks.ts'

/** An example of every noun, by its name; each is valid against its schema. */
export const schemaExamples: Readonly<Record<string, unknown>> = {
  ...blogExamples,
  ...peopleExamples,
  ...productExamples,
  ...queueExamples,
  ...visualCheckExamples,
  ...webhookExamples
}

const readiness = { 200: { status: 'ok', missing: [] } }
const moved = { code: 'slug_moved', slug: 'brewing-better-coffee' }
const lines = (...rows: unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

/**
 * Examples of bodies that are not one noun: by operation, then by status (`request` for what is
 * sent), or by status and type where each type has its own.
 */
export const inlineExamples: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  getBlog: { 308: moved },
  listRelatedBlogs: { 308: moved },
  publishBlog: { request: { publishAt: '2026-02-02T07:30:00.000Z' } },
  previewBlog: {
    200: {
      url: 'https://content.harbour-coffee.example/api/v1/blogs/0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11/preview?token=1769936400.Zk3v9q',
      expiresAt: '2026-02-01T09:00:00.000Z'
    }
  },
  showBlogPreview: {
    200: '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Brewing better coffee</title>\n…\n</html>\n'
  },
  getRssFeed: {
    200: '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>Harbour Coffee</title><link>https://harbour-coffee.example/journal</link><item><title>Brewing better coffee</title><link>https://harbour-coffee.example/journal/brewing-better-coffee</link></item></channel></rss>\n'
  },
  getJsonFeed: {
    200: {
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Harbour Coffee',
      home_page_url: 'https://harbour-coffee.example/journal',
      items: [
        {
          id: 'urn:uuid:0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11',
          url: 'https://harbour-coffee.example/journal/brewing-better-coffee',
          title: 'Brewing better coffee',
          content_text: 'Three dials decide about a cup of filter coffee: water, coffee and time.',
          date_published: '2026-01-31T09:00:00.000Z'
        }
      ]
    }
  },
  getSitemap: {
    200: '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://harbour-coffee.example/journal/brewing-better-coffee</loc><lastmod>2026-01-31T09:00:00.000Z</lastmod></url></urlset>\n'
  },
  importBlogs: { 200: { results: [schemaExamples.BlogImportResult] } },
  checkBlogVisually: { 202: waitingCheck },
  optimizeProducts: { 202: { queued: 73 } },
  resealSecrets: { 200: { webhooks: 12, reencrypted: 14, unreadable: 0 } },
  createProductImport: importFile,
  createProductImportFor: importFile,
  getProductImportErrors: failedRows,
  getProductImportErrorsFor: failedRows,
  listEvents: { 200: { events: [schemaExamples.Event], next: 42 } },
  exportEverything: {
    200: lines(
      { type: 'account', record: { id: 'acme', plan: 'sage' } },
      { type: 'project', record: { id: 'harbour-coffee', name: 'Harbour Coffee' } }
    )
  },
  getHealth: readiness,
  getLiveness: { 200: { status: 'ok' } },
  getReadiness: readiness,
  getMetrics: {
    200: '# HELP svc_http_requests_total Requests that were answered\n# TYPE svc_http_requests_total counter\nsvc_http_requests_total{route="/api/v1/blogs/:slug",method="GET",status="200"} 1027\n'
  }
}
