import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'

/** How long a client may take to read a last response before its connection is destroyed. */
const LINGER_MS = 2000

/** The current response of a connection. Node keeps it here and reads it on parse errors too. */
const currentResponse = (socket: Socket) =>
  (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined

/**
 * Waits until every complete request on the connection has been answered, so that a response to
 * malformed bytes is not taken for the response to an earlier request (RFC 9112, section 9.3.2).
 * Resolves to false when the connection can carry no further response.
 */
export async function waitForResponses(socket: Socket): Promise<boolean> {
  for (;;) {
    const response = currentResponse(socket)
    if (!socket.writable) return false
    if (response === undefined) return true
    // The current request is the malformed one. It gets the response unless one has begun.
    if (!response.req.complete) return !response.headersSent
    await new Promise<void>((resolve) => {
      response.once('close', resolve)
    })
  }
}

/**
 * Sends a last message and closes the connection. The rest of the input is read for a while: the
 * kernel discards the message when a socket with unread bytes is closed (RFC 9112, section 9.6).
 */
export function closeGracefully(socket: Socket, message: string): void {
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
  socket.end(message)
}

/**
 * A response body for a request whose own body has not been read to its end. The client receives
 * the whole body at once; the stream ends after the rest of the request has been read and
 * discarded, or after LINGER_MS. Closing earlier would discard the response (RFC 9112, section
 * 9.6).
 */
export function bodyAfterDraining(request: IncomingMessage, body: string): Readable {
  const end = (): void => {
    clearTimeout(timer)
    if (!response.destroyed && !response.readableEnded) response.push(null)
  }
  const timer = setTimeout(end, LINGER_MS)
  const response = new Readable({
    read() {},
    destroy(error, done) {
      clearTimeout(timer)
      done(error)
    }
  })
  response.push(body)
  if (request.destroyed || request.readableEnded) end()
  request.once('close', end)
  request.once('end', end)
  // Detach any current reader of the body, such as the multipart parser.
  request.unpipe()
  request.resume()
  return response
}
