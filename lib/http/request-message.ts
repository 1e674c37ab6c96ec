import { IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'

/** Smaller chunks of a body are joined. */
const SMALL_BYTES = 1024
/** The size of the chunks that small ones are joined to. */
const JOINED_BYTES = 16_384
/** A connection that sent more small chunks in one turn of the event loop waits for its next turn. */
const MAX_SMALL_CHUNKS = 100

/** A connection that sends so many chunks is closed, */
const COUNTED_CHUNKS = 1_000
/** if they have fewer bytes on average: Node calls a function for each, so that others would wait. */
const MIN_MEAN_BYTES = 16
/** The first chunks of a body do not count: a short one may have a few. */
const FREE_CHUNKS = 8

/** The chunks that connections have sent since their size was checked last, of all their requests. */
const counts = new WeakMap<Socket, { chunks: number; bytes: number }>()

/** Counts a chunk. Returns false if too many of the connection were tiny. */
function countChunk(socket: Socket, bytes: number): boolean {
  let count = counts.get(socket)
  if (count === undefined) counts.set(socket, (count = { chunks: 0, bytes: 0 }))
  count.chunks += 1
  count.bytes += bytes
  if (count.chunks < COUNTED_CHUNKS) return true
  const isTiny = count.bytes < MIN_MEAN_BYTES * count.chunks
  count.chunks = 0
  count.bytes = 0
  return !isTiny
}

/** `HTTPParser.kOnBody` of Node: the property of the parser with the function that receives each chunk. */
const ON_BODY = 3

/** The parts of Node's parser that stop it. */
interface Parser {
  pause: () => void
  [ON_BODY]: unknown
}

/**
 * Ends the message of a connection, and reports HPE_PAUSED to `clientError`. The parser passes on nothing of the rest
 * of the packet, whose chunks would take milliseconds.
 */
function rejectMessage(socket: Socket): void {
  const { parser, server } = socket as { parser?: Parser | null; server?: Server | null }
  if (parser === null || parser === undefined) return
  const onBody = parser[ON_BODY]
  parser.pause()
  // In a Node whose parser differs, the rest of the packet takes its time.
  if (typeof onBody === 'function') parser[ON_BODY] = null
  setImmediate(() => {
    // Node uses the parser again for other connections.
    if (typeof onBody === 'function') parser[ON_BODY] = onBody
    // Node reports it only if the parser has read more of the packet.
    server?.emit('clientError', Object.assign(new Error('The chunks are too small'), { code: 'HPE_PAUSED' }), socket)
  })
}

/** The connections that wait for their turn. */
const waiting: (() => void)[] = []

/** Calls one waiting function in each turn of the event loop. */
function resumeInTurn(resume: () => void): void {
  if (waiting.push(resume) === 1) setImmediate(resumeNext)
}

function resumeNext(): void {
  waiting.shift()!()
  if (waiting.length > 0) setImmediate(resumeNext)
}

/**
 * A request whose body is independent of the chunks in which it was sent (RFC 9112, section 7.1).
 * Every chunk costs the parser and each reader of the body about as much as a packet, and a body may
 * have a chunk for each byte: 165,000 in 1 MB. Small chunks are therefore joined to larger ones, once
 * for all readers, and connections that send many take turns: in each turn of the event loop, one of
 * them is read, up to one packet of 64 KB. Bodies of thousands of chunks of a few bytes are refused.
 */
export class RequestMessage extends IncomingMessage {
  #joined: Buffer | null = null
  #length = 0
  #smallChunks = 0
  #isWaiting = false
  #hasStopped = false
  #chunks = 0

  /** Called by Node's parser: with false as the result, it stops reading until the next `_read`. */
  override push(chunk: Buffer | null): boolean {
    if (chunk !== null) {
      this.#chunks += 1
      if (this.#chunks > FREE_CHUNKS && !countChunk(this.socket, chunk.length)) {
        rejectMessage(this.socket)
        return false
      }
    }
    if (chunk === null || chunk.length >= SMALL_BYTES) {
      this.#flush()
      return super.push(chunk)
    }
    if (this.#joined === null) {
      this.#joined = Buffer.allocUnsafe(JOINED_BYTES)
      // After the parser has read the whole packet. Node runs `process.nextTick` after every chunk.
      setImmediate(() => this.#flush())
    }
    // A call of `copy` takes longer than these few bytes.
    if (chunk.length < 8) for (const byte of chunk) this.#joined[this.#length++] = byte
    else this.#length += chunk.copy(this.#joined, this.#length)
    this.#smallChunks += 1
    if (this.#smallChunks > MAX_SMALL_CHUNKS) this.#isWaiting = true
    if (this.#length > JOINED_BYTES - SMALL_BYTES) this.#flush()
    // Once is enough: for each further chunk of the packet, Node would stop the connection again.
    const mayContinue = !this.#isWaiting || this.#hasStopped
    this.#hasStopped = this.#isWaiting
    return mayContinue
  }

  #flush(): void {
    const joined = this.#joined
    if (joined === null) return
    this.#joined = null
    const length = this.#length
    this.#length = 0
    // Copied, so that few bytes do not keep the memory of many.
    if (!this.destroyed) super.push(Buffer.from(joined.subarray(0, length)))
  }

  override _read(size: number): void {
    if (!this.#isWaiting) {
      this.#smallChunks = 0
      super._read(size)
      return
    }
    resumeInTurn(() => {
      this.#isWaiting = false
      this.#smallChunks = 0
      super._read(size)
    })
  }

  /**
   * Called by Node when the response has ended before the body. Node would leave the rest of the body
   * to the parser without any limit.
   */
  _dump(): void {
    this.removeAllListeners('data')
    this.resume()
  }
}
