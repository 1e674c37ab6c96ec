import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { problem } from '../../errors.ts'
import { readMetrics } from '../fixtures/metrics.ts'
import { client, publish, startApp, type Client } from '../helper.ts'

/** A response as it arrived, with its body as bytes. */
interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** Sends a request over a connection: `app.inject` calls Fastify, which is what is to be avoided. */
async function send(
  app: FastifyInstance,
  path: string,
  headers: Record<string, string>,
  method = 'GET'
): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    request(new URL(path, app.listeningOrigin), { method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) })
      )
    })
      .on('error', reject)
      .end()
  })
}

interface Stand {
  app: FastifyInstance
  call: Client
  path: string
  get: (headers?: Record<string, string>, method?: string) => Promise<Answer>
  /** How many requests Fastify has routed. */
  routed: () => number
  id: string
}

/** A service that has cached one blog and its key. */
async function stand(t: Test): Promise<Stand> {
  const app = await startApp(t)
  let routed = 0
  const respond = app.respondDirectly
  app.respondDirectly = (incoming, response, route) =>
    respond(incoming, response, () => {
      routed += 1
      route()
    })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const call = await client(app)
  const { slug, id } = await publish(call, { title: 'Tea', markdown: 'Tea and cake. '.repeat(200) })
  await app.queue.idle()
  const path = `/api/v1/blogs/${slug}`
  const get: Stand['get'] = async (headers = {}, method) =>
    await send(app, path, { 'x-api-key': call.key, ...headers }, method)
  for (let count = 0; count < 2; count++) await get()
  return { app, call, path, get, routed: () => routed, id }
}

/** Changes another blog of the account, so that no cached response is current. */
async function outdateCache({ app, call }: Stand): Promise<void> {
  await app.services.blogs.flushResponses()
  await publish(call, { title: 'News', markdown: 'News.' })
  await app.queue.idle()
}

const remaining = ({ headers }: Answer): number => Number(headers['x-ratelimit-remaining'])

t.test('a cached response is sent without routing, with the headers of a routed one', async (t) => {
  const { app, call, path, get, routed } = await stand(t)
  const before = routed()
  const direct = await get()
  t.equal(routed(), before)
  const injected = await app.inject({ url: path, headers: { 'x-api-key': call.key } })
  t.equal(direct.status, 200)
  t.equal(direct.body.toString(), injected.body)
  const volatile = new Set(['date', 'connection', 'keep-alive', 'x-request-id', 'x-ratelimit-remaining', 'ratelimit'])
  const stable = (headers: object) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !volatile.has(name)))
  t.strictSame(stable(direct.headers), stable(injected.headers))
  for (const name of volatile) t.ok(direct.headers[name], name)
  t.not((await get()).headers['x-request-id'], direct.headers['x-request-id'])
})

t.test('a stored response is sent without routing, with the headers of a routed one', async (t) => {
  const service = await stand(t)
  const { app, call, path, get, routed } = service
  await get({ 'accept-encoding': 'br' })
  const conditions: Record<string, string>[] = [{}, { 'accept-encoding': 'br' }, { 'if-none-match': '*' }]
  for (const headers of conditions) {
    await outdateCache(service)
    const before = routed()
    const direct = await get(headers)
    t.equal(routed(), before, JSON.stringify(headers))
    await outdateCache(service)
    const injected = await app.inject({ url: path, headers: { 'x-api-key': call.key, ...headers } })
    t.equal(direct.status, injected.statusCode)
    t.ok(direct.body.equals(injected.rawPayload))
    const ofRequest = ['date', 'connection', 'keep-alive', 'x-request-id', 'x-ratelimit-remaining', 'ratelimit']
    const stable = (all: object) => Object.entries(all).filter(([name]) => !ofRequest.includes(name))
    t.strictSame(new Map(stable(direct.headers)), new Map(stable(injected.headers)))
    t.equal(Number(injected.headers['x-ratelimit-remaining']), remaining(direct) - 2, 'each request counts once')
  }
})

t.test('a stored response replaces an outdated one in the cache', async (t) => {
  const service = await stand(t)
  const { app, get } = service
  await outdateCache(service)
  const { responseCache } = app.metrics.counts
  const results: string[] = []
  for (let n = 0; n < 4; n++) {
    const { hit } = responseCache
    await get()
    results.push(responseCache.hit > hit ? 'hit' : 'miss')
  }
  t.strictSame(results, ['miss', 'hit', 'hit', 'hit'])
})

t.test('paths without a stored response are routed', async (t) => {
  const service = await stand(t)
  const { app, call, path, routed } = service
  const other = await publish(call, { title: 'Other', slug: 'other', projectId: 'beta', markdown: 'Other.' })
  await call('PATCH', `/api/v1/blogs/${other.id}`, { slug: 'renamed' })
  await app.inject({ url: '/api/v1/blogs/renamed', headers: { 'x-api-key': call.key } })
  const gone = await publish(call, { title: 'Gone', slug: 'gone', markdown: 'Gone.' })
  t.equal((await call('DELETE', `/api/v1/blogs/${gone.id}`)).statusCode, 204)
  await outdateCache(service)
  const statuses: [string, number][] = [
    ['/api/v1/blogs/other', 308],
    ['/api/v1/blogs/gone', 404],
    ['/api/v1/blogs/unknown', 404],
    ['/api/v1/blogs/categories', 200],
    [`${path}?include=related`, 200],
    [`${path}/`, 200]
  ]
  for (const [url, status] of statuses) {
    const before = routed()
    t.equal((await send(app, url, { 'x-api-key': call.key })).status, status, url)
    t.equal(routed(), before + 1, url)
  }
  const { key } = await app.services.apiKeys.create('acme', { name: 'site only', projectIds: ['site'] })
  const confined = { 'x-api-key': key }
  t.equal((await send(app, path, confined)).status, 200)
  t.equal((await send(app, '/api/v1/blogs/renamed', confined)).status, 404)
  const before = routed()
  t.equal((await send(app, '/api/v1/blogs/renamed', { 'x-api-key': call.key })).status, 200)
  t.equal(routed(), before, 'the same blog is stored for a key that may read it')
})

t.test('a store that fails is asked once', async (t) => {
  const service = await stand(t)
  const { app, get } = service
  await outdateCache(service)
  const before = remaining(await get())
  await outdateCache(service)
  let reads = 0
  app.store.blogResponses.find = async () => {
    reads += 1
    throw problem('unavailable', 'The database does not respond.')
  }
  const failed = await get()
  t.strictSame([failed.status, JSON.parse(failed.body.toString()).code, reads], [503, 'unavailable', 1])
  t.equal(remaining(failed), before - 2, 'it counts once')
})

t.test('conditional requests, codings and other methods get what routed requests get', async (t) => {
  const { app, call, path, get, routed } = await stand(t)
  const plain = await get()
  const before = routed()
  const etag = plain.headers.etag as string
  const cases: Record<string, string>[] = [
    { 'if-none-match': etag },
    { 'if-none-match': '"other", W/' + etag },
    { 'if-none-match': '"other"' },
    { 'if-modified-since': plain.headers['last-modified'] as string },
    { 'accept-encoding': 'gzip' },
    { 'accept-encoding': 'br' },
    { 'accept-encoding': 'identity' },
    { 'if-none-match': etag.replace(/"$/, '-br"'), 'accept-encoding': 'br' },
    { accept: 'application/json' }
  ]
  for (const headers of cases) {
    const direct = await get(headers)
    const injected = await app.inject({ url: path, headers: { 'x-api-key': call.key, ...headers } })
    t.equal(direct.status, injected.statusCode, JSON.stringify(headers))
    for (const name of ['etag', 'content-encoding', 'content-length', 'content-type', 'vary', 'cache-control']) {
      t.equal(direct.headers[name], injected.headers[name], `${name} with ${JSON.stringify(headers)}`)
    }
    t.ok(direct.body.equals(injected.rawPayload))
  }
  t.equal(routed(), before)
  t.equal(gunzipSync((await get({ 'accept-encoding': 'gzip' })).body).toString(), plain.body.toString())
  const head = await get({}, 'HEAD')
  t.strictSame([head.status, head.body.length, head.headers['content-length']], [200, 0, String(plain.body.length)])
  t.equal((await get({ accept: 'text/html' })).status, 406)
  t.equal((await get({ expect: '200-ok' })).status, 417)
  t.equal(routed(), before + 3)
})

t.test('each request counts once, whether it is routed or not', async (t) => {
  const { app, call, get, id } = await stand(t)
  const first = remaining(await get())
  t.equal(remaining(await get()), first - 1)
  t.equal(remaining(await get({ 'if-none-match': '*' })), first - 2)
  // The request is counted, then the cached response turns out to be outdated.
  t.equal((await call('PATCH', `/api/v1/blogs/${id}`, { title: 'Coffee' })).statusCode, 200)
  const changed = await get()
  t.match(changed.body.toString(), '"title":"Coffee"')
  t.equal(remaining(changed), first - 4)
  const [hour] = (await usageOf(app)).slice(-1)
  await get()
  await get()
  t.equal((await usageOf(app)).at(-1)!.requests, hour!.requests + 2)
})

async function usageOf(app: FastifyInstance) {
  await app.services.usage.flush()
  return await app.store.usage.hours('acme', '2000')
}

t.test('a key that was revoked, restricted or used up gets no cached response', async (t) => {
  const { app, call, get } = await stand(t)
  const setKey = async (change: object) => await app.services.apiKeys.update('acme', call.keyId, change)
  t.equal((await get()).status, 200)
  await setKey({ scopes: ['products:read'] })
  t.equal((await get()).status, 403)
  await setKey({ scopes: ['blogs:read'] })
  t.equal((await get()).status, 200)
  await app.services.accounts.update('acme', { features: ['products'] })
  t.equal((await get()).status, 403)
  await app.services.accounts.update('acme', { features: ['blogs', 'images'] })
  t.equal((await get()).status, 200)
  await app.services.accounts.update('acme', { requestsPerHour: 1 })
  const limited = await get()
  t.strictSame([limited.status, limited.headers['x-ratelimit-limit']], [429, '1'])
  await app.services.accounts.update('acme', { requestsPerHour: 1000 })
  t.equal((await get()).status, 200)
  await setKey({ disabled: true })
  t.equal((await get()).status, 401)
  await setKey({ disabled: false })
  t.equal((await get()).status, 200)
  t.equal((await get({ 'x-api-key': `${call.key}x` })).status, 401)
  t.equal((await get({ authorization: 'Bearer svc_pk_other' })).status, 401)
})

t.test('a 304 response is refunded if the account does not count it', async (t) => {
  const { app, get } = await stand(t)
  await app.services.accounts.update('acme', { countNotModified: false })
  await get()
  const first = remaining(await get())
  const notModified = await get({ 'if-none-match': '*' })
  t.strictSame([notModified.status, remaining(notModified)], [304, first])
  t.equal(remaining(await get()), first - 1)
})

t.test('direct responses are counted in the metrics of their route', async (t) => {
  const { app, get } = await stand(t)
  const count = async (): Promise<number> => {
    const text = (await readMetrics(app)).split('\n')
    const sample = 'svc_http_requests_total{route="/api/v1/blogs/:slug",method="GET",status="200"} '
    return Number(text.find((line) => line.startsWith(sample))?.slice(sample.length))
  }
  await get()
  const before = await count()
  for (let n = 0; n < 3; n++) await get()
  t.equal(await count(), before + 3)
})
