import { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { limitReading, MAX_HEADER_BYTES } from '../../../ports/outbound/ssrf-safe-fetch/response-reading.ts'

/** A connection whose other end sends what is pushed. */
function connection(t: Test) {
  const socket = new Duplex({ highWaterMark: 1_000_000, read() {}, write() {} }) as unknown as Socket
  const errors: string[] = []
  socket.on('error', (error) => errors.push(error.message))
  t.teardown(() => socket.destroy())
  return { socket, errors, reading: limitReading(socket) }
}

const nextTurn = async () => await new Promise((resolve) => setImmediate(resolve))

/** Reads as undici does, in a turn of its own. Returns the lengths of what it got. */
const readAll = async (socket: Socket): Promise<number[]> => {
  await nextTurn()
  const lengths = []
  for (let part = socket.read() as Buffer | null; part !== null; part = socket.read() as Buffer | null) {
    lengths.push(part.length)
  }
  return lengths
}

/** Reads until nothing is left. Takes several turns if the machine is busy, because a turn ends after 3 ms. */
async function readToEnd(socket: Socket): Promise<number[]> {
  const lengths = await readAll(socket)
  for (let turns = 0; turns < 1000 && !socket.destroyed && socket.readableLength > 0; turns++) {
    lengths.push(...(await readAll(socket)))
  }
  return lengths
}

/** Headers of so many bytes, in few lines. */
const headers = (bytes: number) => `a: ${'b'.repeat(195)}\r\n`.repeat(bytes / 200)

const sum = (lengths: number[]) => lengths.reduce((a, b) => a + b, 0)

t.test('no more than 16 KB of a head are read from a packet', async (t) => {
  const { socket, errors, reading } = connection(t)
  reading.expect(1000)
  socket.push(`HTTP/1.1 200 OK\r\n${headers(60_000)}`)
  t.equal(sum(await readToEnd(socket)), MAX_HEADER_BYTES)
  t.equal(socket.destroyed, true)
  await nextTurn()
  t.strictSame(errors, ['The headers of the response are too large.'])
})

t.test('nor of a head after informational responses, or in small packets', async (t) => {
  const early = connection(t)
  early.reading.expect(1000)
  early.socket.push('HTTP/1.1 103 Early Hints\r\n\r\n')
  t.strictSame(await readAll(early.socket), [28])
  early.reading.endHead(103)
  early.socket.push(headers(60_000))
  t.equal(sum(await readToEnd(early.socket)), MAX_HEADER_BYTES)
  t.equal(early.socket.destroyed, true)

  const slow = connection(t)
  slow.reading.expect(1000)
  let bytes = 0
  for (let count = 0; count < 100; count++) {
    slow.socket.push(headers(400))
    bytes += sum(await readToEnd(slow.socket))
    await nextTurn()
  }
  t.equal(bytes, MAX_HEADER_BYTES)
  t.equal(slow.socket.destroyed, true)
})

t.test('a response has at most 128 headers, and so has an informational one before it', async (t) => {
  const short = (count: number) => 'a: b\r\n'.repeat(count)
  const hints = `HTTP/1.1 103 Early Hints\r\n${short(60)}\r\n`
  for (const [name, head, isAllowed] of [
    ['128', `HTTP/1.1 200 OK\r\n${short(128)}\r\n`, true],
    ['129', `HTTP/1.1 200 OK\r\n${short(129)}\r\n`, false],
    ['lines of the body', `HTTP/1.1 200 OK\r\n${short(100)}\r\n${short(1_000)}`, true],
    ['after an informational response', `${hints}HTTP/1.1 200 OK\r\n${short(100)}\r\n`, true],
    ['too many after it', `${hints}HTTP/1.1 200 OK\r\n${short(129)}\r\n`, false],
    ['in an informational response', `HTTP/1.1 103 Early Hints\r\n${short(129)}\r\n`, false]
  ] as const) {
    for (const size of [7, 100_000]) {
      const { socket, errors, reading } = connection(t)
      reading.expect(10_000)
      for (let at = 0; at < head.length && !socket.destroyed; at += size) {
        socket.push(head.slice(at, at + size))
        await readToEnd(socket)
      }
      await nextTurn()
      t.strictSame(errors, isAllowed ? [] : ['The response has more than 128 headers.'], `${name}, in parts of ${size}`)
    }
  }
})

t.test('a body in the packet of its head is read whole', async (t) => {
  const { socket, errors, reading } = connection(t)
  reading.expect(100_000)
  socket.push(`HTTP/1.1 200 OK\r\ncontent-length: 90000\r\n\r\n${'x'.repeat(90_000)}`)
  await nextTurn()
  const first = socket.read() as Buffer
  reading.endHead(200)
  const lengths = [first.length, ...(await readToEnd(socket))]
  t.equal(sum(lengths), 90_042)
  t.ok(Math.max(...lengths.slice(1)) <= 2048, 'in parts, because trailers that are too large cost CPU time')
  t.strictSame(errors, [])
})

t.test('a response may not be much longer than its content', async (t) => {
  const { socket, errors, reading } = connection(t)
  reading.expect(1000)
  socket.push('HTTP/1.1 200 OK\r\n\r\n')
  await readAll(socket)
  reading.endHead(200)
  socket.push(Buffer.alloc(300_000))
  t.ok(sum(await readToEnd(socket)) < 265_000)
  await nextTurn()
  t.strictSame(errors, ['The server sent more than the response contains.'])
})

t.test('connections whose reading takes long take turns', async (t) => {
  await nextTurn()
  const connections = Array.from({ length: 4 }, () => connection(t))
  const order: string[] = []
  for (const [index, { socket, reading }] of connections.entries()) {
    reading.expect(1_000_000)
    socket.on('readable', () => {
      while (socket.read() !== null) {
        reading.endHead(200)
        order.push(`read ${index}`)
        const until = performance.now() + 10
        while (performance.now() < until);
      }
    })
    socket.push('x'.repeat(1000))
  }
  for (let turn = 0; turn < 6; turn++) {
    await nextTurn()
    order.push('turn')
  }
  t.equal(order.filter((step) => step.startsWith('read')).length, 4, 'all are read')
  t.notMatch(order.join(), /read \d,read/, 'one in each turn')
})

t.test('large responses leave time to small ones', async (t) => {
  await nextTurn()
  const order: string[] = []
  /** Reads a body, of which each part takes longer than a turn. */
  function open(name: string, bytes: number) {
    const { socket, reading } = connection(t)
    reading.expect(1_000_000)
    reading.endHead(200)
    socket.on('readable', () => {
      for (let part = socket.read() as Buffer | null; part !== null; part = socket.read() as Buffer | null) {
        order.push(name)
        const until = performance.now() + 4
        while (performance.now() < until);
      }
    })
    return (more = bytes) => socket.push(Buffer.alloc(more))
  }
  const large = Array.from({ length: 6 }, () => open('large', 20_000))
  const small = open('small', 2_000)
  // Until they are large, each part has a turn of its own.
  for (const push of large) push()
  const firstMs = performance.now()
  while (order.length < 60 && performance.now() - firstMs < 20_000) await nextTurn()
  t.equal(order.length, 60)
  await wait(50)

  order.length = 0
  for (const push of large) push()
  await nextTurn()
  small()
  const startedMs = performance.now()
  while (order.length < 61 && performance.now() - startedMs < 20_000) await nextTurn()
  t.equal(order.length, 61)
  // On a busy machine, a turn may take longer than a pause.
  t.ok(order.indexOf('small') < 4, `the small one does not wait for them: ${order.indexOf('small')}`)
  t.ok(performance.now() - startedMs > 50 * 9, 'they pause after each turn')
})
