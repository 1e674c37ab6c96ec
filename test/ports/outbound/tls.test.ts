import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createServer } from 'node:tls'
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { runAsOwner } from '../../../lib/async.ts'
import { RequestError } from '../../../lib/address-policy/errors.ts'
import { HandshakeWire } from '../../../lib/address-policy/tls/handshake-wire.ts'
import { PortStream } from '../../../lib/address-policy/tls/port-stream.ts'
import { openSsrfSafeFetch } from '../../../ports/outbound/ssrf-safe-fetch/index.ts'
import { createChain } from '../../fixtures/outbound/certificate-chains.ts'
import { openReceiver, TEST_CA, TEST_SERVER } from '../../fixtures/outbound/servers.ts'

/** A chain of 11 KB that takes OpenSSL about 0.1 s. */
const COSTLY = createChain('sect571r1', { authorities: 24, size: 65 })

async function start(t: Test) {
  const usual = await openReceiver(undefined, { secure: true })
  const costly = await openReceiver(undefined, { secure: true, tls: COSTLY })
  const outbound = openSsrfSafeFetch({ allow: '127.0.0.1', ca: TEST_CA })
  t.teardown(async () => {
    await outbound.close()
    await usual.close()
    await costly.close()
  })
  const send = async ({ port }: { port: number }, path = '') =>
    await outbound.send({
      ...{ url: `https://127.0.0.1:${port}/${path}`, method: 'GET' },
      ...{ connectTimeoutMs: 30_000, timeoutMs: 30_000 }
    })
  t.equal((await send(usual)).ok, true, 'the thread has started')
  return { usual, costly, send }
}

/** The CPU time of the event loop, and of all threads, in milliseconds. */
function readCpu(): { loopMs: number; allMs: number } {
  const [loop, all] = [process.threadCpuUsage(), process.cpuUsage()]
  return { loopMs: (loop.user + loop.system) / 1000, allMs: (all.user + all.system) / 1000 }
}

t.test('certificates are verified outside of the event loop', async (t) => {
  const { costly, send } = await start(t)
  const before = readCpu()
  for (let request = 0; request < 2; request++) {
    const result = await send(costly)
    t.match(result, { ok: false, error: 'tls' })
  }
  const after = readCpu()
  const [loopMs, allMs] = [after.loopMs - before.loopMs, after.allMs - before.allMs]
  t.ok(loopMs < allMs / 3, `${loopMs.toFixed(1)} of ${allMs.toFixed(1)} ms`)
})

t.test('costly handshakes of one owner take turns with those of others', async (t) => {
  const { costly, send } = await start(t)
  const another = await openReceiver(undefined, { secure: true })
  t.teardown(async () => await another.close())
  let ended = 0
  const attacks = Array.from({ length: 4 }, async (_, index) => {
    await runAsOwner('attacker', async () => await send(costly, String(index)))
    ended += 1
  })
  await Promise.race(attacks)
  t.match(await runAsOwner('neighbor', async () => await send(another)), { ok: true, status: 200 })
  t.equal(ended, 1, 'the attacker waits for its next turn meanwhile')
  await Promise.all(attacks)
})

t.test('servers that reset connections after the handshake fail their requests only', async (t) => {
  const { usual, send } = await start(t)
  // Its error handling ends the process if an error follows the end of a connection.
  const server = createServer(TEST_SERVER, (socket) => socket.on('error', () => {}))
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})))
  server.on('secureConnection', () => {
    for (const socket of sockets) socket.resetAndDestroy()
    sockets.clear()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const results = await Promise.all(Array.from({ length: 60 }, async (_, index) => await send({ port }, String(index))))
  for (const result of results) t.equal(result.ok, false)
  t.match(await send(usual), { ok: true, status: 200 })
})

/** Ports do not keep the process of a test running. */
function keepRunning(t: Test): void {
  const timer = setInterval(() => {}, 1000)
  t.teardown(() => clearInterval(timer))
}

function createPair<End extends PortStream>(FarEnd: new (port: MessagePort) => End) {
  const { port1, port2 } = new MessageChannel()
  return { near: new PortStream(port1), far: new FarEnd(port2) }
}

t.test('bytes, the end and errors of a stream reach the other end', async (t) => {
  keepRunning(t)
  const { near, far } = createPair(PortStream)
  const text = Buffer.alloc(3_000_000, 'text ')
  // An iteration aborts the stream when it has read all.
  near.on('error', () => {})
  let written = false
  near.write(text.subarray(0, 1_500_000), () => (written = true))
  await wait(20)
  t.equal(written, false, 'a writer waits for a reader')
  near.send('secure')
  near.end(text.subarray(1_500_000))
  let events = 0
  far.on('secure', () => events++)
  const chunks: Buffer[] = []
  for await (const chunk of far) chunks.push(chunk as Buffer)
  t.ok(Buffer.concat(chunks).equals(text))
  t.equal(events, 1)

  for (const error of [new RequestError('tls', 'Too long.'), Object.assign(new Error('Gone'), { code: 'EPIPE' })]) {
    const { near, far } = createPair(PortStream)
    near.on('error', () => {}).destroy(error)
    const [received] = (await once(far, 'error')) as [Error]
    t.match(received, { code: error.code, message: error.message })
    t.equal(received instanceof RequestError, error instanceof RequestError)
  }
})

t.test('a stream fails when the thread of its other end is ended', async (t) => {
  keepRunning(t)
  const { port1, port2 } = new MessageChannel()
  const worker = new Worker("require('node:worker_threads').parentPort.on('message', () => {})", { eval: true })
  worker.postMessage(port2, [port2])
  await once(worker, 'online')
  const stream = new PortStream(port1)
  const failed = once(stream, 'error')
  await worker.terminate()
  t.match(await failed, [{ code: 'ECONNRESET' }])
})

t.test('many small writes are a few messages', async (t) => {
  keepRunning(t)
  const { port1, port2 } = new MessageChannel()
  const [near, far] = [new PortStream(port1), new PortStream(port2)]
  let messages = 0
  port2.on('message', ({ kind }: { kind: string }) => (messages += kind === 'data' ? 1 : 0))
  for (let byte = 0; byte < 5_000; byte++) near.write('x')
  near.end()
  near.on('error', () => {})
  let bytes = 0
  for await (const chunk of far) bytes += (chunk as Buffer).length
  t.equal(bytes, 5_000)
  t.ok(messages <= 5, `${messages} messages`)
})

t.test('after the handshake, what a server sends without content is limited', async (t) => {
  keepRunning(t)
  const kilobyte = Buffer.alloc(1024)
  const send = async (share: number) => {
    const { near, far } = createPair(
      class extends HandshakeWire {
        constructor(port: MessagePort) {
          super(port, 'acme')
        }
      }
    )
    far.endHandshake()
    let failure: Error | null = null
    far.on('error', (error) => (failure = error)).on('data', (bytes: Buffer) => far.countContent(share * bytes.length))
    near.on('error', () => {})
    for (let part = 0; part < 2_000 && !near.destroyed; part++) {
      // Rejects with the error, which the other end reports.
      if (!near.write(kilobyte)) await once(near, 'drain').catch(() => {})
    }
    near.destroy()
    return failure
  }
  t.equal(await send(1), null)
  t.match(await send(0.001), { name: 'RequestError', code: 'reset' })
})
