import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { LINGER_MS } from './broken-message.ts'

/**
 * The body of an answer after which the connection is closed though the request's own body was not
 * read to its end. The client has it whole at once, by its
 * Content-Length; its end is held back while the rest of the request is read and thrown away, since
 * closing before that would make the system throw the answer
 * away (RFC 9112, section 9.6).
 */
export function heldOpen(request: IncomingMessage, body: string): Readable {
  const end = (): void => {
    clearTimeout(timer)
    if (!answer.destroyed && !answer.readableEnded) answer.push(null)
  }
  const timer = setTimeout(end, LINGER_MS)
  const answer = new Readable({
    read() {},
    destroy(error, done) {
      clearTimeout(timer)
      done(error)
    }
  })
  answer.push(body)
  if (request.destroyed || request.readableEnded) end()
  request.once('close', end)
  request.once('end', end)
  // Whoever read it until now, a parser of forms perhaps, may read no further.
  request.unpipe()
  request.resume()
  return answer
}
