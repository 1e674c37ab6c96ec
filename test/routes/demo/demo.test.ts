import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import t from 'tap'
import { person, startApp } from '../../helper.ts'
import type { Delivery } from '../../../schemas/webhook.ts'

const POST = '/demo/lanternhill-cycles/workshop/notes/chain-care-in-fifteen-minutes'

const app = await startApp(t, { HOST: '127.0.0.1', PORT: '0' })
await app.listen({ host: '127.0.0.1', port: 0 })
const key = await app.seedDemo()
const get = async (url: string) => await app.inject({ url, headers: { 'x-api-key': key! } })

/** Waits until `read` returns a value. */
async function eventually<Value>(read: () => Promise<Value | null>): Promise<Value> {
  for (;;) {
    const value = await read()
    if (value !== null) return value
    await wait(50)
  }
}

t.test('a post is shown on the website of its company, with its translations and metadata', async (t) => {
  const page = await app.inject(POST)
  t.equal(page.statusCode, 200)
  t.match(page.headers, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': /default-src 'none'/ })
  const url = (slug: string) => `${app.publicUrl}/demo/lanternhill-cycles/workshop/notes/${slug}`
  for (const [hreflang, slug] of [
    ['de', 'kettenpflege-in-fuenfzehn-minuten'],
    ['en', 'chain-care-in-fifteen-minutes'],
    ['ja', 'chain-no-teire']
  ] as const) {
    t.match(page.body, `<link rel="alternate" hreflang="${hreflang}" href="${url(slug)}">`)
    t.equal((await app.inject(new URL(url(slug)).pathname)).statusCode, 200, slug)
  }
  t.match(page.body, `<link rel="canonical" href="${url('chain-care-in-fifteen-minutes')}">`)
  t.match(page.body, '<meta name="description" content="Clean and oil')
  t.match(page.body, 'data-svc-blog=')
  const sitemap = await get('/api/v1/blogs/sitemap.xml?projectId=lanternhill-cycles')
  t.match(sitemap.body, `hreflang="ja" href="${url('chain-no-teire')}"`)
})

t.test('the websites have lists, and answer unknown pages with 404', async (t) => {
  t.match((await app.inject('/demo')).body, 'href="/demo/harbor-coffee/journal"')
  t.match(await app.inject('/demo/harbor-coffee/'), {
    statusCode: 302,
    headers: { location: '/demo/harbor-coffee/journal' }
  })
  const list = await app.inject('/demo/harbor-coffee/journal')
  t.match(list.body, 'href="/demo/harbor-coffee/journal/qahwa-bil-hail"')
  t.notMatch(list.body, 'autumn-blend-tasting-notes', 'a draft is not listed')
  for (const url of [
    '/demo/harbor-coffee/journal/autumn-blend-tasting-notes',
    '/demo/harbor-coffee/journal/none',
    '/demo/harbor-coffee/other',
    '/demo/acme/journal',
    '/demo/drawing/products/svg.ts',
    '/demo/harbor-coffee/products/none.webp',
    '/demo/harbor-coffee/products/..%2fposts%2fqahwa-bil-hail.md'
  ]) {
    t.equal((await app.inject(url)).statusCode, 404, url)
  }
})

t.test('the pictures of products are served, and their check finds nothing', async (t) => {
  const products = await eventually(async () => {
    const { products } = (await get('/api/v1/products?pageSize=100')).json() as {
      products: { externalId: string; imageUrl: string | null; warnings: { code: string }[] }[]
    }
    const { items } = await app.store.products.pendingProjects('imageCheck', { after: null, limit: 1 })
    return items.length === 0 ? products : null
  })
  t.strictSame(
    products.flatMap(({ externalId, warnings }) =>
      warnings.filter(({ code }) => code.startsWith('picture_')).map(({ code }) => `${externalId} ${code}`)
    ),
    []
  )
  const urls = new Set(products.flatMap(({ imageUrl }) => imageUrl ?? []))
  t.ok(urls.size >= 50, 'the products have pictures of their own')
  for (const url of urls) {
    t.ok(url.startsWith(`${app.publicUrl}/demo/`), url)
    const picture = await app.inject(new URL(url).pathname)
    t.equal(picture.headers['content-type'], 'image/webp')
    t.match(await sharp(picture.rawPayload).metadata(), { format: 'webp', width: 640, height: 640 })
  }
})

t.test('events are delivered to the receiver, which accepts signed requests only', async (t) => {
  const call = await person(app, 'demo')
  const [webhook] = (await call('GET', '/api/webhooks')).json().webhooks
  t.match(webhook, { url: `${app.publicUrl}/demo/receivers/${webhook.id}`, status: 'enabled' })
  const deliveries = await eventually(async () => {
    const list = (await call('GET', `/api/webhooks/${webhook.id}/deliveries`)).json().deliveries as Delivery[]
    const isComplete = ['blog.published', 'products.optimized'].every((type) =>
      list.some(({ event, status }) => event === type && status === 'delivered')
    )
    return isComplete ? list : null
  })
  // Products that the check of pictures changes have another event, which is delivered later.
  const delivered = deliveries.find(({ status }) => status === 'delivered')!
  const { attemptLog } = (await call('GET', `/api/webhooks/deliveries/${delivered.id}`)).json()
  t.match(attemptLog, [{ status: 200, response: '{"received":true}' }])
  const post = async (url: string, headers: Record<string, string>) =>
    await app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      payload: '{}'
    })
  const path = `/demo/receivers/${webhook.id}`
  for (const [url, headers] of [
    [path, {}],
    [path, { 'x-svc-signature': 'sha256=' }],
    [path, { 'x-svc-signature': `sha256=${'0'.repeat(64)}` }],
    ['/demo/receivers/none', { 'x-svc-signature': `sha256=${'0'.repeat(64)}` }]
  ] as const) {
    t.match(await post(url, headers), { statusCode: 401, body: '{"received":false}' })
  }
})

t.test('only public pages of this service may be opened over plain http', async (t) => {
  const reason = (path: string) => app.outbound.blockedReason(`${app.publicUrl}${path}`)
  t.equal(reason(POST), null)
  t.equal(reason('/api/v1/blogs/images/x/y.webp'), null)
  for (const path of ['/', '/metrics', '/api/v1/blogs', '/demo', '/demo/../metrics']) t.ok(reason(path), path)
})

t.test('without the demo, there are no websites, and their addresses are blocked', async (t) => {
  const other = await startApp(t, { DEMO_CONTENT: 'off' })
  t.equal(await other.seedDemo(), null)
  t.equal((await other.inject('/demo')).statusCode, 404)
  t.ok(other.outbound.blockedReason(`${other.publicUrl}/demo/harbor-coffee/journal`))
})
