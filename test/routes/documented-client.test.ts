import type { AddressInfo } from 'node:net'
import t from 'tap'
import { eventually, openReceiver } from '../fixtures/webhooks/receiver.ts'
import { client, person, publish, sessionToken, startApp } from '../helper.ts'

/**
 * A client that uses only what the customer's interface document states: paths, headers, fields and
 * status codes. It uses `fetch`, and ignores all other fields and headers.
 */
t.test('a client of the documented interface works', async (t) => {
  const app = await startApp(t, { OUTBOUND_ALLOW: '127.0.0.1' })
  const operator = await client(app)
  const blog = await publish(operator, { title: 'Winter tea', category: 'Tea', tags: ['black tea', 'winter'] })
  await publish(operator, { title: 'Winter tea for two', category: 'Tea', tags: ['black tea', 'winter'] })
  const draft = await operator('POST', '/api/v1/blogs', { projectId: 'site', title: 'Draft', markdown: 'A draft.' })
  const receiver = await openReceiver(t)
  const webhook = await (await person(app, 'acme'))('POST', '/api/webhooks', {
    url: receiver.url,
    events: ['products.optimized']
  })
  receiver.knows(webhook.json().secret)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

  const send = async (method: string, path: string, headers: Record<string, string>, body?: object) => {
    const text = body === undefined ? null : JSON.stringify(body)
    const response = await fetch(base + path, { method, headers, body: text })
    for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
      t.match(response.headers.get(name), /^\d+$/, `${method} ${path}: ${name}`)
    }
    const content = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { status: response.status, body: isJson ? JSON.parse(content) : content }
  }

  const user = { authorization: `Bearer ${await sessionToken('acme')}` }
  const json = { 'content-type': 'application/json' }
  const created = await send('POST', '/api/keys', { ...user, ...json }, { name: 'Website' })
  const record = created.body
  t.match(record.key, /^svc_pk_[A-Za-z0-9]{20,}$/, 'the key is displayed when it is created')
  const key: string = record.key
  t.ok(
    ['blogs:read', 'blogs:write', 'products:read', 'products:write', 'images:read'].every((scope) =>
      record.scopes.includes(scope)
    )
  )
  t.equal((await send('GET', '/api/keys', user)).status, 200)

  const alternatives: Record<string, string>[] = [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }]
  for (const headers of alternatives) {
    const { status, body } = await send('GET', '/api/v1/blogs?page=1&pageSize=10', headers)
    t.equal(status, 200)
    t.match(body, { totalCount: 2, page: 1, totalPages: 1 })
    t.same(body.blogs.map(({ title }: { title: string }) => title).sort(), ['Winter tea', 'Winter tea for two'])
    for (const summary of body.blogs) t.ok(summary.slug !== '' && summary.metaDescription !== '')
  }
  const credentials = { 'x-api-key': key }
  const detail = (await send('GET', `/api/v1/blogs/${blog.slug}`, credentials)).body
  for (const name of ['title', 'slug', 'metaDescription', 'ogImageUrl', 'publishedAt', 'htmlContent', 'cssContent']) {
    t.type(detail[name], 'string', name)
  }
  t.type(JSON.parse(detail.schemaOrgJson), 'object')
  t.ok(Number.isInteger(detail.wordCount))
  t.match(detail.id, /^[0-9a-f]{8}-[0-9a-f-]{27}$/)
  t.equal((await send('GET', '/api/v1/blogs/no-such-blog', credentials)).status, 404)
  t.equal((await send('GET', `/api/v1/blogs/${draft.json().slug}`, credentials)).status, 404)
  const related = (await send('GET', `/api/v1/blogs/${blog.slug}/related?limit=3`, credentials)).body
  t.match(related, [{ title: 'Winter tea for two', slug: 'winter-tea-for-two' }])
  t.same((await send('GET', '/api/v1/blogs/categories', credentials)).body, [{ category: 'Tea', count: 2 }])
  const image = await send('GET', new URL(detail.ogImageUrl as string).pathname, {})
  t.equal(image.status, 200, 'images need no credential')

  const product = {
    projectId: 'shop',
    externalId: 'p-1',
    sku: 'TEA-1',
    title: 'Black tea, 100 g',
    description: 'Loose black tea from the first harvest of the year, packed in a tin that keeps it dry for months.',
    price: 9.5,
    category: 'Food > Tea'
  }
  t.ok([200, 201].includes((await send('POST', '/api/v1/products', { ...credentials, ...json }, product)).status))
  const { projectId: _, ...first } = product
  const batch = { projectId: 'shop', products: [first, { ...first, externalId: 'p-2', sku: 'TEA-2', price: 12 }] }
  t.match((await send('POST', '/api/v1/products/batch', { ...credentials, ...json }, batch)).body, {
    created: 1,
    updated: 1
  })
  t.equal((await send('GET', '/api/v1/products?projectId=shop&page=1&pageSize=10', credentials)).status, 200)

  await eventually(async () => receiver.received.length > 0, 'a delivery of products.optimized')
  t.same(receiver.refused, [], 'the signatures are valid')
  const [delivery] = receiver.received
  t.equal(delivery!.event, 'products.optimized')
  for (const entry of delivery!.envelope.data.products as Record<string, unknown>[]) {
    t.type(entry.external_id, 'string')
    for (const name of ['meta_title', 'meta_description', 'page_title', 'page_description', 'handle']) {
      t.type(entry[name], 'string', name)
    }
    t.ok('image_url' in entry)
  }

  const readOnly = (await send('POST', '/api/keys', { ...user, ...json }, { name: 'R', scopes: ['blogs:read'] })).body
    .key
  t.equal((await send('GET', '/api/v1/products', { 'x-api-key': readOnly })).status, 403)
  t.equal((await send('GET', '/api/v1/blogs', {})).status, 401)
  const rotated = await send('POST', `/api/keys/${record.id}/rotate`, user)
  const next: string = rotated.body.key
  t.equal((await send('GET', '/api/v1/blogs', credentials)).status, 401, 'the old value stops working at once')
  t.equal((await send('GET', '/api/v1/blogs', { 'x-api-key': next })).status, 200)
  t.ok((await send('DELETE', `/api/keys/${record.id}`, user)).status < 300)
  t.equal((await send('GET', '/api/v1/blogs', { 'x-api-key': next })).status, 401)
})
