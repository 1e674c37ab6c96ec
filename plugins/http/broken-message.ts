import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ApiError } from '../../errors.ts'
import { problemBody, type ProblemPlace } from './problem.ts'

/** How long a client may take to read what it was told before its connection is closed for good. */
export const LINGER_MS = 2000

/**
 * The answer that is under way on the connection, or next. Node keeps it here; its own answer to
 * broken messages looks there too.
 */
const answerOf = (socket: Socket) =>
  (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined

/**
 * Resolves when every request that came whole on this connection has been answered, so that what is
 * said about broken bytes
 * behind them is not taken for the answer to one of them (RFC 9112, section 9.3.2). False when
 * nothing can be said any more.
 */
export async function whenAnswered(socket: Socket): Promise<boolean> {
  for (;;) {
    const answer = answerOf(socket)
    if (!socket.writable) return false
    if (answer === undefined) return true
    // The request under way is the broken one: its answer is ours to give, unless it has begun.
    if (!answer.req.complete) return !answer.headersSent
    await new Promise<void>((resolve) => {
      answer.once('close', resolve)
    })
  }
}

/** An error as a whole HTTP message, for where there is no request to answer. */
export function rawAnswer(refusal: ApiError, headers: Record<string, string>, place: ProblemPlace): string {
  const body = JSON.stringify(problemBody(refusal, place))
  const lines = Object.entries({
    ...headers,
    ...refusal.options.headers,
    'x-request-id': place.requestId,
    'x-content-type-options': 'nosniff',
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    date: new Date().toUTCString(),
    connection: 'close'
  })
  return [
    `HTTP/1.1 ${refusal.statusCode} ${STATUS_CODES[refusal.statusCode]}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    '',
    body
  ].join('\r\n')
}

/**
 * Says the last words. Closing at once while bytes are unread would make the system throw them away
 * (RFC 9112, section 9.6), so the rest is read for a while.
 */
export function endGently(socket: Socket, text: string): void {
  const timer = setTimeout(() => {
    socket.destroy()
  }, LINGER_MS).unref()
  socket.once('close', () => {
    clearTimeout(timer)
  })
  socket.once('end', () => {
    socket.destroySoon()
  })
  socket.resume()
  socket.end(text)
}
