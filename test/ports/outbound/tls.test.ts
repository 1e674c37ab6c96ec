import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createServer } from 'node:tls'
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { runAsOwner } from '../../../lib/async.ts'
import { RequestError } from '../../../lib/address-policy/errors.ts'
import { PortStream } from '../../../lib/address-policy/tls/port-stream.ts'
import { RecordReader } from '../../../lib/address-policy/tls/records.ts'
import { Wire } from '../../../lib/address-policy/tls/wire.ts'
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

/** A record with so many bytes in all, from 5. */
function createRecord(bytes: number): Buffer {
  const record = Buffer.alloc(bytes)
  record.set([23, 3, 3])
  record.writeUInt16BE(bytes - 5, 3)
  return record
}

/** The records of KeyUpdate messages of TLS 1.3. */
const createKeyUpdates = (count: number): Buffer => Buffer.concat(Array<Buffer>(count).fill(createRecord(27)))

t.test('the ends of records are found in any pieces', async (t) => {
  const sizes = [5, 6, 16_384 + 5, 27, 300, 5, 5, 261]
  const bytes = Buffer.concat(sizes.map(createRecord))
  for (const piece of [1, 2, 3, 4, 5, 7, 250, 20_000]) {
    const reader = new RecordReader()
    const found: number[] = []
    let sinceEnd = 0
    for (let start = 0; start < bytes.length; start += piece) {
      for (let rest = bytes.subarray(start, start + piece); rest.length > 0; ) {
        const { length, records } = reader.read(rest, 1)
        rest = rest.subarray(length)
        sinceEnd += length
        if (records === 0) continue
        found.push(sinceEnd)
        sinceEnd = 0
      }
    }
    t.strictSame(found, sizes, `in pieces of ${piece}`)
  }
  t.strictSame(new RecordReader().read(bytes, 2), { length: 11, records: 2 })
  t.strictSame(new RecordReader().read(bytes, Infinity), { length: bytes.length, records: sizes.length })
})

class AcmeWire extends Wire {
  constructor(port: MessagePort) {
    super(port, 'acme')
  }
}

t.test('after the handshake, what a server sends without content is limited', async (t) => {
  keepRunning(t)
  const send = async (records: Buffer, contentOf: (bytes: number) => number | null) => {
    const { near, far } = createPair(AcmeWire)
    far.endHandshake()
    let failure: Error | null = null
    far
      .on('error', (error) => (failure = error))
      .on('data', (bytes: Buffer) => {
        for (let at = 0; at < bytes.length; at += records.readUInt16BE(3) + 5) {
          const content = contentOf(records.readUInt16BE(3))
          if (content !== null) far.countContent(content)
        }
      })
    near.on('error', () => {})
    for (let part = 0; part < 2_000 && !near.destroyed; part++) {
      // Rejects with the error, which the other end reports.
      if (!near.write(records)) await once(near, 'drain').catch(() => {})
    }
    near.destroy()
    return failure
  }
  const reset = { name: 'RequestError', code: 'reset' }
  t.equal(await send(createRecord(1024), (bytes) => bytes), null)
  t.match(await send(createRecord(1024), () => 1), reset, 'too many bytes')
  t.equal(await send(createKeyUpdates(10), (bytes) => bytes), null)
  t.match(await send(createKeyUpdates(10), () => null), reset, 'too many records')
})

t.test('records of an owner that used much take turns with those of others', async (t) => {
  keepRunning(t)
  const steps = { passed: 0, left: 2_000 }
  class CostlyWire extends Wire {
    constructor(port: MessagePort) {
      super(port, 'attacker')
    }

    protected override pass(bytes: Buffer): void {
      const untilMs = performance.now() + 4
      while (performance.now() < untilMs);
      steps.passed += 1
      super.pass(bytes)
    }
  }
  const [attacker, neighbor] = [createPair(CostlyWire), createPair(AcmeWire)]
  attacker.far.endHandshake()
  neighbor.far.endHandshake()
  for (const { near, far } of [attacker, neighbor]) {
    near.on('error', () => {})
    far.on('error', () => {})
  }
  attacker.far.on('data', (bytes: Buffer) => (steps.left -= bytes.length / 27))
  attacker.near.write(createKeyUpdates(steps.left))
  while (steps.passed < 20) await wait(1)
  const before = steps.passed
  neighbor.near.write(createKeyUpdates(1))
  await once(neighbor.far, 'data')
  t.ok(steps.passed - before <= 4, `after ${steps.passed - before} steps`)
  t.ok(steps.left > 0)
  while (steps.left > 0) await wait(1)
  t.equal(steps.passed, Math.ceil(2_000 / 32))

  // The same over many connections.
  await wait(2_000)
  const others = Array.from({ length: 60 }, () => createPair(CostlyWire))
  steps.passed = 0
  for (const { near, far } of others) {
    far.endHandshake()
    near.on('error', () => {}).write(createKeyUpdates(32))
    far.on('error', () => {}).resume()
  }
  while (steps.passed === 0) await wait(1)
  neighbor.near.write(createKeyUpdates(1))
  await once(neighbor.far, 'data')
  t.ok(steps.passed < 30, `after ${steps.passed} steps`)
  while (steps.passed < others.length) await wait(1)
  for (const { near } of [attacker, neighbor, ...others]) near.destroy()
})
