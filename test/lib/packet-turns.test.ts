import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { resumeInTurn } from '../../lib/http/packet-turns.ts'
import { createHttpServer } from '../../lib/http/server.ts'

const CONNECTIONS = 30
const CHUNK = `10\r\n${'x'.repeat(16)}\r\n`

const head = (path: string) => `POST ${path} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n`

/** A server that records in which turn of the event loop each request starts. */
async function startCountingServer(t: Test) {
  const started: { url: string; turn: number }[] = []
  const completed: number[] = []
  let bytes = 0
  let turn = 0
  let isCounting = true
  const countTurns = (): void => {
    turn += 1
    if (isCounting) setImmediate(countTurns)
  }
  countTurns()
  const server = createHttpServer({
    onRequest: (request, response) => {
      started.push({ url: request.url!, turn })
      request.on('data', (chunk: Buffer) => (bytes += chunk.length))
      request.on('end', () => {
        completed.push(turn)
        response.end('done;')
      })
    },
    onClientError: (_error, socket) => socket.destroy(),
    onConnect: (_request, socket) => socket.destroy()
  })
  const ended: number[] = []
  const accepted: Socket[] = []
  server.on('connection', (socket) => {
    accepted.push(socket)
    socket.once('end', () => ended.push(turn))
    socket.once('error', () => ended.push(turn))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    isCounting = false
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  /** The most packets that were parsed in one turn: the first request of a packet starts at once. */
  const largestTurn = (): number => {
    const first = started.filter(({ url }) => url === '/first')
    return Math.max(...Object.values(Object.groupBy(first, (start) => start.turn)).map((starts) => starts!.length))
  }
  /** Resolves when the server has accepted this many connections: it accepts one in a turn. */
  const hasAccepted = async (count: number): Promise<void> => {
    while (accepted.length < count) await wait(1)
  }
  return { port, started, ended, largestTurn, completed, hasAccepted, turn: () => turn, bytes: () => bytes }
}

async function open(t: Test, port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** Resolves when the server has sent this many responses. */
async function responses(socket: Socket, count: number): Promise<void> {
  let text = ''
  while (text.split('done;').length <= count) text += String((await once(socket, 'data'))[0])
}

t.test('packets of many small chunks that arrive at the same moment are parsed in several turns', async (t) => {
  const { port, started, largestTurn, hasAccepted, bytes } = await startCountingServer(t)
  const sockets: Socket[] = []
  for (let index = 0; index < CONNECTIONS; index++) sockets.push(await open(t, port, '127.0.0.1'))
  const other = await open(t, port, '127.0.0.2')
  await hasAccepted(CONNECTIONS + 1)
  const done = sockets.map(async (socket) => await responses(socket, 1))
  for (const socket of sockets) socket.write(`${head('/first') + CHUNK.repeat(2_500)}0\r\n\r\n`)
  other.write('GET /single HTTP/1.1\r\nhost: x\r\n\r\n')
  await Promise.all([...done, responses(other, 1)])
  t.equal(bytes(), CONNECTIONS * 40_000)
  t.ok(largestTurn() <= 8, `${largestTurn()} packets in a turn`)
  const position = started.findIndex(({ url }) => url === '/single')
  t.ok(position < 12, `a client with another address does not wait for all of them, but is number ${position + 1}`)
})

for (const end of ['end', 'resetAndDestroy'] as const) {
  t.test(`connections that end at the same moment end in several turns: ${end}`, async (t) => {
    const { port, started, ended, hasAccepted } = await startCountingServer(t)
    const sockets = await Promise.all(Array.from({ length: 400 }, async () => await open(t, port, '127.0.0.1')))
    const other = await open(t, port, '127.0.0.2')
    await hasAccepted(sockets.length + 1)
    for (const socket of sockets) socket[end]()
    other.write('GET /single HTTP/1.1\r\nhost: x\r\n\r\n')
    await responses(other, 1)
    while (ended.length < sockets.length) await wait(1)
    const inOneTurn = Math.max(...Object.values(Object.groupBy(ended, (turn) => turn)).map((turns) => turns!.length))
    t.ok(inOneTurn <= 105, `${inOneTurn} in a turn`)
    const turnsBefore = new Set(ended.filter((turn) => turn < started[0]!.turn)).size
    t.ok(turnsBefore < 10, `a client with another address does not wait for all of them, but for ${turnsBefore} turns`)
  })
}

t.test('so are packets of many requests', async (t) => {
  const { port, largestTurn, hasAccepted, bytes } = await startCountingServer(t)
  const sockets: Socket[] = []
  for (let index = 0; index < CONNECTIONS; index++) sockets.push(await open(t, port, '127.0.0.1'))
  await hasAccepted(CONNECTIONS)
  const done = sockets.map(async (socket) => await responses(socket, 16))
  const body = `${CHUNK.repeat(124)}0\r\n\r\n`
  for (const socket of sockets) socket.write(head('/first') + body + `${head('/next')}${body}`.repeat(15))
  await Promise.all(done)
  t.equal(bytes(), CONNECTIONS * 16 * 124 * 16)
  t.ok(largestTurn() <= 8, `${largestTurn()} packets in a turn`)
})

t.test('bodies that end at the same moment end in several turns', async (t) => {
  const { port, completed, hasAccepted, bytes } = await startCountingServer(t)
  const sockets = await Promise.all(Array.from({ length: 400 }, async () => await open(t, port, '127.0.0.1')))
  await hasAccepted(sockets.length)
  const body = 'x'.repeat(8_000)
  const start = `POST /first HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length + 1}\r\n\r\n${body}`
  for (const socket of sockets) socket.write(start)
  while (bytes() < sockets.length * body.length) await wait(1)
  const done = sockets.map(async (socket) => await responses(socket, 1))
  for (const socket of sockets) socket.write('x')
  await Promise.all(done)
  const inOneTurn = Math.max(...Object.values(Object.groupBy(completed, (turn) => turn)).map((turns) => turns!.length))
  t.ok(inOneTurn <= 105, `${inOneTurn} in a turn`)
})

t.test('requests on hundreds of connections that arrive at the same moment are read in several turns', async (t) => {
  const { port, started, hasAccepted } = await startCountingServer(t)
  const sockets = await Promise.all(Array.from({ length: 600 }, async () => await open(t, port, '127.0.0.1')))
  await hasAccepted(sockets.length)
  const done = sockets.map(async (socket) => await responses(socket, 1))
  for (const socket of sockets) socket.write('GET /first HTTP/1.1\r\nhost: x\r\n\r\n')
  await Promise.all(done)
  const turns = Object.values(Object.groupBy(started, ({ turn }) => turn))
  const inOneTurn = Math.max(...turns.map((starts) => starts!.length))
  t.ok(inOneTurn <= 155, `${inOneTurn} in a turn`)
})

t.test('connections of hundreds of clients that send nothing do not delay another one', async (t) => {
  const { port, started, turn, hasAccepted } = await startCountingServer(t)
  for (let n = 0; n < 600; n++) await open(t, port, `127.1.${n >> 7}.${1 + (n & 127)}`)
  const senders = await Promise.all(Array.from({ length: 4 }, async () => await open(t, port, '127.0.0.1')))
  const other = await open(t, port, '127.0.0.2')
  await hasAccepted(605)
  const end = new AbortController()
  const sending = senders.map(async (socket) => {
    while (!end.signal.aborted) {
      socket.write(`${head('/first')}${CHUNK.repeat(3_000)}0\r\n\r\n`)
      await responses(socket, 1)
    }
  })
  const turns: number[] = []
  while (turns.length < 20) {
    const before = turn()
    other.write('GET /single HTTP/1.1\r\nhost: x\r\n\r\n')
    await responses(other, 1)
    turns.push(started.findLast(({ url }) => url === '/single')!.turn - before)
  }
  end.abort()
  await Promise.all(sending)
  t.ok(Math.max(...turns) <= 30, `turns until a request starts: ${turns.join(', ')}`)
})

t.test('between two connections with expensive packets, others are read', async (t) => {
  const resumed: { client: string; turn: number; atMs: number }[] = []
  let turn = 0
  for (let index = 0; index < 8; index++) {
    const client = `203.0.113.${index % 2}`
    const socket = { remoteAddress: client } as Socket
    resumeInTurn(socket, () => resumed.push({ client, turn, atMs: performance.now() }))
  }
  for (; resumed.length < 8; turn++) await nextTurn()
  for (let index = 1; index < 8; index++) {
    const [before, { turn, atMs, client }] = [resumed[index - 1]!, resumed[index]!]
    t.ok(turn - before.turn >= 15 || atMs - before.atMs > 20, `${turn - before.turn} turns, ${atMs - before.atMs} ms`)
    t.not(client, before.client, 'clients take turns')
  }
  t.ok(resumed.at(-1)!.turn < 240, 'they are not stopped for long')
})
