import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { client, startApp } from '../helper.ts'

const BYTES = 1_000_000
/** Nearly a body, and more than a connection and its buffers take without a reader. */
const MOST = Buffer.alloc(990_000, ' ')

/** Begins requests with a large body that does not end. */
function openUnfinished(
  t: Test,
  app: FastifyInstance,
  key: string,
  count: number,
  { path, type } = { path: '/api/v1/products/batch', type: 'application/json' }
): Socket[] {
  const { port } = app.server.address() as { port: number }
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
  t.teardown(() => sockets.forEach((socket) => socket.destroy()))
  for (const socket of sockets) {
    socket.on('error', () => {})
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\n` +
        `x-api-key: ${key}\r\ncontent-length: ${BYTES}\r\n\r\n`
    )
    socket.write(MOST)
  }
  return sockets
}

t.test('unfinished bodies of an account are bounded, and delay its own large bodies only', async (t) => {
  const app = await startApp(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const [slow, other] = [await client(app, 'slow'), await client(app, 'other')]
  const external = () => process.memoryUsage().arrayBuffers
  const before = external()
  const sockets = openUnfinished(t, app, slow.key, 60)
  const deadline = Date.now() + 10_000
  while (external() - before < 8 * MOST.length && Date.now() < deadline) await sleep(20)
  await sleep(300)
  const held = external() - before
  t.ok(held >= 8 * MOST.length * 0.9, `eight bodies are read: ${held} bytes`)
  t.ok(held < 30 * MOST.length, `the others are not: ${held} bytes`)

  const large = {
    projectId: 'shop',
    products: ['a', 'b'].map((externalId) => ({ externalId, title: 'A', description: 'x'.repeat(45_000) }))
  }
  const status = async (call: typeof slow, body: object) =>
    (await call('POST', '/api/v1/products/batch', body)).statusCode
  t.equal(await status(other, large), 200, 'a large body of another account')
  t.equal(await status(slow, { projectId: 'shop', products: [{ externalId: 'a', title: 'A' }] }), 200, 'a small body')
  let isAnswered = false
  const waiting = status(slow, large).then((code) => {
    isAnswered = true
    return code
  })
  await sleep(200)
  t.equal(isAnswered, false, 'a large body of the same account waits')
  for (const socket of sockets) {
    socket.destroy()
    if (!socket.closed) await once(socket, 'close')
  }
  t.equal(await waiting, 200, 'until others end')
})

t.test('unfinished uploads of an account delay its own uploads only', async (t) => {
  const app = await startApp(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const [slow, other] = [await client(app, 'slow'), await client(app, 'other')]
  const upload = { path: '/api/v1/products/imports?projectId=shop', type: 'text/csv' }
  for (const call of [slow, other]) await call('POST', '/api/v1/products', { projectId: 'shop', title: 'A' })
  const sockets = openUnfinished(t, app, slow.key, 32, upload)
  await sleep(300)
  const send = async ({ key }: typeof slow) => {
    const payload = `externalId,title,description\na,A,${'x'.repeat(70_000)}\n`
    const headers = { 'x-api-key': key, 'content-type': upload.type }
    return (await app.inject({ method: 'POST', url: upload.path, headers, payload })).statusCode
  }
  t.equal(await send(other), 202, 'an upload of another account')
  let isAnswered = false
  const waiting = send(slow).then((code) => {
    isAnswered = true
    return code
  })
  await sleep(300)
  t.equal(isAnswered, false, 'a further upload of the same account waits')
  sockets[0]!.destroy()
  t.equal(await waiting, 202, 'until one of them ends')
})

t.test('a body above the limit is refused without waiting', async (t) => {
  const app = await startApp(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const call = await client(app, 'slow')
  openUnfinished(t, app, call.key, 8)
  await sleep(200)
  const tooLarge = await app.inject({
    method: 'POST',
    url: '/api/v1/products/batch',
    headers: { 'x-api-key': call.key, 'content-type': 'application/json' },
    payload: Buffer.alloc(40_000_000, ' ')
  })
  t.equal(tooLarge.statusCode, 413)
})

t.test('small bodies of an account that do not end are bounded, too', async (t) => {
  const app = await startApp(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const [slow, other] = [await client(app, 'slow'), await client(app, 'other')]
  await app.services.accounts.update('slow', { requestsPerHour: 10_000 })
  const { port } = app.server.address() as { port: number }
  const statuses: string[] = []
  const sockets = Array.from({ length: 500 }, () => connect(port, '127.0.0.1'))
  t.teardown(() => sockets.forEach((socket) => socket.destroy()))
  for (const socket of sockets) {
    socket.on('error', () => {}).on('data', (data: Buffer) => statuses.push(data.toString('latin1', 9, 12)))
    socket.write(
      'POST /api/v1/products HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
        `x-api-key: ${slow.key}\r\ncontent-length: 40000\r\n\r\n{"a":`
    )
  }
  // 256 are received, and 200 wait.
  while (statuses.length < 44) await sleep(10)
  await sleep(200)
  t.same(statuses, Array(44).fill('503'))
  const status = async (call: typeof slow, description: string) =>
    (await call('POST', '/api/v1/products', { projectId: 'shop', externalId: 'a', title: 'A', description })).statusCode
  t.equal(await status(other, 'x'.repeat(20_000)), 201, 'of another account')
  t.equal(await status(slow, 'short'), 201, 'a tiny one of the same account')
})
