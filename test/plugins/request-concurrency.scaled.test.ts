import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { client, startApp } from '../helper.ts'

const product = (n: number) => ({ projectId: 'shop', externalId: `p${n}`, title: `Product ${n}` })

t.test('many requests of an account at the same time do not delay those of others', async (t) => {
  const app = await startApp(t)
  const [flood, other] = [await client(app, 'flood'), await client(app, 'other')]
  await other('POST', '/api/v1/products', product(0))
  let answered = 0
  const responses = Array.from({ length: 150 }, async (_, n) => {
    const key = { 'idempotency-key': `key-of-the-flood-${n}` }
    const { statusCode } = await flood('POST', '/api/v1/products', product(n), key)
    answered += 1
    return statusCode
  })
  await Promise.race(responses)
  const before = answered
  t.equal((await other('POST', '/api/v1/products', product(1))).statusCode, 201)
  t.ok(answered - before < 50, `${answered - before} requests of the flood were answered meanwhile`)
  t.strictSame(new Set(await Promise.all(responses)), new Set([201]), 'all of them are answered')
})

const FILE = 'externalId,title\na,Product A\nb,Product B\n'

t.test('many uploads of an account at the same time do not delay requests of others', async (t) => {
  const app = await startApp(t)
  const [flood, other] = [await client(app, 'flood'), await client(app, 'other')]
  await other('POST', '/api/v1/products', product(0))
  let answered = 0
  const responses = Array.from({ length: 100 }, async () => {
    const type = { 'content-type': 'text/csv' }
    const { statusCode } = await flood('POST', '/api/v1/products/imports?projectId=shop', FILE, type)
    answered += 1
    return statusCode
  })
  await Promise.race(responses)
  const before = answered
  t.equal((await other('POST', '/api/v1/products', product(1))).statusCode, 201)
  t.ok(answered - before < 34, `${answered - before} uploads of the flood were answered meanwhile`)
  t.strictSame(new Set(await Promise.all(responses)), new Set([202]), 'all of them are answered')
})

t.test('large bodies, and changes beside other accounts, are handled a few at a time', async (t) => {
  const app = await startApp(t)
  const [flood, other] = [await client(app, 'flood'), await client(app, 'other')]
  let handled = 0
  let most = 0
  const { products } = app.services
  const { batch } = products
  products.batch = async (...parts) => {
    most = Math.max(most, ++handled)
    try {
      return await batch(...parts)
    } finally {
      handled -= 1
    }
  }
  let externalId = 0
  /** How many of 24 batches were handled at the same time at most. */
  async function mostOf(bytes: number): Promise<number> {
    most = 0
    const batches = Array.from({ length: 24 }, async () => {
      const body = JSON.stringify({ projectId: 'shop', products: [{ ...product(externalId++), projectId: undefined }] })
      const type = { 'content-type': 'application/json' }
      return (await flood('POST', '/api/v1/products/batch', body.padEnd(bytes), type)).statusCode
    })
    t.strictSame(new Set(await Promise.all(batches)), new Set([200]))
    return most
  }
  t.equal(await mostOf(0), 8)
  t.equal(await mostOf(30_000), 8)
  t.equal(await mostOf(40_000), 2)
  t.equal(await mostOf(100_000), 2)
  await other('POST', '/api/v1/products', product(0))
  t.equal(await mostOf(100_000), 1)
  await other('POST', '/api/v1/products', product(1))
  t.equal(await mostOf(0), 4)
})

t.test('small changes and reads do not wait for the large ones of their account', async (t) => {
  const app = await startApp(t)
  const call = await client(app, 'acme')
  const { products } = app.services
  const { batch } = products
  const gate = Promise.withResolvers<void>()
  products.batch = async (...parts) => {
    await gate.promise
    return await batch(...parts)
  }
  const large = Array.from({ length: 4 }, async (_, n) => {
    const body = JSON.stringify({ projectId: 'shop', products: [{ externalId: `l${n}`, title: 'Large' }] })
    return await call('POST', '/api/v1/products/batch', body.padEnd(40_000), { 'content-type': 'application/json' })
  })
  await wait(50)
  t.equal((await call('POST', '/api/v1/products', product(1))).statusCode, 201)
  t.equal((await call('GET', '/api/v1/products')).statusCode, 200)
  t.equal(
    (await call('POST', '/api/v1/products/imports?projectId=shop', FILE, { 'content-type': 'text/csv' })).statusCode,
    202
  )
  gate.resolve()
  for (const { statusCode } of await Promise.all(large)) t.equal(statusCode, 200)
})

t.test('an account that uses much of a process has fewer requests in progress than another one', async (t) => {
  const app = await startApp(t)
  const [flood, other] = [await client(app, 'flood'), await client(app, 'other')]
  const { products } = app.services
  const handled = new Map<string, number>()
  const most = new Map<string, number>()
  /** What each list of an account uses of the event loop. */
  const busyMs = new Map([['flood', 10]])

  async function watch<Result>(name: string, handle: () => Promise<Result>): Promise<Result> {
    const count = (handled.get(name) ?? 0) + 1
    handled.set(name, count)
    most.set(name, Math.max(most.get(name) ?? 0, count))
    try {
      await wait(20)
      return await handle()
    } finally {
      handled.set(name, handled.get(name)! - 1)
    }
  }
  const { list, batch } = products
  products.list = async (reader, query) => {
    const endMs = performance.now() + (busyMs.get(reader.accountId) ?? 0)
    while (performance.now() < endMs);
    return await watch(`reads of ${reader.accountId}`, async () => await list(reader, query))
  }
  products.batch = async (...parts) =>
    await watch(`changes of ${parts[0].accountId}`, async () => await batch(...parts))

  async function send(call: typeof flood, method: 'GET' | 'POST', count: number): Promise<void> {
    const responses = Array.from({ length: count }, async (_, n) => {
      const body = { projectId: 'shop', products: [{ externalId: `p${n}`, title: `Product ${n}` }] }
      return await (method === 'GET' ? call('GET', '/api/v1/products') : call('POST', '/api/v1/products/batch', body))
    })
    t.strictSame(new Set((await Promise.all(responses)).map(({ statusCode }) => statusCode)), new Set([200]))
  }
  await send(flood, 'GET', 12)
  most.clear()
  await Promise.all([send(flood, 'GET', 24), send(other, 'GET', 24)])
  await Promise.all([send(flood, 'GET', 24), send(other, 'POST', 24)])
  t.strictSame(Object.fromEntries(most), { 'reads of flood': 2, 'reads of other': 8, 'changes of other': 8 })
})

t.test('an upload whose client sends slowly occupies no place of its account', async (t) => {
  const app = await startApp(t)
  const call = await client(app, 'acme')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const head = [
    'POST /api/v1/products/imports?projectId=shop HTTP/1.1',
    'host: x',
    `x-api-key: ${call.key}`,
    'content-type: text/csv',
    'connection: close',
    `content-length: ${FILE.length}`
  ]
  const sockets = Array.from({ length: 12 }, () => connect(port, '127.0.0.1'))
  for (const socket of sockets) {
    const request = once(app.server, 'request')
    socket.write(`${head.join('\r\n')}\r\n\r\n${FILE.slice(0, 20)}`)
    await request
  }
  t.equal((await call('POST', '/api/v1/products', product(1))).statusCode, 201)
  for (const socket of sockets) socket.write(FILE.slice(20))
  const responses = await Promise.all(sockets.map(async (socket) => await text(socket)))
  t.strictSame(new Set(responses.map((response) => response.split(' ')[1])), new Set(['202']), 'all end')
  t.equal((await call('POST', '/api/v1/products', product(2))).statusCode, 201)
})

t.test('requests that fail, and those whose clients disconnect, make room for the next one', async (t) => {
  const app = await startApp(t)
  const call = await client(app, 'acme')
  for (let count = 0; count < 20; count++) {
    t.equal((await call('GET', '/api/v1/products/0198e6b0-1f2a-7c44-8d3e-5a7b9c1d2e3f')).statusCode, 404)
    const key = { 'idempotency-key': 'short' }
    t.equal((await call('POST', '/api/v1/products', product(0), key)).json().code, 'invalid_idempotency_key')
  }
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const body = JSON.stringify(product(0))
  const head = [
    'POST /api/v1/products HTTP/1.1',
    'host: x',
    `x-api-key: ${call.key}`,
    'content-type: application/json',
    `content-length: ${body.length}`
  ]
  for (let count = 0; count < 20; count++) {
    const socket = connect(port, '127.0.0.1')
    const request = once(app.server, 'request')
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
    await request
    socket.destroy()
  }
  t.equal((await call('POST', '/api/v1/products', product(1))).statusCode, 201)
})
