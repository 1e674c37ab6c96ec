import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import t, { type Test } from 'tap'
import { createClient, memoryEtagStore, ProblemError } from '../../clients/typescript/src/index.ts'
import { LISTS } from '../../clients/typescript/src/lists.ts'
import { client, publish, sessionToken, startApp } from '../helper.ts'

const SITE = { id: 'site', name: 'Site', siteUrl: 'https://site.example', blogPath: '/journal' }

/** A running service with a key, and a `fetch` that records the requests. */
async function startService(t: Test) {
  const app = await startApp(t)
  const operator = await client(app)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const sent: Array<{ method: string; url: string; status: number }> = []
  const send = async (request: Request) => {
    const response = await fetch(request)
    sent.push({ method: request.method, url: request.url, status: response.status })
    return response
  }
  return { app, operator, url, sent, send, options: { url, key: operator.key, fetch: send } }
}

/** A server that answers as the listener says, such as a proxy in front of the service. */
async function openServer(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

t.test('responses have the types and the values of the API', async (t) => {
  const { app, options, operator } = await startService(t)
  const content = createClient({ ...options, url: `${options.url}/` })
  await app.services.projects.create(operator.account, SITE)
  const post = await content.post('/api/v1/blogs', {
    body: { projectId: 'site', title: 'Winter tea', markdown: 'Black tea.', status: 'published' }
  })
  t.equal(post.status satisfies 'draft' | 'scheduled' | 'published' | 'unpublished', 'published')
  const { slug } = post
  const blog = await content.get('/api/v1/blogs/{slug}', { params: { path: { slug }, query: { include: 'related' } } })
  t.match(blog.htmlContent, /<p>Black tea\.<\/p>/)
  t.match(blog, { title: 'Winter tea', related: [] })
  const changed = await content.patch('/api/v1/blogs/{slug}', { params: { path: { slug } }, body: { slug: 'tea' } })
  t.equal(changed.slug, 'tea')
  const moved = await content.get('/api/v1/blogs/{slug}', { params: { path: { slug } } })
  t.equal(moved.slug, 'tea', 'a former slug leads to the blog')
  t.match(await content.get('/api/v1/blogs/feed.xml'), /^<\?xml/)
  const image = await content.get('/api/v1/blogs/images/{blogId}/{filename}', {
    params: { path: { blogId: post.id, filename: new URL(blog.ogImageUrl).pathname.split('/').at(-1)! } },
    parseAs: 'arrayBuffer'
  })
  t.ok(image.byteLength > 1000)
  t.equal(await content.delete('/api/v1/blogs/{slug}', { params: { path: { slug: 'tea' } } }), undefined)
  const { data, response } = await content.raw.GET('/api/v1/blogs')
  t.equal(data?.totalCount, 0)
  t.match(response.headers.get('x-ratelimit-remaining'), /^\d+$/)

  const token = await sessionToken(operator.account)
  const keys = await createClient({ ...options, key: token }).get('/api/keys')
  t.equal(keys.keys[0]!.id, operator.keyId, 'a session token is sent as a bearer token')
})

t.test('an error response is thrown with its problem document', async (t) => {
  const { options } = await startService(t)
  const content = createClient(options)
  const missing = await content.get('/api/v1/blogs/{slug}', { params: { path: { slug: 'none' } } }).catch((e) => e)
  t.type(missing, ProblemError)
  t.match(missing, { status: 404, code: 'blog_not_found', errors: [], retryAfterSeconds: null })
  t.match(missing.requestId, /^\S{8,}$/)
  t.equal(missing.problem.requestId, missing.requestId)
  const invalid = await content.post('/api/v1/blogs', { body: { projectId: 'site', title: '' } }).catch((e) => e)
  t.match(invalid, { status: 400, code: 'invalid_request', errors: [{ pointer: '/title' }] })
  t.match(invalid.message, '/title', 'the message names the field')
  const url = await openServer(t, (_request, response) => {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
  })
  const proxy = await createClient({ url, key: 'k' })
    .get('/api/v1/blogs')
    .catch((e) => e)
  t.match(proxy, { status: 502, code: 'unknown', problem: null, message: '502 Bad Gateway' })
})

t.test('options that cannot work are errors at once', async (t) => {
  for (const url of ['', 'content.example.com', 'ftp://content.example.com']) {
    t.throws(() => createClient({ url, key: 'k' }), /^url is .* Pass the URL of the service/, url)
  }
  for (const key of ['', 'two words', undefined as unknown as string]) {
    t.throws(() => createClient({ url: 'http://127.0.0.1', key }), /^key is not an API key/, key)
  }
})

t.test('iterate() returns every item of a list once', async (t) => {
  const { operator, options, sent } = await startService(t)
  for (let n = 0; n < 7; n++) await publish(operator, { title: `Blog ${n}` })
  const content = createClient(options)
  const blogs = content.iterate('/api/v1/blogs', { params: { query: { pageSize: 3, sort: 'title' } } })
  const titles = []
  for await (const { title } of blogs) titles.push(title satisfies string)
  t.same(
    titles,
    [0, 1, 2, 3, 4, 5, 6].map((n) => `Blog ${n}`)
  )
  t.equal(sent.length, 3)
  t.ok(sent.slice(1).every(({ url }) => url.includes('cursor=')))

  const products = [1, 2, 3, 4, 5].map((n) => ({ externalId: `p-${n}`, title: `Tea ${n}` }))
  await content.post('/api/v1/products/batch', { body: { projectId: 'shop', products } })
  const seen = []
  for await (const { externalId } of content.iterate('/api/v1/products', { params: { query: { pageSize: 2 } } })) {
    seen.push(externalId)
  }
  t.same(seen.sort(), ['p-1', 'p-2', 'p-3', 'p-4', 'p-5'], 'by page number')

  const key = await sessionToken(operator.account)
  const events = []
  for await (const event of createClient({ ...options, key }).iterate('/api/events', {
    params: { query: { limit: 3, type: ['blog.published'] } }
  })) {
    events.push(event.data)
  }
  t.equal(events.length, 7, 'by sequence')
  const changes = []
  for await (const { action } of createClient({ ...options, key }).iterate('/api/audit', {
    params: { query: { pageSize: 3, action: 'blog.created' } }
  })) {
    changes.push(action)
  }
  t.equal(changes.length, 7)

  const { paths } = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../docs/openapi.json'), 'utf8'))
  const parameters = (name: string): Array<{ name?: string }> => paths[name].get?.parameters ?? []
  const isList = (name: string) => parameters(name).some((one) => ['page', 'cursor', 'after'].includes(one.name ?? ''))
  const documented = Object.keys(paths).filter((name) => isList(name) && !/sitemap|preview/.test(name))
  t.same(documented.toSorted(), Object.keys(LISTS).toSorted(), 'every list of the API can be iterated')
})

t.test('a stored response is sent again only if it has changed', async (t) => {
  const { app, operator, options, sent } = await startService(t)
  await app.services.projects.create(operator.account, SITE)
  await publish(operator, { title: 'Winter tea' })
  const etags = memoryEtagStore()
  const content = createClient({ ...options, etags })
  const first = await content.get('/api/v1/blogs')
  t.same(await content.get('/api/v1/blogs'), first)
  await publish(operator, { title: 'Summer tea' })
  t.equal((await content.get('/api/v1/blogs')).totalCount, 2)
  t.same(
    await createClient({ ...options, etags }).get('/api/v1/blogs/feed.xml'),
    await content.get('/api/v1/blogs/feed.xml')
  )
  t.same(
    sent.map(({ status }) => status),
    [200, 304, 200, 200, 304]
  )
  const fresh = createClient({ ...options, etags: false })
  await fresh.get('/api/v1/blogs')
  await fresh.get('/api/v1/blogs')
  t.same(
    sent.slice(5).map(({ status }) => status),
    [200, 200],
    'without a store'
  )

  const small = memoryEtagStore({ maxCharacters: 10 })
  const entry = (body: string) => ({ etag: '"1"', contentType: 'application/json', body })
  await small.set('a', entry('12345'))
  await small.set('b', entry('12345'))
  await small.get('a')
  await small.set('c', entry('12345'))
  t.same(
    ['a', 'b', 'c'].map((url) => (small.get(url) === undefined ? '' : url)),
    ['a', '', 'c']
  )
  await small.set('d', entry('12345678901'))
  t.equal(small.get('d'), undefined, 'a body beyond the limit is not stored')
})

t.test('the hourly limit is an error with the time to wait, unless the wait is short', async (t) => {
  const { app, operator, options } = await startService(t)
  await app.services.accounts.update(operator.account, { plan: 'starter' })
  const content = createClient(options)
  let error: unknown
  for (let n = 0; n <= 100 && error === undefined; n++) {
    await content.get('/api/v1/blogs/tags').catch((thrown: unknown) => {
      error = thrown
    })
  }
  t.type(error, ProblemError)
  const { code, retryAfterSeconds } = error as ProblemError
  t.equal(code, 'rate_limited')
  t.ok(retryAfterSeconds! > 60, 'it was thrown without waiting')
})

t.test('idempotent requests are repeated after the time in Retry-After', async (t) => {
  const { url: target } = await startService(t)
  let failures = 0
  const received: string[] = []
  const bodies: string[] = []
  const url = await openServer(t, async (request, response) => {
    received.push(`${request.method} ${request.url}`)
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    if (failures-- > 0) {
      response.writeHead(503, { 'retry-after': '0' }).end()
      return
    }
    const answer = await fetch(`${target}/health/live`)
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  const content = createClient({ url, key: 'k', retry: { attempts: 3 } })
  const times = async (call: Promise<unknown>) => {
    const result = await call.then(
      () => 'completed',
      (error: ProblemError) => error.status
    )
    return [result, received.splice(0).length]
  }
  failures = 2
  t.same(await times(content.get('/health/live')), ['completed', 3])
  failures = 3
  t.same(await times(content.get('/health/live')), [503, 3], 'attempts are limited')
  failures = 1
  const body = { projectId: 'site', title: 'Tea' }
  t.same(await times(content.post('/api/v1/blogs', { body })), [503, 1], 'a POST may not be repeated')
  failures = 1
  bodies.length = 0
  const params = { header: { 'Idempotency-Key': randomUUID() } }
  t.same(await times(content.post('/api/v1/blogs', { body, params })), ['completed', 2], 'unless it has a key')
  t.same(
    bodies.map((text) => JSON.parse(text)),
    [body, body],
    'with the same body'
  )
  failures = 1
  t.same(await times(createClient({ url, key: 'k', retry: false }).get('/health/live')), [503, 1])

  failures = 0
  const gone = await openServer(t, (request) => request.socket.destroy())
  const started = performance.now()
  await t.rejects(createClient({ url: gone, key: 'k', retry: { attempts: 2 } }).get('/health/live'), TypeError)
  t.ok(performance.now() - started >= 450, 'a failed connection is tried again after a delay')

  const busy = await openServer(t, (_request, response) => {
    response.writeHead(429, { 'retry-after': new Date(Date.now() + 30_000).toUTCString() }).end()
  })
  const stop = new AbortController()
  const waiting = createClient({ url: busy, key: 'k' }).get('/health/live', { signal: stop.signal })
  setTimeout(() => stop.abort(new Error('stopped')), 50)
  await t.rejects(waiting, /stopped/, 'a signal ends the wait')
  const once = await createClient({ url: busy, key: 'k', retry: { maxWaitSeconds: 10 } })
    .get('/health/live')
    .catch((e) => e)
  t.match(once, { status: 429 }, 'a longer wait is an error at once')

  const silent = await openServer(t, () => {})
  const slow = createClient({ url: silent, key: 'k', timeoutSeconds: 0.05, retry: false })
  await t.rejects(slow.get('/health/live'), { name: 'TimeoutError' })
})
