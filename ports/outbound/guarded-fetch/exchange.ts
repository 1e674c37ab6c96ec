import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { NoAnswer } from '../judging/no-answer.ts'
import { type Connection, ConnectionGone, endConnection } from './connections.ts'
import type { Lifetime } from './lifetime.ts'

export interface Message {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body: string | Uint8Array
  maxBytes: number
  refuseLarger: boolean
}

export interface Answer {
  status: number
  headers: Record<string, string>
  body: Buffer
  truncated: boolean
}

const REDIRECTS = [301, 302, 303, 307, 308]
const TOO_LARGE = 'The answer is larger than what is read of it.'

/**
 * Sends a message over a connection and reads the answer, up to its bytes; informational ones are
 * passed over. Afterwards the connection is closed, or can carry the next. Throws NoAnswer:
 * `redirect`, `too_large`, `reset`,
 * `tls` and the reason why its time is over; and ConnectionGone when the connection was closed
 * before anything was sent.
 */
export function exchange(
  connection: Connection,
  message: Message,
  life: Pick<Lifetime, 'over' | 'tell'>
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  let status = 0
  let answered: Record<string, string> = {}
  let truncated = false
  const chunks: Buffer[] = []
  let read = 0

  const end = (error: Error) => {
    life.tell(null)
    reject(error)
  }
  const finish = (controller: Dispatcher.DispatchController | null, refusal?: NoAnswer) => {
    life.tell(null)
    if (refusal) reject(refusal)
    else {
      resolve({ status, headers: answered, body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks), truncated })
    }
    controller?.abort(new Error('Enough was read'))
  }

  life.tell((reason) => {
    reject(reason)
    endConnection(connection)
  })
  if (life.over() !== null) return promise
  connection.expectAnswer()
  const { method, path, headers, body, maxBytes, refuseLarger } = message
  connection.client.dispatch(
    { method, path, headers, body },
    {
      onRequestStart() {},
      onResponseStart(controller, code, given) {
        // An informational answer comes here too; the one after it takes its place.
        status = code
        answered = plainHeaders(given)
        if (REDIRECTS.includes(status)) {
          return finish(
            controller,
            new NoAnswer('redirect', `The server answered with a redirect (${status}), which is not followed.`, status)
          )
        }
        if (refuseLarger && Number(given['content-length']) > maxBytes) {
          finish(controller, new NoAnswer('too_large', TOO_LARGE))
        }
      },
      onResponseData(controller, chunk) {
        const room = maxBytes - read
        chunks.push(chunk.subarray(0, room))
        read += chunk.length
        if (chunk.length <= room) return
        truncated = true
        finish(controller, refuseLarger ? new NoAnswer('too_large', TOO_LARGE) : undefined)
      },
      onResponseEnd() {
        finish(null)
      },
      onResponseError(_controller, error) {
        end(broken(error))
      }
    }
  )
  return promise
}

/**
 * Lines of one name are joined (RFC 9110, section 5.3). A name is never taken for a property that
 * every object has.
 */
function plainHeaders(given: IncomingHttpHeaders): Record<string, string> {
  // Mostly there is nothing to join.
  if (Object.values(given).every((value) => typeof value === 'string')) return given as Record<string, string>
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')])
  )
}

function broken(error: NodeJS.ErrnoException): Error {
  if (error instanceof ConnectionGone) return error
  const code = error.code ?? ''
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return new NoAnswer('too_large', 'The headers of the answer are too large.')
  if (code.startsWith('ERR_SSL')) return new NoAnswer('tls', `TLS failed (${code}).`)
  if (code.startsWith('HPE_')) return new NoAnswer('reset', `The answer is not HTTP/1.1 (${code}).`)
  return new NoAnswer('reset', 'The connection was cut before the whole answer had come.')
}
