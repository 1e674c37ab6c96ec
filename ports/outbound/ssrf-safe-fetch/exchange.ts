import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { RequestError } from '../../../lib/address-policy/errors.ts'
import { closeConnection, type Connection, ConnectionGone } from './connections.ts'
import type { Deadline } from './deadline.ts'
import { MAX_INFORMATIONAL, tooManyInformational } from './response-reading.ts'

export interface RequestMessage {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body: string | Uint8Array
  maxBytes: number
  rejectLarger: boolean
}

export interface ResponseMessage {
  status: number
  headers: Record<string, string>
  body: Buffer
  truncated: boolean
}

const REDIRECTS = [301, 302, 303, 307, 308]
const TOO_LARGE = 'The response is larger than the limit.'
/** A body in more chunks than this is truncated if they are tiny: each chunk costs CPU time. */
const MAX_TINY_CHUNKS = 1_000
const TINY_CHUNK_BYTES = 64

/**
 * Sends a request over a connection and reads the response, up to `maxBytes`. Informational
 * responses are skipped, up to 8. Afterwards the connection is closed, or can be used again. Throws a
 * RequestError (`redirect`, `too_large`, `reset`, `tls`, or the reason of the deadline), or
 * ConnectionGone when the connection was closed before anything was sent.
 */
export function exchange(
  connection: Connection,
  message: RequestMessage,
  deadline: Pick<Deadline, 'reason' | 'onEnd'>
): Promise<ResponseMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<ResponseMessage>()
  let status = 0
  let responseHeaders: Record<string, string> = {}
  let truncated = false
  const chunks: Buffer[] = []
  let bytesRead = 0
  let informational = 0

  const fail = (error: Error) => {
    deadline.onEnd(null)
    reject(error)
  }
  const finish = (controller: Dispatcher.DispatchController | null, error?: RequestError) => {
    deadline.onEnd(null)
    if (error) reject(error)
    else {
      const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
      resolve({ status, headers: responseHeaders, body, truncated })
    }
    controller?.abort(new Error('The rest of the response is not needed'))
  }

  deadline.onEnd((reason) => {
    reject(reason)
    closeConnection(connection)
  })
  if (deadline.reason() !== null) return promise
  const { method, path, headers, body, maxBytes, rejectLarger } = message
  connection.reading.expect(maxBytes)
  connection.client.dispatch(
    { method, path, headers, body },
    {
      onRequestStart() {},
      onResponseStart(controller, code, received) {
        // Also called for informational responses; the final response replaces them.
        connection.reading.endHead(code)
        if (code < 200 && (informational += 1) > MAX_INFORMATIONAL) {
          return finish(controller, tooManyInformational(code))
        }
        status = code
        responseHeaders = joinHeaders(received)
        if (REDIRECTS.includes(status)) {
          const detail = `The server responded with a redirect (${status}). Redirects are not followed.`
          return finish(controller, new RequestError('redirect', detail, status))
        }
        if (rejectLarger && Number(received['content-length']) > maxBytes) {
          finish(controller, new RequestError('too_large', TOO_LARGE))
        }
      },
      onResponseData(controller, chunk) {
        const room = maxBytes - bytesRead
        chunks.push(chunk.subarray(0, room))
        bytesRead += chunk.length
        const isTrickle = chunks.length > MAX_TINY_CHUNKS && bytesRead < chunks.length * TINY_CHUNK_BYTES
        if (chunk.length <= room && !isTrickle) return
        truncated = true
        finish(controller, rejectLarger ? new RequestError('too_large', TOO_LARGE) : undefined)
      },
      onResponseEnd() {
        finish(null)
      },
      onResponseError(_controller, error) {
        fail(toRequestError(error))
      }
    }
  )
  return promise
}

/** Joins repeated headers (RFC 9110, section 5.3). */
function joinHeaders(received: IncomingHttpHeaders): Record<string, string> {
  // Usually there is nothing to join.
  if (Object.values(received).every((value) => typeof value === 'string')) return received as Record<string, string>
  return Object.fromEntries(
    Object.entries(received).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')])
  )
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
 * The headers to send: the caller's, without compression. Throws a RequestError `blocked` with a
 * detail of its own for a header that is reserved or could break the message. Callers are part of
 * the program, so this is a bug there, and a retry does not help.
 */
export function toRequestHeaders(headers: Record<string, string> = {}): Record<string, string> {
  for (const name of Object.keys(headers)) {
    if (!isAllowedName(name) || !VALUE.test(headers[name] as string)) {
      throw new RequestError('blocked', 'A header of this request is not allowed.')
    }
  }
  return { ...headers, 'accept-encoding': 'identity' }
}
