import { once } from 'node:events'
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { connect, Socket, type AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createResponseMemory } from '../../lib/http/response-memory.ts'

const MIB = 1024 * 1024
const BODY = Buffer.alloc(16 * MIB)

const unsent = () => new ServerResponse(new IncomingMessage(new Socket()))

/** As Node.js does when the client has disconnected. */
function disconnect(response: ServerResponse): void {
  Object.assign(response, { destroyed: true, _closed: true })
  response.emit('close')
}

async function isDone(condition: () => boolean): Promise<boolean> {
  for (let looks = 0; looks < 400 && !condition(); looks++) await wait(25)
  return condition()
}

/** A server that sends 16 MiB, and whose clients do not read what they get. Owners are paths. */
async function start(
  t: Test,
  { maxUnsentBytes, slowMs = 1_000, minMs = 2_700 }: { maxUnsentBytes: number; slowMs?: number; minMs?: number }
) {
  const disconnected: string[] = []
  const memory = createResponseMemory({
    making: 4,
    maxUnsentBytes,
    slowMs,
    minMs,
    onDisconnect: (owner, bytes) => disconnected.push(`${owner} ${bytes > 4 * MIB}`)
  })
  const made: string[] = []
  const server = createServer(async (request, response) => {
    const end = await memory.start(request.url!, response, 9_000)
    if (end === null) return response.writeHead(503).end()
    made.push(request.url!)
    end()
    memory.send(request.url!, response)
    return response.end(BODY)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets: Socket[] = []
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const open = (owner: string) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => {})
    sockets.push(socket)
    socket.write(`GET ${owner} HTTP/1.1\r\nhost: x\r\n\r\n`)
  }
  return { memory, disconnected, made, open, port: (server.address() as AddressInfo).port }
}

t.test('above the limit, slow clients of the owner with the most unsent bytes are disconnected', async (t) => {
  const { disconnected, made, open } = await start(t, { maxUnsentBytes: 40 * MIB })
  open('/b')
  for (let count = 0; count < 6; count++) {
    open('/a')
    await wait(20)
  }
  t.ok(await isDone(() => made.length === 7), 'all of them are made in the end')
  t.ok(await isDone(() => disconnected.length === 5), disconnected.join())
  t.same(disconnected.slice(0, 2), ['/a true', '/a true'], 'until it has no more than others')
})

t.test('an owner without unsent bytes does not wait for clients of others, and one with some does', async (t) => {
  const { memory, made, open } = await start(t, { maxUnsentBytes: 20 * MIB })
  open('/a')
  open('/a')
  t.ok(await isDone(() => made.length === 2))
  open('/b')
  t.ok(await isDone(() => made.length === 3))
  t.equal(await memory.start('/a', unsent(), 50), null)
  const end = await memory.start('/a', unsent(), 5_000)
  t.type(end, 'function', 'after slow clients were disconnected')
  end?.()
})

t.test('a few are made at a time, and owners take turns', async (t) => {
  const memory = createResponseMemory({ making: 2, maxUnsentBytes: MIB, slowMs: 1_000, minMs: 0, onDisconnect() {} })
  const started: string[] = []
  const ends: Array<() => void> = []
  const all = ['a1', 'a2', 'a3', 'a4', 'b1'].map(async (name) => {
    const end = await memory.start(name[0]!, unsent(), 10_000)
    started.push(name)
    ends.push(end!)
  })
  await wait(10)
  t.same(started, ['a1', 'a2'])
  ends[0]!()
  ends[0]!()
  await wait(10)
  t.equal(started.length, 3, 'a repeated call has no effect')
  for (let at = 1; at < 5; at++) {
    ends[at]!()
    await wait(10)
  }
  await Promise.all(all)
  t.same(started, ['a1', 'a2', 'b1', 'a3', 'a4'])
})

t.test('the owner who had the fewest bytes sent lately is next, and one place is left to light owners', async (t) => {
  const { memory, open } = await start(t, { maxUnsentBytes: 1_000 * MIB })
  open('/a')
  open('/b')
  open('/b')
  await wait(200)
  const started: string[] = []
  const begin = (owner: string) =>
    memory.start(owner, unsent(), 5_000).then((end) => {
      started.push(owner)
      return end!
    })
  const first = await Promise.all(['/a', '/b', '/b'].map(begin))
  const waiting = ['/b', '/a', '/c'].map(begin)
  await wait(20)
  t.same(started.splice(0), ['/a', '/b', '/b', '/c'], 'three of four, and a light owner')
  first[0]!()
  first[1]!()
  await wait(20)
  t.same(started.splice(0), ['/a'], 'before the one that had more')
  for (const end of [first[2]!, await waiting[1]!, await waiting[2]!]) end()
  await Promise.all(waiting)
})

t.test('a response is not made for a client that has disconnected, and counts if it was', async (t) => {
  const memory = createResponseMemory({
    making: 2,
    maxUnsentBytes: MIB,
    slowMs: 1_000,
    minMs: 0,
    onDisconnect: () => t.fail()
  })
  const light = await memory.start('light', unsent(), 1_000)
  const [first, second] = [unsent(), unsent()]
  const end = await memory.start('a', first, 1_000)
  const waiting = memory.start('a', second, 10_000)
  disconnect(second)
  t.equal(await waiting, null)
  light!()
  disconnect(first)
  end!()
  const others = await Promise.all([memory.start('b', unsent(), 1_000), memory.start('a', unsent(), 50)])
  t.same(
    others.map((other) => other === null),
    [false, true],
    'it is no light owner'
  )
})

t.test('a client that takes its response at a usual rate is not disconnected beside others that do not', async (t) => {
  const { disconnected, open, port } = await start(t, { maxUnsentBytes: 30 * MIB, slowMs: 15_000, minMs: 1_000 })
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /reads HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  let received = 0
  socket.on('data', (part: Buffer) => {
    received += part.length
    socket.pause()
    setTimeout(() => socket.resume(), 15)
  })
  const isClosed = once(socket, 'close')
  for (let count = 0; count < 6; count++) {
    open('/a')
    open('/b')
    await wait(150)
  }
  await isClosed
  t.ok(received > BODY.length, `${received} bytes`)
  t.ok(disconnected.length > 0)
  t.notOk(
    disconnected.some((client) => client.startsWith('/reads')),
    disconnected.join()
  )
})

t.test('a client that reads is never disconnected', async (t) => {
  const disconnected: string[] = []
  const memory = createResponseMemory({
    making: 1,
    maxUnsentBytes: 1,
    slowMs: 0,
    minMs: 0,
    onDisconnect: (owner) => disconnected.push(owner)
  })
  const server = createServer((_request, response) => {
    memory.send('a', response)
    response.end(Buffer.alloc(MIB))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  t.equal((await response.arrayBuffer()).byteLength, MIB)
  await wait(700)
  t.same(disconnected, [])
})

t.test('a client is not slow before its response is sent', async (t) => {
  const disconnected: string[] = []
  const memory = createResponseMemory({
    making: 2,
    maxUnsentBytes: 1,
    slowMs: 0,
    minMs: 0,
    onDisconnect: (owner) => disconnected.push(owner)
  })
  const server = createServer(async (request, response) => {
    memory.send(request.url!, response)
    if (request.url === '/compressed') await wait(1_500)
    response.end(BODY)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const unread = connect(port, '127.0.0.1')
  unread.on('error', () => {})
  unread.write('GET /unread HTTP/1.1\r\nhost: x\r\n\r\n')
  t.teardown(() => {
    unread.destroy()
    server.close()
  })
  const response = await fetch(`http://127.0.0.1:${port}/compressed`)
  t.equal((await response.arrayBuffer()).byteLength, BODY.length)
  t.same(disconnected, ['/unread'])
})

t.test('a response whose client has gone before is not counted', async (t) => {
  const memory = createResponseMemory({
    making: 1,
    maxUnsentBytes: 1,
    slowMs: 0,
    minMs: 0,
    onDisconnect: () => t.fail()
  })
  const gone = Promise.withResolvers<ServerResponse>()
  const server = createServer((_request, response) => {
    response.once('close', () => gone.resolve(response))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  setTimeout(() => socket.destroy(), 50)
  const response = await gone.promise
  const listeners = response.listenerCount('close')
  memory.send('a', response)
  response.end(BODY)
  t.equal(response.listenerCount('close'), listeners, 'it waits for no further event')
})
