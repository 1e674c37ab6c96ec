import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { problem } from '../../errors.ts'

/** Largest head of a request: request line and headers together. */
const MAX_HEAD_BYTES = 16 * 1024
/** How long the head of a request may take to arrive. */
const HEAD_TIMEOUT_MS = 60_000
/**
 * How long a whole request may take to arrive: an import of a gigabyte over a line of 15 Mbit/s.
 */
const REQUEST_TIMEOUT_MS = 600_000
/** Longer than the 60 s that load balancers keep a connection, so that they close first. */
const KEEP_ALIVE_MS = 65_000

export type BrokenMessageHandler = (error: Error & { code?: string }, socket: Socket) => void

/**
 * Makes the HTTP server. What Node would answer by itself, without the headers that every answer
 * carries, is given to
 * `handle` (a missing Host, an expectation) or to `broken` (what is no HTTP, what is late,
 * CONNECT).
 */
export function createHttpServer(handle: RequestListener, broken: BrokenMessageHandler): Server {
  const server = createServer(
    {
      requireHostHeader: false,
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: HEAD_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS
    },
    handle
  )
  server.on('clientError', (error, socket) => {
    broken(error, socket as Socket)
  })
  server.on('checkExpectation', handle)
  server.on('checkContinue', (request, response) => {
    // Node would write the interim answer into the middle of this answer where it still waits for
    // those to earlier requests.
    if (response.socket !== null) response.writeContinue()
    else {
      response.once('socket', () => {
        if (!response.headersSent) response.writeContinue()
      })
    }
    handle(request, response)
  })
  server.on('connect', (_request, socket) => {
    broken(
      problem('method_not_allowed', 'This is no proxy: CONNECT is not taken.', {
        headers: { Allow: 'DELETE, GET, HEAD, OPTIONS, PATCH, POST' }
      }),
      socket as Socket
    )
  })
  return server
}
