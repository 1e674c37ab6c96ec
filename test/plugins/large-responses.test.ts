import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import t from 'tap'
import { client, person, publish, startApp } from '../helper.ts'

/** Larger than what the buffers of a connection take. */
const PRODUCTS = 50
const LIST = '/api/v1/products?pageSize=100&projectId=shop'

t.test('responses that an account does not read delay its own lists only', async (t) => {
  const app = await startApp(t)
  const session = await person(app, 'slow')
  await session('POST', '/api/projects', { id: 'shop', optimize: 'manual' })
  const { key } = (
    await session('POST', '/api/keys', { name: 'k', scopes: ['products:read', 'products:write'] })
  ).json()
  const products = Array.from({ length: PRODUCTS }, (_, i) => ({
    externalId: `p${i}`,
    title: `Product ${i}`,
    description: 'x'.repeat(49_000),
    attributes: Object.fromEntries(Array.from({ length: 60 }, (_, j) => [`a${j}`, 'x'.repeat(999)]))
  }))
  const headers = { 'x-api-key': key as string }
  const written = await app.inject({
    method: 'POST',
    url: '/api/v1/products/batch',
    headers,
    payload: { projectId: 'shop', products }
  })
  t.equal(written.json().created, PRODUCTS)
  const [first] = (await app.inject({ url: '/api/v1/products?pageSize=1&projectId=shop', headers })).json().products
  const other = await client(app, 'other')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }

  const unread: Socket[] = []
  t.teardown(() => unread.forEach((socket) => socket.destroy()))
  for (let count = 0; count < 4; count++) {
    const socket = connect(port, '127.0.0.1')
    unread.push(socket)
    socket.write(`GET ${LIST} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`)
    // The response has begun. No more of it is read.
    await once(socket, 'readable')
  }
  let isAnswered = false
  const fifth = app.inject({ url: LIST, headers }).then((response) => {
    isAnswered = true
    return response
  })
  for (let count = 0; count < 3; count++) t.equal((await other('GET', LIST)).statusCode, 200)
  t.equal((await app.inject({ url: `/api/v1/products/${first.id}`, headers })).statusCode, 200)
  t.equal(isAnswered, false, 'a fifth list waits')
  unread[0]!.destroy()
  t.equal((await fifth).json().products.length, PRODUCTS, 'until one of them ends')
})

t.test('an account has a few responses of single blogs in progress at a time', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { id } = await publish(call, { title: 'Large', slug: 'large' })
  const blog = `/api/v1/blogs/${id}`
  const statuses = async (method: 'GET' | 'POST' | 'PATCH', url: string, body?: object) => {
    const responses = await Promise.all(Array.from({ length: 220 }, () => call(method, url, body)))
    return Object.groupBy(responses, ({ statusCode }) => String(statusCode))
  }
  for (const [method, url, body] of [
    ['POST', `${blog}/publish`],
    ['POST', `${blog}/render`, { title: 'Other' }],
    ['GET', `/api/v1/blogs/by-id/${id}`],
    ['GET', `${blog}/revisions/1`],
    ['GET', '/api/v1/blogs/large?include=related']
  ] as const) {
    const { 200: made = [], 503: rejected = [] } = await statuses(method, url, body)
    t.ok(made.length >= 216 && made.length < 220, `${method} ${url}: 16, and 200 that waited`)
    t.equal(made.length + rejected.length, 220)
    t.match(rejected[0]!.json(), { code: 'busy' })
  }
  const { 200: stored = [] } = await statuses('GET', '/api/v1/blogs/large')
  t.equal(stored.length, 220, 'the stored response is the same for all')
})
