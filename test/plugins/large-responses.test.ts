import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import t from 'tap'
import { client, person, publish, startApp } from '../helper.ts'

/** A page of 20 of them is larger than what the buffers of a connection take. */
const PRODUCTS = 30
const BATCH = 2
/** Longer than a response takes that does not wait, and shorter than a list may wait. */
const LONG_MS = 700
const LIST = '/api/v1/products?pageSize=100&projectId=shop'
/** Lists that an account may have in progress, and small pages instead of each of them. */
const LISTS = 4
const PAGES_OF_LIST = 4
const SMALL_PAGE = '/api/v1/products?pageSize=20&projectId=shop'

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
    description: '€'.repeat(49_000),
    attributes: Object.fromEntries(Array.from({ length: 60 }, (_, j) => [`a${j}`, 'x'.repeat(999)]))
  }))
  const headers = { 'x-api-key': key as string }
  for (let first = 0; first < PRODUCTS; first += BATCH) {
    const payload = { projectId: 'shop', products: products.slice(first, first + BATCH) }
    const written = await app.inject({ method: 'POST', url: '/api/v1/products/batch', headers, payload })
    t.equal(written.json().created, BATCH)
  }
  const [first] = (await app.inject({ url: '/api/v1/products?pageSize=1&projectId=shop', headers })).json().products
  const other = await client(app, 'other')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }

  const unread: Socket[] = []
  t.teardown(() => unread.forEach((socket) => socket.destroy()))
  async function request(url: string): Promise<void> {
    const socket = connect(port, '127.0.0.1')
    unread.push(socket)
    socket.write(`GET ${url} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`)
    // The response has begun. No more of it is read.
    await once(socket, 'readable')
  }
  for (let count = 1; count < LISTS; count++) await request(LIST)
  for (let count = 0; count < PAGES_OF_LIST; count++) await request(SMALL_PAGE)
  let isAnswered = false
  const further = app.inject({ url: SMALL_PAGE, headers }).then((response) => {
    isAnswered = true
    return response
  })
  for (let count = 0; count < 3; count++) t.equal((await other('GET', LIST)).statusCode, 200)
  t.equal((await app.inject({ url: `/api/v1/products/${first.id}`, headers })).statusCode, 200)
  await wait(LONG_MS)
  t.equal(isAnswered, false, 'a further page waits')
  unread.at(-1)!.destroy()
  t.equal((await further).json().products.length, 20, 'until one of them ends')

  let isComplete = false
  const list = app.inject({ url: LIST, headers }).then((response) => {
    isComplete = true
    return response
  })
  unread.at(-2)!.destroy()
  await wait(LONG_MS)
  t.equal(isComplete, false, 'a list waits until there is space for four pages')
  unread[0]!.destroy()
  t.equal((await list).json().products.length, PRODUCTS)
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

t.test('previews are limited by the account of the blog, whatever the addresses of their clients', async (t) => {
  const app = await startApp(t, { RENDER_TIMEOUT_MS: '30000' })
  const call = await client(app)
  const large = await publish(call, { title: 'Large', markdown: '&'.repeat(990_000) })
  const pathOf = async (one: typeof call, id: string): Promise<string> => {
    const { url } = (await one('POST', `/api/v1/blogs/${id}/preview`)).json()
    return (url as string).replace(/^https?:\/\/[^/]+/, '')
  }
  const preview = await pathOf(call, large.id)
  const other = await client(app, 'other')
  const small = await pathOf(other, (await publish(other, { title: 'Small', slug: 'small' })).id)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const sockets: Socket[] = []
  t.teardown(() => sockets.forEach((socket) => socket.destroy()))
  function open(url: string): Socket {
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${sockets.length + 1}` })
    sockets.push(socket)
    socket.write(`GET ${url} HTTP/1.1\r\nhost: x\r\n\r\n`)
    return socket
  }
  for (let count = 0; count < 8; count++) await once(open(preview), 'readable')
  const further = open(preview)
  let isAnswered = false
  further.once('readable', () => (isAnswered = true))
  await once(open(small), 'readable')
  t.equal((await call('GET', `/api/v1/blogs/by-id/${large.id}`)).statusCode, 200, 'and not requests with its keys')
  await wait(LONG_MS)
  t.equal(isAnswered, false, 'a further one waits')
  sockets[0]!.destroy()
  await once(further, 'readable')
  t.equal((await app.inject({ url: preview.replace(/token=[^&]*/, 'token=x') })).statusCode, 404)
})

t.test('images that a client does not read delay only images for the same client', async (t) => {
  const app = await startApp(t, { IMAGE_DOWNLOADS_PER_CLIENT: '8' })
  const call = await client(app)
  const { id } = await publish(call, { title: 'A' })
  // Noise, so that it is larger than what the buffers of a connection take.
  const pixels = { raw: { width: 1800, height: 1800, channels: 3 } } as const
  const noise = await sharp(randomBytes(1800 * 1800 * 3), pixels)
    .png()
    .toBuffer()
  const added = await call('POST', `/api/v1/blogs/${id}/images?filename=a.png`, noise, { 'content-type': 'image/png' })
  const path = new URL(added.json().url).pathname
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }

  const unread: Socket[] = []
  t.teardown(() => unread.forEach((socket) => socket.destroy()))
  for (let count = 0; count < 8; count++) {
    const socket = connect(port, '127.0.0.1')
    unread.push(socket)
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
    await once(socket, 'readable')
  }
  const request = async (remoteAddress: string, headers: Record<string, string> = {}) =>
    await app.inject({ url: path, remoteAddress, headers })
  let isAnswered = false
  const further = request('127.0.0.1').then(({ statusCode }) => {
    isAnswered = true
    return statusCode
  })
  const other = await request('127.0.0.2')
  t.equal(other.statusCode, 200)
  t.equal((await call('GET', `/api/v1/blogs/by-id/${id}`)).statusCode, 200)
  // Nothing of these is large.
  const etag = other.headers.etag as string
  t.equal((await request('127.0.0.1', { 'if-none-match': etag })).statusCode, 304)
  t.equal((await request('127.0.0.1', { range: 'bytes=0-9' })).statusCode, 206)
  t.equal((await request('127.0.0.1', { range: 'bytes=99999999-' })).statusCode, 416)
  t.equal((await app.inject({ method: 'HEAD', url: path, remoteAddress: '127.0.0.1' })).statusCode, 200)
  t.equal((await app.inject({ url: `${path}?w=320&format=webp`, remoteAddress: '127.0.0.1' })).statusCode, 200)
  t.equal(isAnswered, false, 'a further one waits')
  unread[0]!.destroy()
  t.equal(await further, 200, 'until one of them ends')
})
