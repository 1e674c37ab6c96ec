import t from 'tap'
import { encodeFrame, FrameDecoder, FrameError, type Frame } from '../../lib/frames.ts'

const LIMITS = { maxHeaderBytes: 200, maxBodyBytes: 1_000 }
const encode = (header: unknown, body: Buffer[] = []): Buffer => Buffer.concat(encodeFrame(header, body, LIMITS))

/** The frames that a decoder reads from chunks of a size. */
function decode(bytes: Buffer, chunkSize: number): Frame[] {
  const decoder = new FrameDecoder(LIMITS)
  const frames: Frame[] = []
  for (let at = 0; at < bytes.length; at += chunkSize) frames.push(...decoder.push(bytes.subarray(at, at + chunkSize)))
  return frames
}

t.test('frames are read from chunks of any size', async (t) => {
  const sent: Frame[] = [
    { header: { type: 'ping', id: 1 }, body: Buffer.alloc(0) },
    { header: { text: 'ü 漢 \u0001 \u{1f600}' }, body: Buffer.from([0, 1, 2, 255]) },
    { header: null, body: Buffer.alloc(1_000, 7) },
    { header: [], body: Buffer.alloc(0) }
  ]
  const bytes = Buffer.concat(sent.map(({ header, body }) => encode(header, [body])))
  for (const chunkSize of [1, 2, 3, 7, 8, 9, 64, 999, bytes.length]) {
    t.strictSame(decode(bytes, chunkSize), sent, `chunks of ${chunkSize} bytes`)
  }
})

t.test('the parts of a body are joined in order', async (t) => {
  const [frame] = decode(encode({}, [Buffer.from('ab'), Buffer.alloc(0), Buffer.from('c')]), 5)
  t.equal(frame!.body.toString(), 'abc')
})

t.test('a frame above a limit is neither sent nor received', async (t) => {
  const fits = 'x'.repeat(198)
  t.strictSame(decode(encode(fits), 50)[0]!.header, fits, 'a header of the maximum size')
  t.throws(() => encode(`${fits}x`), FrameError)
  t.throws(() => encode({}, [Buffer.alloc(600), Buffer.alloc(401)]), FrameError)
  for (const [header, body] of [
    [201, 0],
    [0, 1_001],
    [0xffffffff, 0xffffffff]
  ] as const) {
    const prefix = Buffer.alloc(8)
    prefix.writeUInt32BE(header, 0)
    prefix.writeUInt32BE(body, 4)
    // Rejected by its length alone: the content is not awaited.
    t.throws(() => new FrameDecoder(LIMITS).push(prefix), FrameError, `${header} + ${body}`)
  }
})

t.test('a header that is not JSON is rejected', async (t) => {
  const prefix = Buffer.from([0, 0, 0, 3, 0, 0, 0, 0])
  for (const header of ['{a}', 'nil', '\xff\xfe\xfd']) {
    t.throws(() => new FrameDecoder(LIMITS).push(Buffer.concat([prefix, Buffer.from(header, 'latin1')])), FrameError)
  }
})

t.test('random bytes give frames or an error, and never more than the limit is buffered', async (t) => {
  let seed = 7
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31)
  for (let round = 0; round < 200; round++) {
    const decoder = new FrameDecoder(LIMITS)
    let error: unknown = null
    for (let chunk = 0; chunk < 20 && error === null; chunk++) {
      try {
        decoder.push(Buffer.from(Array.from({ length: 50 }, () => random() >> 16)))
      } catch (caught) {
        error = caught
      }
    }
    if (!(error instanceof FrameError)) t.fail(`round ${round}: ${String(error)}`)
  }
})
