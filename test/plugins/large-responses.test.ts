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

t.test('responses of single blogs that an account does not read delay only others of the same kind', async (t) => {
  // A slow machine takes seconds to render a megabyte.
  const app = await startApp(t, { RENDER_TIMEOUT_MS: '30000' })
  const call = await client(app)
  const { id } = await publish(call, { title: 'Small', slug: 'small' })
  // Six megabytes as a response.
  const large = await publish(call, { title: 'Large', markdown: '&'.repeat(990_000) })
  const other = await client(app, 'other')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }

  const unread: Socket[] = []
  t.teardown(() => unread.forEach((socket) => socket.destroy()))
  for (let count = 0; count < 16; count++) {
    const socket = connect(port, '127.0.0.1')
    unread.push(socket)
    socket.write(`GET /api/v1/blogs/by-id/${large.id} HTTP/1.1\r\nhost: x\r\nx-api-key: ${call.key}\r\n\r\n`)
    await once(socket, 'readable')
  }
  const answered = new Set<string>()
  const waiting = (
    [
      ['POST', `/api/v1/blogs/${id}/publish`],
      ['POST', `/api/v1/blogs/${id}/render`, { title: 'Other' }],
      ['PATCH', `/api/v1/blogs/${id}`, { tags: ['other'] }],
      ['GET', `/api/v1/blogs/by-id/${id}`],
      ['GET', `/api/v1/blogs/${id}/revisions/1`],
      ['GET', '/api/v1/blogs/small?include=related']
    ] as const
  ).map(async ([method, url, body]) => {
    const { statusCode } = await call(method, url, body)
    answered.add(url)
    return statusCode
  })
  for (let count = 0; count < 3; count++) {
    t.equal((await call('GET', '/api/v1/blogs/small')).statusCode, 200, 'the stored response is the same for all')
    t.equal((await other('GET', '/api/v1/blogs')).statusCode, 200)
  }
  t.same([...answered], [], 'further ones wait')
  for (const socket of unread) socket.destroy()
  t.same(new Set(await Promise.all(waiting)), new Set([200]), 'until the others end')
})
