import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { maxConnectionsOf } from '../../lib/http/connection-limit.ts'
import { createSenders } from '../../lib/http/request-senders.ts'
import { createHttpServer } from '../../lib/http/server.ts'

/** A server with this limit, which responds to `/wait` when the test does. */
async function start(t: Test, maxConnections: number, stalledMs = 10_000) {
  const waiting: ServerResponse[] = []
  const closedOf: string[] = []
  const senders = createSenders()
  const server = createHttpServer({
    senders,
    maxConnections,
    stalledMs,
    onTooMany: (address) => closedOf.push(address),
    onRequest: (request, response) => {
      if (request.headers['x-api-key'] !== undefined) senders.remember(request, 'acme')
      if (request.url === '/wait') waiting.push(response)
      else if (request.url === '/large') response.end(Buffer.alloc(20_000_000))
      else request.resume().on('end', () => response.end('here'))
    },
    onClientError: (_error, socket) => socket.destroy(),
    onConnect: (_request, socket) => socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets: Socket[] = []
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  /** Connects from this address of the machine. */
  async function open(localAddress = '127.0.0.1'): Promise<Socket> {
    const accepted = once(server, 'connection')
    const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress })
    socket.on('error', () => {})
    sockets.push(socket)
    await Promise.all([once(socket, 'connect'), accepted])
    return socket
  }
  async function request(socket: Socket, path: string, headers = ''): Promise<void> {
    const next = path === '/wait' ? waiting.length + 1 : 0
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`)
    while (waiting.length < next) await new Promise((resolve) => setTimeout(resolve, 1))
  }
  /** What the connection receives first, or null if it is closed before. */
  const received = async (socket: Socket): Promise<string | null> =>
    socket.destroyed
      ? null
      : await Promise.race([once(socket, 'data').then(String), once(socket, 'close').then(() => null)])
  /** Responds to the requests that wait. */
  const respond = () => {
    for (const response of waiting.splice(0)) response.end('here')
  }
  return { open, request, received, respond, closedOf }
}

t.test('connections that send nothing do not keep others from connecting', async (t) => {
  const { open, request, received, closedOf } = await start(t, 5)
  const idle: Socket[] = []
  for (let n = 0; n < 5; n++) idle.push(await open())
  for (let n = 0; n < 3; n++) {
    const other = await open('127.0.0.2')
    await request(other, '/')
    t.match(await received(other), /200 OK/)
  }
  t.same(closedOf, ['127.0.0.1', '127.0.0.1', '127.0.0.1'], 'also when the others have three of five')
  for (const socket of idle.slice(0, 3)) t.equal(await received(socket), null, 'the oldest are closed')
  await request(idle[3]!, '/')
  t.match(await received(idle[3]!), /200 OK/)
})

t.test('a connection with a request is closed only for another address', async (t) => {
  const { open, request, received, closedOf } = await start(t, 3)
  const busy: Socket[] = []
  for (let n = 0; n < 3; n++) {
    const socket = await open()
    await request(socket, '/wait')
    busy.push(socket)
  }
  const further = await open()
  t.equal(await received(further), null)
  t.notOk(busy.some(({ destroyed }) => destroyed))
  const other = await open('127.0.0.2')
  await request(other, '/')
  t.match(await received(other), /200 OK/)
  t.same(closedOf, ['127.0.0.1', '127.0.0.1'])
  const third = await open('127.0.0.3')
  await request(third, '/')
  t.match(await received(third), /200 OK/)
  t.equal(closedOf.at(-1), '127.0.0.2', 'its connection was idle')
})

t.test('an address with requests on all of its connections does not close those of others', async (t) => {
  const { open, request, received, closedOf } = await start(t, 150)
  for (let n = 0; n < 149; n++) await request(await open(), '/wait')
  const idle = await open('127.0.0.2')
  for (let n = 0; n < 3; n++) {
    const other = await open('127.0.0.3')
    await request(other, '/')
    t.match(await received(other), /200 OK/)
  }
  t.same(closedOf, ['127.0.0.1', '127.0.0.1', '127.0.0.1'])
  await request(idle, '/')
  t.match(await received(idle), /200 OK/)
})

t.test('the oldest connection without a request is closed, also after a request', async (t) => {
  const { open, request, received, respond } = await start(t, 3)
  const [first, second, third] = [await open(), await open(), await open()]
  await request(first, '/wait')
  const fourth = await open()
  t.equal(await received(second), null, 'the first one has a request')
  respond()
  t.match(await received(first), /200 OK/)
  await open()
  t.equal(await received(third), null)
  await open()
  t.equal(await received(fourth), null)
  await open()
  t.equal(await received(first), null, 'it has none any more')
})

t.test('connections of thousands of clients close each other, and not those of an account', async (t) => {
  const { open, request, received } = await start(t, 200)
  const mine = [await open(), await open(), await open()]
  for (const socket of mine) {
    await request(socket, '/', 'X-API-Key: a\r\n')
    t.match(await received(socket), /200 OK/)
  }
  for (let n = 0; n < 300; n++) await open(`127.1.${n >> 7}.${1 + (n & 127)}`)
  for (const socket of mine) {
    await request(socket, '/')
    t.match(await received(socket), /200 OK/)
  }
})

t.test('connections of an account are closed if there are no others', async (t) => {
  const { open, request, received, closedOf } = await start(t, 3)
  const sockets: Socket[] = []
  for (let n = 0; n < 3; n++) {
    const socket = await open()
    await request(socket, '/', 'X-API-Key: a\r\n')
    t.match(await received(socket), /200 OK/)
    sockets.push(socket)
  }
  const other = await open('127.0.0.2')
  await request(other, '/')
  t.match(await received(other), /200 OK/)
  t.equal(await received(sockets[0]!), null)
  t.same(closedOf, ['127.0.0.1'])
})

for (const [what, message] of [
  ['a body that does not end', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60\r\n\r\n{'],
  ['a response that is not read', 'GET /large HTTP/1.1\r\nHost: a\r\n\r\n']
] as const) {
  t.test(
    `connections of hundreds of clients that wait for their clients do not keep others out: ${what}`,
    async (t) => {
      const stalledMs = 300
      const { open, request, received } = await start(t, 150, stalledMs)
      const busy = await open('127.0.0.3')
      await request(busy, '/wait')
      for (let n = 0; n < 149; n++) {
        const socket = await open(`127.1.${n >> 7}.${1 + (n & 127)}`)
        socket.pause()
        socket.write(message)
      }
      await wait(2 * stalledMs)
      for (let n = 0; n < 20; n++) {
        const other = await open('127.0.0.2')
        await request(other, '/')
        t.match(await received(other), /200 OK/)
      }
      t.notOk(busy.destroyed, 'its request waits for the service')
    }
  )
}

t.test('an upload that makes progress is not closed, however long it takes', async (t) => {
  const stalledMs = 300
  const { open, request, received } = await start(t, 150, stalledMs)
  const upload = await open('127.0.0.3')
  upload.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n')
  const timer = setInterval(() => upload.write('x'.repeat(1_000)), 20)
  t.teardown(() => clearInterval(timer))
  for (let n = 0; n < 149; n++) {
    const socket = await open(`127.1.${n >> 7}.${1 + (n & 127)}`)
    await request(socket, '/', 'X-API-Key: a\r\n')
    t.match(await received(socket), /200 OK/)
  }
  for (let n = 0; n < 10; n++) {
    await wait(stalledMs / 5)
    const other = await open('127.0.0.2')
    await request(other, '/', 'X-API-Key: a\r\n')
    t.match(await received(other), /200 OK/)
  }
  t.notOk(upload.destroyed)
})

t.test('connections leave files for everything else', async (t) => {
  t.equal(maxConnectionsOf(Infinity), 10_000)
  t.equal(maxConnectionsOf(1_048_576), 10_000)
  t.equal(maxConnectionsOf(22_000), 10_000)
  t.equal(maxConnectionsOf(4096), 1536)
  t.equal(maxConnectionsOf(256), 96)
})
