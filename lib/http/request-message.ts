import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { createPartLimit } from './form-parts.ts'
import { IncomingMessage } from './node-http.ts'
import { reportParsing, resumeInTurn } from './packet-turns.ts'
import { stopParser } from './parser-stop.ts'

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
/** What the end of a body costs, in steps of `reportParsing`: 40 µs, and as much for 40 KB. */
const BODY_STEPS = 60
const BYTES_PER_STEP = 700

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

/** Ends the message of a connection, and reports HPE_PAUSED to `clientError`. */
function rejectMessage(socket: Socket): void {
  const { server } = socket as { server?: Server | null }
  stopParser(socket, () => {
    // Node reports it only if the parser has read more of the packet.
    server?.emit('clientError', Object.assign(new Error('The chunks are too small'), { code: 'HPE_PAUSED' }), socket)
  })
}

/** The parser of forms runs in the event loop, and finds the parts and their headers by searching each packet. */
const isForm = ({ headers }: RequestMessage): boolean =>
  headers['content-type']?.toLowerCase().startsWith('multipart/') === true

/**
 * A request whose body is independent of the chunks in which it was sent (RFC 9112, section 7.1).
 * Every chunk costs the parser and each reader of the body about as much as a packet, and a body may
 * have a chunk for each byte: 165,000 in 1 MB. Small chunks are therefore joined to larger ones, once
 * for all readers, and connections that send many, or forms, take turns: in each turn of the event loop, one of
 * them is read, up to one packet of 64 KB. Bodies of thousands of chunks of a few bytes are refused. Forms end after
 * more parts than any may have.
 */
export class RequestMessage extends IncomingMessage {
  #joined: Buffer | null = null
  #length = 0
  #smallChunks = 0
  #isWaiting = false
  #hasStopped = false
  #chunks = 0
  #bytes = 0
  #partLimit: ((chunk: Buffer) => Buffer) | null = null

  /** Called by Node's parser: with false as the result, it stops reading until the next `_read`. */
  override push(chunk: Buffer | null): boolean {
    if (chunk === null) {
      if (this.#smallChunks > 0) reportParsing(this.socket, this.#smallChunks % MAX_SMALL_CHUNKS)
      if (this.#bytes > 0) reportParsing(this.socket, BODY_STEPS + Math.floor(this.#bytes / BYTES_PER_STEP))
    } else {
      this.#chunks += 1
      this.#bytes += chunk.length
      if (this.#chunks > FREE_CHUNKS && !countChunk(this.socket, chunk.length)) {
        rejectMessage(this.socket)
        return false
      }
    }
    if (chunk === null || chunk.length >= SMALL_BYTES) {
      this.#flush()
      if (chunk === null) return super.push(null)
      if (!isForm(this)) return super.push(chunk)
      super.push(this.#limitParts(chunk))
      this.#isWaiting = true
      return false
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
    if (this.#smallChunks % MAX_SMALL_CHUNKS === 0) reportParsing(this.socket, MAX_SMALL_CHUNKS)
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
    if (this.destroyed) return
    const copy = Buffer.from(joined.subarray(0, length))
    super.push(isForm(this) ? this.#limitParts(copy) : copy)
  }

  /** What the parser of the form may read of a chunk: an empty buffer after too many parts. */
  #limitParts(chunk: Buffer): Buffer {
    this.#partLimit ??= createPartLimit(this.headers['content-type']!)
    return this.#partLimit(chunk)
  }

  override _read(size: number): void {
    if (!this.#isWaiting) {
      this.#smallChunks = 0
      super._read(size)
      return
    }
    resumeInTurn(this.socket, () => {
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
