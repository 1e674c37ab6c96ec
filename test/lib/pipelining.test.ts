import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createHttpServer } from '../../lib/http/server.ts'

/** Starts a server that responds with the path, and counts the requests in progress. */
async function startServer(t: Test) {
  const seen = { parsed: 0, requests: 0, inProgress: 0, most: 0 }
  const server = createHttpServer({
    onRequest: async (request: IncomingMessage, response: ServerResponse) => {
      seen.requests++
      seen.most = Math.max(seen.most, ++seen.inProgress)
      await setImmediate()
      const body = request.method === 'POST' ? await text(request) : ''
      seen.inProgress--
      response.end(`[${request.url!}${body}]`)
    },
    onClientError: (_error, socket) => socket.destroy(),
    onConnect: (_request, socket) => socket.destroy()
  })
  server.prependListener('request', () => seen.parsed++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  const send = async (data: string, localAddress = '127.0.0.1') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    socket.on('error', () => {})
    const parts: Buffer[] = []
    socket.on('data', (part: Buffer) => parts.push(part))
    socket.write(data)
    await new Promise((resolve) => socket.once('close', resolve))
    return Buffer.concat(parts).toString()
  }
  return { seen, send }
}

/** Starts a server that responds with the path when the test does. */
async function startHoldingServer(t: Test) {
  const held: (() => void)[] = []
  let seen = 0
  const server = createHttpServer({
    onRequest: (request, response) => {
      seen += 1
      held.push(() => response.end(`[${request.url!}]`))
    },
    onClientError: (_error, socket) => socket.destroy(),
    onConnect: (_request, socket) => socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const respond = () => {
    for (const end of held.splice(0)) end()
  }
  return { port: (server.address() as AddressInfo).port, respond, waiting: () => seen }
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`

t.test('requests of a connection are handled one after another, and answered in order', async (t) => {
  const { seen, send } = await startServer(t)
  const requests = Array.from({ length: 16 }, (_, i) => get(`/${i}`)).join('')
  const answer = await send(requests + get('/last', 'Connection: close\r\n'))
  const expected = [...Array.from({ length: 16 }, (_, i) => `[/${i}]`), '[/last]']
  t.same(answer.match(/\[[^\]]*\]/g), expected)
  t.match(seen, { requests: 17, most: 1 })
})

t.test('bodies belong to their requests, and 100 Continue comes in its turn', async (t) => {
  const { send } = await startServer(t)
  const post = (path: string, body: string, headers = '') =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`
  const answer = await send(
    post('/a', 'one') +
      post('/b', 'two', 'Expect: 100-continue\r\n') +
      get('/c') +
      post('/d', 'three', 'Connection: close\r\n')
  )
  t.same(answer.match(/\[[^\]]*\]|HTTP\/1.1 \d+/g), [
    'HTTP/1.1 200',
    '[/aone]',
    'HTTP/1.1 100',
    'HTTP/1.1 200',
    '[/btwo]',
    'HTTP/1.1 200',
    '[/c]',
    'HTTP/1.1 200',
    '[/dthree]'
  ])
})

t.test('a connection with too many waiting requests is closed', async (t) => {
  const { seen, send } = await startServer(t)
  await send(get('/').repeat(5_000))
  t.ok(seen.requests <= 17, `${seen.requests} requests were handled`)
  t.ok(seen.parsed <= 18, `${seen.parsed} requests of the packet were parsed`)
  t.match(await send(get('/next', 'Connection: close\r\n')), '[/next]', 'the parser is used again')
})

t.test('new connections of a client that sent too many requests are read a second later', async (t) => {
  const { send } = await startServer(t)
  const last = get('/last', 'Connection: close\r\n')
  const measure = async (localAddress?: string) => {
    const startedMs = performance.now()
    t.match(await send(last, localAddress), '[/last]')
    return performance.now() - startedMs
  }
  t.ok((await measure()) < 500)
  await send(get('/').repeat(40))
  const [own, others] = await Promise.all([measure(), measure('127.0.0.2')])
  t.ok(own > 700 && own < 5_000, `${own} ms`)
  t.ok(others < 700, `${others} ms of another client`)
  t.ok((await measure()) < 500, 'afterwards')
})

t.test(
  'all connections of a client have five hundred waiting requests, and other clients have their own',
  async (t) => {
    const { port, respond, waiting } = await startHoldingServer(t)
    const open = (localAddress: string): Socket => {
      const socket = connect({ port, host: '127.0.0.1', localAddress })
      t.teardown(() => socket.destroy())
      return socket.on('error', () => {})
    }
    const requests = get('/').repeat(17)
    const sockets: Socket[] = []
    for (let n = 0; n < 33; n++) {
      const socket = open('127.0.0.1')
      socket.write(requests)
      sockets.push(socket)
      while (waiting() <= n) await setImmediate()
    }
    const closed = () => sockets.filter(({ closed }) => closed).length
    while (closed() < 2) await setImmediate()
    const other = open('127.0.0.2')
    other.write(requests)
    while (waiting() < 34) await setImmediate()
    t.equal(closed(), 2, '31 connections have 16 waiting requests each')
    t.notOk(other.closed)
    // Those of closed connections do not count any more.
    for (const socket of sockets) socket.destroy()
    respond()
    // A second after the last of them was closed.
    const next = open('127.0.0.1')
    next.write(get('/next').repeat(15) + get('/last', 'Connection: close\r\n'))
    const answer = text(next)
    const timer = setInterval(respond, 1)
    t.match(await answer, '[/last]')
    clearInterval(timer)
  }
)

t.test('requests with long heads count several times', async (t) => {
  const { port } = await startHoldingServer(t)
  const sockets: Socket[] = []
  for (let n = 0; n < 30; n++) {
    const socket = connect(port, '127.0.0.1')
    t.teardown(() => socket.destroy())
    socket.on('error', () => {}).write(get('/', `X-Long: ${'a'.repeat(15_000)}\r\n`).repeat(9))
    sockets.push(socket)
  }
  const closed = () => sockets.filter(({ closed }) => closed).length
  while (closed() < 10) await setImmediate()
  // On a busy machine, connections are closed before their first request starts, so that they cannot be counted.
  for (let before = -1; before !== closed(); await wait(500)) before = closed()
  t.ok(closed() < 25, 'a waiting request counts eight times: eight connections have eight each')
})
