import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { RequestError } from '../../../lib/address-policy/errors.ts'
import type { OutboundRequest } from '../port.ts'
import { closeConnection, type Connection, ConnectionGone } from './connections.ts'
import type { Deadline } from './deadline.ts'
import { MAX_INFORMATIONAL, tooManyInformational } from './response-reading.ts'

export interface RequestMessage {
  method: 'GET' | 'POST'
  path: string
  /** Names and values in turn. */
  headers: string[]
  body: string | Uint8Array
  maxBytes: number
  rejectLarger: boolean
  isEnough: OutboundRequest['isEnough']
}

export interface ResponseMessage {
  status: number
  headers: Record<string, string>
  body: Buffer
  truncated: boolean
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const TOO_LARGE = 'The response is larger than the limit.'
/** A body in more chunks than this is truncated if they are tiny: each chunk costs CPU time. */
const MAX_TINY_CHUNKS = 200
const TINY_CHUNK_BYTES = 64
/** Reading so many bytes takes less than another connection, which is needed if they are not read. */
const SHORT_REST_BYTES = 16_384

/**
 * Sends a request over a connection and reads the response, up to `maxBytes`. Informational
 * responses are skipped, up to 8. Afterwards the connection is closed, or can be used again. Throws a
 * RequestError (`redirect`, `too_large`, `reset`, `tls`, or the reason of the deadline). Resolves with null when
 * the connection was closed before anything was sent.
 */
export function exchange(
  connection: Connection,
  message: RequestMessage,
  deadline: Deadline
): Promise<ResponseMessage | null> {
  const { promise, resolve, reject } = Promise.withResolvers<ResponseMessage | null>()
  deadline.onEnd((reason) => {
    reject(reason)
    closeConnection(connection)
  })
  if (deadline.reason !== null) return promise
  const { method, path, headers, body, maxBytes } = message
  connection.reading.expect(maxBytes)
  const onDone = (response: ResponseMessage | null, error: Error | null): void => {
    deadline.onEnd(null)
    if (error === null || error instanceof ConnectionGone) resolve(response)
    else reject(error)
  }
  connection.client.dispatch({ method, path, headers, body }, new ResponseReader(connection, message, onDone))
  return promise
}

/** Reads one response. A class, because closures for every request would take longer. */
class ResponseReader implements Dispatcher.DispatchHandler {
  readonly #connection: Connection
  readonly #maxBytes: number
  readonly #rejectLarger: boolean
  readonly #isEnough: OutboundRequest['isEnough']
  readonly #onDone: (response: ResponseMessage | null, error: Error | null) => void
  #status = 0
  #headers: Record<string, string> = {}
  #chunks: Buffer[] = []
  #bytesRead = 0
  #informational = 0
  /** The body is looked at when so many bytes have been read. Infinity: never. */
  #nextLook: number

  /** `onDone` may be called more than once. The first call counts. */
  constructor(
    connection: Connection,
    { maxBytes, rejectLarger, isEnough }: RequestMessage,
    onDone: (response: ResponseMessage | null, error: Error | null) => void
  ) {
    this.#connection = connection
    this.#maxBytes = maxBytes
    this.#rejectLarger = rejectLarger
    this.#isEnough = isEnough
    this.#nextLook = isEnough === undefined ? Infinity : 1
    this.#onDone = onDone
  }

  onRequestStart(): void {}

  onResponseStart(controller: Dispatcher.DispatchController, status: number, received: IncomingHttpHeaders): void {
    // Also called for informational responses; the final response replaces them.
    this.#connection.reading.endHead(status)
    if (status < 200 && (this.#informational += 1) > MAX_INFORMATIONAL) {
      return this.#fail(controller, tooManyInformational(status))
    }
    this.#status = status
    this.#headers = joinHeaders(received)
    if (REDIRECTS.has(status)) {
      const detail = `The server responded with a redirect (${status}). Redirects are not followed.`
      return this.#fail(controller, new RequestError('redirect', detail, status))
    }
    if (this.#rejectLarger && Number(received['content-length']) > this.#maxBytes) {
      this.#fail(controller, new RequestError('too_large', TOO_LARGE))
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.#maxBytes - this.#bytesRead
    this.#chunks.push(chunk.length <= room ? chunk : chunk.subarray(0, room))
    this.#bytesRead += chunk.length
    const count = this.#chunks.length
    const isTrickle = count > MAX_TINY_CHUNKS && this.#bytesRead < count * TINY_CHUNK_BYTES
    const isCut = chunk.length > room || isTrickle
    if (!isCut && !this.#hasEnough()) return
    if (isCut && this.#rejectLarger) return this.#fail(controller, new RequestError('too_large', TOO_LARGE))
    this.#finish(true)
    endResponse(controller)
  }

  /** Concatenates what has been read each time: since it has doubled, this takes linear time. */
  #hasEnough(): boolean {
    if (this.#bytesRead < this.#nextLook) return false
    this.#nextLook = 2 * this.#bytesRead
    const left = Number(this.#headers['content-length'] ?? NaN) - this.#bytesRead
    if (left <= SHORT_REST_BYTES) return false
    this.#chunks = [Buffer.concat(this.#chunks)]
    return this.#isEnough!(this.#chunks[0]!, this.#status)
  }

  onResponseEnd(): void {
    this.#finish(false)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#onDone(null, toRequestError(error))
  }

  #finish(truncated: boolean): void {
    const chunks = this.#chunks
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    this.#onDone({ status: this.#status, headers: this.#headers, body, truncated }, null)
  }

  #fail(controller: Dispatcher.DispatchController, error: RequestError): void {
    this.#onDone(null, error)
    endResponse(controller)
  }
}

/** Always the same, because the stack of each would take longer than a small response. Nobody sees it. */
const NOT_NEEDED = new Error('The rest of the response is not needed')

function endResponse(controller: Dispatcher.DispatchController): void {
  controller.abort(NOT_NEEDED)
}

/** Joins repeated headers (RFC 9110, section 5.3). */
function joinHeaders(received: IncomingHttpHeaders): Record<string, string> {
  // Usually there is nothing to join.
  if (!hasRepeated(received)) return received as Record<string, string>
  return Object.fromEntries(
    Object.entries(received).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')])
  )
}

function hasRepeated(received: IncomingHttpHeaders): boolean {
  for (const name in received) if (typeof received[name] !== 'string') return true
  return false
}

function toRequestError(error: NodeJS.ErrnoException): Error {
  if (error instanceof ConnectionGone || error instanceof RequestError) return error
  const code = error.code ?? ''
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new RequestError('too_large', 'The headers of the response are too large.')
  }
  if (code.startsWith('ERR_SSL')) return new RequestError('tls', `TLS failed (${code}).`)
  if (code.startsWith('HPE_')) return new RequestError('reset', `The response is not valid HTTP/1.1 (${code}).`)
  return new RequestError('reset', 'The connection was closed before the response was complete.')
}

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** RFC 9110, section 5.5: visible characters, blanks between them, obs-text; no CR, LF or NUL. */
const VALUE = /^(?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/
/** Headers that callers must not set: destination, framing and connection handling. */
const RESERVED = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'content-length',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'http2-settings',
  'expect',
  'accept-encoding'
])

/** Limit of cached header names. The program uses a few dozen. */
const MAX_CACHED_NAMES = 200
/** Valid header names, as spelled by callers. */
const validNames = new Set<string>()

function isAllowedName(name: string): boolean {
  if (validNames.has(name)) return true
  if (!TOKEN.test(name) || RESERVED.has(name.toLowerCase())) return false
  if (validNames.size < MAX_CACHED_NAMES) validNames.add(name)
  return true
}

/**
 * The headers to send, names and values in turn: the caller's, without compression. Throws a
 * RequestError `blocked` with a detail of its own for a header that is reserved or could break the
 * message. Callers are part of the program, so this is a bug there, and a retry does not help.
 */
export function toRequestHeaders(headers: Record<string, string> = {}): string[] {
  const list = ['accept-encoding', 'identity']
  for (const name in headers) {
    const value = headers[name]!
    if (!isAllowedName(name) || !VALUE.test(value)) {
      throw new RequestError('blocked', 'A header of this request is not allowed.')
    }
    list.push(name, value)
  }
  return list
}
