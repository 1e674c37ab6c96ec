import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { client, publish, startApp } from '../helper.ts'

/** Makes changes wait until the returned function is called. */
function holdChanges(app: FastifyInstance): () => void {
  const { writeDelay } = app.store
  const starts: (() => void)[] = []
  app.store.writeDelay = () => {
    const { promise: ready, resolve } = Promise.withResolvers<boolean>()
    starts.push(() => resolve(true))
    return { ready, release: () => resolve(false) }
  }
  return () => {
    app.store.writeDelay = writeDelay
    for (const start of starts) start()
  }
}

async function setUp(t: Test) {
  const app = await startApp(t)
  const call = await client(app)
  const product = (n: number) => ({ projectId: 'site', externalId: `p-${n}`, title: `Product ${n}` })
  await call('POST', '/api/v1/products', product(0))
  return { app, call, product }
}

t.test('changes that wait for the store take no place of reads', async (t) => {
  const { app, call, product } = await setUp(t)
  const { id, slug } = await publish(call, { title: 'First' })
  const release = holdChanges(app)
  const statuses: number[] = []
  const note = ({ statusCode }: { statusCode: number }) => statuses.push(statusCode)
  const changes = [
    ...Array.from({ length: 20 }, () => call('PATCH', `/api/v1/blogs/${slug}`, { title: 'Changed' })),
    ...Array.from({ length: 20 }, () => call('POST', '/api/v1/products/optimize', { projectId: 'site' })),
    ...Array.from({ length: 20 }, (_, n) => call('POST', '/api/v1/products', product(n + 1)))
  ].map(async (response) => note(await response))
  await setTimeout(200)
  for (const url of [`/api/v1/blogs/by-id/${id}`, '/api/v1/products', '/api/v1/blogs']) {
    const ended = await Promise.race([call('GET', url), setTimeout(1_500, null)])
    t.equal(ended?.statusCode, 200, url)
  }
  t.same(statuses, [])
  release()
  await Promise.all(changes)
  t.equal(statuses.length, 60)
  t.ok(statuses.every((status) => status < 300))
})

t.test('a change whose client has left is not made', async (t) => {
  const { app, call, product } = await setUp(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const release = holdChanges(app)
  const sent = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/v1/products',
    headers: { 'x-api-key': call.key, 'content-type': 'application/json' }
  })
  sent.on('error', () => {})
  sent.end(JSON.stringify(product(1)))
  await setTimeout(300)
  const closed = new Promise((resolve) => sent.once('close', resolve))
  sent.destroy()
  await closed
  await setTimeout(200)
  release()
  await setTimeout(200)
  const { products } = (await call('GET', '/api/v1/products')).json<{ products: unknown[] }>()
  t.equal(products.length, 1)
})

t.test('a change that waits too long, or with too many others, gets 503', async (t) => {
  const { app, call, product } = await setUp(t)
  const release = holdChanges(app)
  t.teardown(release)
  const startedMs = performance.now()
  const waiting = Array.from({ length: 1_000 }, (_, n) => call('POST', '/api/v1/products', product(n)))
  const busy = { status: 503, code: 'busy' }
  // Requests of an account are parsed in turns.
  let statuses: number[] = []
  for (let tries = 0; tries < 50 && statuses.length === 0; tries++) {
    await setTimeout(100)
    const response = await Promise.race([call('POST', '/api/v1/products', product(0)), setTimeout(50, null)])
    if (response === null) continue
    t.match(response.json(), busy)
    statuses = [response.statusCode]
  }
  t.same(statuses, [503], 'one too many')
  const ended = await Promise.all(waiting)
  t.same(new Set(ended.map(({ statusCode }) => statusCode)), new Set([503]))
  t.match(ended[0]!.headers, { 'retry-after': '1' })
  t.ok(performance.now() - startedMs > 9_000)
})
