import type { OpenSocket } from '../../../lib/address-policy/connect.ts'
import { RequestError } from '../../../lib/address-policy/errors.ts'

/** Limit of the head of a response: status line and headers together. */
export const MAX_HEADER_BYTES = 16_384

/** Limit of its headers. Each one costs some microseconds. */
const MAX_HEADERS = 128

/** Responses with a status below 200 before the final one. Servers send one or two. */
export const MAX_INFORMATIONAL = 8

/** The error of a request whose server sends informational responses without end. */
export function tooManyInformational(status: number): RequestError {
  const detail = `The server sent more than ${MAX_INFORMATIONAL} informational responses (${status}), or long ones.`
  return new RequestError('reset', detail)
}

const CONTINUE_START = 'HTTP/1.1 100'
const HEAD_END = '\r\n\r\n'
/** Limit of the `100 Continue` responses to one request, together. */
const MAX_CONTINUE_BYTES = 16_384

/** Bytes of a response that are no content: headers, informational responses, and the framing of chunks. */
const MAX_OVERHEAD_BYTES = 65_536

/**
 * After the head, at most so many bytes are given to undici at a time. When trailers are too large, it creates an
 * error for each further one of the part: 80 ms of CPU time for 64 KB.
 */
const PART_BYTES = 2048

const LINE_FEED = 0x0a
/** The place of the first digit of the status: `HTTP/1.1 200`. */
const STATUS_AT = 9

/** Counts the lines of the head of a response, or of an informational one before it. */
class HeadLines {
  /** Whether a head has too many. */
  isTooMany = false
  #count = 0
  #start = ''
  #isFirstLine = true
  #lineBytes = 0
  #hasEnded = false

  /** Adds the next part of what the server sent. */
  add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length && !this.#hasEnded; ) {
      if (this.#isFirstLine) this.#start += bytes.toString('latin1', at, Math.min(bytes.length, at + STATUS_AT + 1))
      const end = bytes.indexOf(LINE_FEED, at)
      this.#lineBytes += (end === -1 ? bytes.length : end) - at
      if (end === -1) return
      at = end + 1
      this.#endLine()
    }
  }

  #endLine(): void {
    // At most a carriage return.
    const isEmpty = this.#lineBytes <= 1
    this.#lineBytes = 0
    this.#isFirstLine = false
    if (!isEmpty) {
      this.#count += 1
      // The first line is that of the status.
      this.isTooMany ||= this.#count > MAX_HEADERS + 1
      return
    }
    this.#hasEnded = this.#start[STATUS_AT] !== '1'
    this.#count = 0
    this.#start = ''
    this.#isFirstLine = true
  }
}

/** What the reading of all responses together may use of one turn of the event loop, in milliseconds. */
const TURN_MS = 3
/** A response of which more has been read is large. Those of webhooks are small. */
const LARGE_BYTES = 16_384
/** After a turn of large responses, others have so many milliseconds: three quarters of the time. */
const LARGE_PAUSE_MS = 9

/**
 * Limits how long connections read in one turn. The function that it returns tells whether a connection may read. If
 * not, `resume` is called in a later turn, which is `schedule`d when one begins.
 */
function createTurns(schedule: (next: () => void) => void): (resume: () => void) => boolean {
  /** The connections that wait for their turn. */
  const waiting: (() => void)[] = []
  /** When the first read of this turn began. Null: none did. */
  let startedMs: number | null = null

  function start(): void {
    const nowMs = performance.now()
    startedMs = nowMs
    schedule(() => {
      startedMs = null
      if (waiting.length > 0) start()
      for (let resume = waiting.shift(); resume !== undefined; resume = waiting.shift()) {
        resume()
        if (performance.now() - startedMs! >= TURN_MS) return
      }
    })
  }

  return (resume) => {
    if (startedMs === null) start()
    if (performance.now() - startedMs! < TURN_MS) return true
    waiting.push(resume)
    return false
  }
}

const mayRead = createTurns((next) => setImmediate(next))
/** Large responses do not delay small ones, and leave time to requests of clients, however many there are. */
const mayReadLarge = createTurns((next) => setTimeout(next, TURN_MS + LARGE_PAUSE_MS))

/** What the reader of a connection reports, for the limits of `limitReading`. */
export interface ResponseReading {
  /** Must be called before each request, with the most bytes of the body that are read. */
  expect: (maxBytes: number) => void
  /** Must be called when the head of a response with this status has been read, also of an informational one. */
  endHead: (status: number) => void
}

/**
 * Limits what undici reads from a socket, whatever the server sends:
 *
 * - A head of more than 16 KB or 128 headers ends the connection (`too_large`). undici limits the bytes only, and goes
 *   on to read what it was given.
 * - Up to 8 `100 Continue` responses are removed. undici closes the connection at one, but a client must
 *   tolerate unsolicited ones (RFC 9110, section 15.2). More of them, or longer ones, end it (`reset`).
 * - A response may have as many bytes as its content once more, and 64 KB (`too_large`). Chunk extensions,
 *   sizes with leading zeros and trailers (RFC 9112, section 7.1) are read by undici and not reported.
 * - When all connections together have read for 3 ms in one turn of the event loop, further ones wait for
 *   their turn. Those that have read more than 16 KB of a body have a quarter of the time.
 */
export function limitReading(socket: OpenSocket): ResponseReading {
  const read = socket.read.bind(socket)
  /** Whether only `100 Continue` responses have been received so far. */
  let isExpecting = false
  /** The beginning of what may be a `100 Continue` response. */
  let held: Buffer | null = null
  let skipped = 0
  let skippedBytes = 0
  let bytesLeft = Infinity
  let isInHead = false
  let bodyBytes = 0
  let headBytesLeft = MAX_HEADER_BYTES
  let lines = new HeadLines()
  let isWaiting = false

  function end(error: RequestError): null {
    held = null
    socket.destroy(error)
    return null
  }

  function skipContinue(chunk: Buffer): Buffer | null {
    let bytes = held === null ? chunk : Buffer.concat([held, chunk])
    held = null
    while (bytes.length > 0) {
      const start = bytes.toString('latin1', 0, CONTINUE_START.length)
      if (!CONTINUE_START.startsWith(start)) {
        isExpecting = false
        return bytes
      }
      const headEnd = start === CONTINUE_START ? bytes.indexOf(HEAD_END) : -1
      const length = headEnd === -1 ? bytes.length : headEnd + HEAD_END.length
      if (skipped === MAX_INFORMATIONAL || skippedBytes + length > MAX_CONTINUE_BYTES) {
        return end(tooManyInformational(100))
      }
      if (headEnd === -1) {
        held = bytes
        return null
      }
      skipped += 1
      skippedBytes += length
      bytes = bytes.subarray(length)
    }
    return null
  }

  function resume(): void {
    isWaiting = false
    if (!socket.destroyed) socket.emit('readable')
  }

  /** The next part; null if there is none, or if it belongs to a `100 Continue` response. */
  function readPart(): Buffer | null {
    if (isInHead && headBytesLeft <= 0) {
      return end(new RequestError('too_large', 'The headers of the response are too large.'))
    }
    const length = Math.min(socket.readableLength, isInHead ? headBytesLeft : PART_BYTES)
    const part = read(length) as Buffer
    bytesLeft -= length
    if (!isInHead) bodyBytes += length
    if (bytesLeft < 0) return end(new RequestError('too_large', 'The server sent more than the response contains.'))
    const bytes = isExpecting ? skipContinue(part) : part
    if (!isInHead || bytes === null) return bytes
    headBytesLeft -= bytes.length
    lines.add(bytes)
    if (!lines.isTooMany) return bytes
    return end(new RequestError('too_large', `The response has more than ${MAX_HEADERS} headers.`))
  }

  socket.read = (size?: number) => {
    // Node itself calls `read(0)`, to receive more.
    if (size === 0 || socket.readableLength === 0) return read(size) as null
    while (!socket.destroyed && socket.readableLength > 0) {
      if (isWaiting || !(bodyBytes > LARGE_BYTES ? mayReadLarge : mayRead)(resume)) {
        isWaiting = true
        return null
      }
      const part = readPart()
      if (part !== null) return part
    }
    // Node reports further bytes only after a read that found none.
    return socket.destroyed ? null : (read() as null)
  }

  const startHead = (): void => {
    isInHead = true
    headBytesLeft = MAX_HEADER_BYTES
  }
  return {
    expect(maxBytes) {
      isExpecting = true
      skipped = 0
      skippedBytes = 0
      bodyBytes = 0
      bytesLeft = 2 * maxBytes + MAX_OVERHEAD_BYTES
      lines = new HeadLines()
      startHead()
    },
    endHead(status) {
      if (status < 200) startHead()
      else isInHead = false
    }
  }
}
