import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createSenders } from '../../lib/http/request-senders.ts'
import { createHttpServer } from '../../lib/http/server.ts'

/** The CPU time of each request, in milliseconds. */
const BUSY_MS = 2
const LONG = `\r\nX-Long: ${'a'.repeat(2_000)}`

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** A server whose requests occupy the event loop, and that records in which turn each one starts. */
async function startBusyServer(t: Test, burstMs = BUSY_MS) {
  const started: { url: string; turn: number }[] = []
  let turn = 0
  let isCounting = true
  const countTurns = () => {
    turn++
    if (isCounting) setImmediate(countTurns)
  }
  countTurns()
  const senders = createSenders()
  for (const key of ['one', 'other']) {
    senders.remember({ headers: { 'x-api-key': key }, socket: {} } as unknown as IncomingMessage, key)
  }
  const server = createHttpServer({
    senders,
    onRequest: async (request, response) => {
      started.push({ url: request.url!, turn })
      // Like most of the work of a request, this runs in a microtask.
      await Promise.resolve()
      const busyMs = request.url === '/burst' ? burstMs : BUSY_MS
      for (const endMs = cpuMs() + busyMs; cpuMs() < endMs; );
      // Changes take long.
      if (request.method === 'GET') response.end('ok')
    },
    onClientError: (_error, socket) => socket.destroy(),
    onConnect: (_request, socket) => socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    isCounting = false
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { started, port }
}

/** Opens a connection and sends a request without its last byte. */
async function hold(port: number, path: string, headers: string, method = 'GET'): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\nConnection: close\r\n\r`)
  return socket
}

t.test(
  'requests with large heads that arrive at the same moment start in several turns of the event loop',
  async (t) => {
    const { started, port } = await startBusyServer(t)
    const sockets: Socket[] = []
    for (let index = 0; index < 100; index++) sockets.push(await hold(port, '/many', `X-Api-Key: one${LONG}`))
    sockets.push(await hold(port, '/single', `X-Api-Key: other${LONG}`))
    await wait(20)
    const closed = sockets.map((socket) => once(socket.resume(), 'close'))
    for (const socket of sockets) socket.write('\n')
    await Promise.all(closed)
    t.equal(started.length, 101)
    const perTurn = Object.values(Object.groupBy(started, ({ turn }) => turn)).map((starts) => starts!.length)
    // 8 ms of a turn, and of the next one if the counter was incremented before its requests started.
    t.ok(Math.max(...perTurn) <= 10, `at most ${Math.max(...perTurn)} start in a turn`)
    const position = started.findIndex(({ url }) => url === '/single')
    t.ok(position < 20, `the other sender does not wait for all of them, but is number ${position + 1}`)
  }
)

t.test('a request with a large head whose client disconnects while it waits is not started', async (t) => {
  const { started, port } = await startBusyServer(t)
  const sockets: Socket[] = []
  for (let index = 0; index < 50; index++) sockets.push(await hold(port, '/stays', `X-Api-Key: one${LONG}`))
  const leaving = await hold(port, '/leaves', `X-Api-Key: one${LONG}`)
  await wait(20)
  const closed = sockets.map((socket) => once(socket.resume(), 'close'))
  for (const socket of [...sockets, leaving]) socket.write('\n')
  setImmediate(() => leaving.destroy())
  await Promise.all(closed)
  t.same(
    started.filter(({ url }) => url === '/leaves'),
    []
  )
  t.equal(started.length, 50)
})

t.test('other requests start in several turns if there are hundreds of them', async (t) => {
  const { started, port } = await startBusyServer(t)
  const sockets: Socket[] = []
  for (let index = 0; index < 200; index++) sockets.push(await hold(port, '/many', 'X-Api-Key: one'))
  sockets.push(await hold(port, '/single', 'X-Api-Key: other'))
  await wait(20)
  const closed = sockets.map((socket) => once(socket.resume(), 'close'))
  for (const socket of sockets) socket.write('\n')
  await Promise.all(closed)
  t.equal(started.length, 201)
  const perTurn = Object.values(Object.groupBy(started, ({ turn }) => turn)).map((starts) => starts!.length)
  t.ok(Math.max(...perTurn) <= 45, `at most ${Math.max(...perTurn)} start in a turn`)
  const position = started.findIndex(({ url }) => url === '/single')
  t.ok(position < 60, `the other sender does not wait for all of them, but is number ${position + 1}`)
})

/**
 * The mean number of requests of a burst that start in one turn, after a burst that makes their sender heavy. The
 * API keys of both are given.
 */
async function startsPerTurn(
  t: Test,
  before: string[],
  burst: string[],
  { burstMs = BUSY_MS, change = null }: { burstMs?: number; change?: string | null } = {}
): Promise<number> {
  const { started, port } = await startBusyServer(t, burstMs)
  for (const [path, keys] of Object.entries({ '/before': before, '/burst': burst })) {
    const sockets: Socket[] = []
    for (const key of keys) sockets.push(await hold(port, path, `X-Api-Key: ${key}`))
    if (path === '/burst' && change !== null) (await hold(port, '/change', `X-Api-Key: ${change}`, 'POST')).write('\n')
    await wait(20)
    const closed = sockets.map((socket) => once(socket.resume(), 'close'))
    for (const socket of sockets) socket.write('\n')
    await Promise.all(closed)
  }
  const counted = started.filter(({ url }) => url === '/burst')
  t.equal(counted.length, burst.length)
  return counted.length / new Set(counted.map(({ turn }) => turn)).size
}

t.test('a sender that uses much of the time has 2 ms of each turn while others send', async (t) => {
  const before = Array<string>(80).fill('one')
  const burst = Array<string>(40).fill('one')
  const beside = await startsPerTurn(t, [...before, 'other'], burst)
  t.ok(beside <= 1.5, `${beside} start in a turn`)
  const unopposed = await startsPerTurn(t, before, burst)
  t.ok(unopposed > 1.5 * beside, `${unopposed} start in a turn while nobody else sends`)
})

t.test('clients that invent a key for each request are one sender', async (t) => {
  const invented = (count: number, name: string) => Array.from({ length: count }, (_, index) => `${name}-${index}`)
  const perTurn = await startsPerTurn(t, [...invented(80, 'before'), 'other'], invented(40, 'burst'))
  t.ok(perTurn <= 1.5, `${perTurn} start in a turn`)
})

t.test('while another sender changes something, such a sender starts one request in a turn', async (t) => {
  const before = [...Array<string>(80).fill('one'), 'other']
  const burst = Array<string>(80).fill('one')
  const perTurn = await startsPerTurn(t, before, burst, { burstMs: 0.1, change: 'other' })
  t.ok(perTurn <= 1.1, `${perTurn} start in a turn`)
})
