import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'
import { createConnectionLimit, type ConnectionLimitOptions } from './connection-limit.ts'
import { createServer } from './node-http.ts'
import { RequestMessage } from './request-message.ts'
import { takePacketTurns } from './packet-turns.ts'
import { createPipeline } from './pipelining.ts'
import { createSenders, type Senders } from './request-senders.ts'
import { createRequestTurns } from './request-turns.ts'

/** Maximum size of the request line and the headers together. */
const MAX_HEAD_BYTES = 16 * 1024
const HEAD_TIMEOUT_MS = 60_000
/** Long enough to upload an import of 1 GB at 15 Mbit/s. */
const REQUEST_TIMEOUT_MS = 600_000
/** Longer than the usual 60 s of load balancers, so that they close idle connections first. */
const KEEP_ALIVE_MS = 65_000
/**
 * A connection on which nothing was sent or received for this time during a request is closed: the
 * response stays in memory until the client has read it. Longer than any request takes.
 */
const STALL_TIMEOUT_MS = 120_000

export interface HttpServerOptions extends ConnectionLimitOptions {
  onRequest: RequestListener
  /** Default: no credential is known. */
  senders?: Senders
  /** A malformed message, an oversized head or a timeout. */
  onClientError: (error: Error & { code?: string }, socket: Socket) => void
  /** A CONNECT request. */
  onConnect: (request: IncomingMessage, socket: Socket) => void
  /** In milliseconds. Default: two minutes. */
  stallTimeoutMs?: number
}

/**
 * Creates the HTTP server. Every response of Node's own (missing Host, Expect, parse errors,
 * CONNECT) is passed to a handler instead, so that it carries our headers and a problem document.
 */
export function createHttpServer({
  onRequest,
  senders = createSenders(),
  onClientError,
  onConnect,
  stallTimeoutMs = STALL_TIMEOUT_MS,
  ...limit
}: HttpServerOptions): Server {
  const { inOrder, ...requests } = createPipeline()
  const inTurns = createRequestTurns(senders)
  const handleRequest = inOrder(inTurns(onRequest))
  const server = createServer<typeof IncomingMessage>(
    {
      IncomingMessage: RequestMessage,
      requireHostHeader: false,
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: HEAD_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS
    },
    handleRequest
  )
  server.on('connection', createConnectionLimit({ ...requests, isAuthenticated: senders.isAuthenticated }, limit))
  server.on('connection', requests.open)
  takePacketTurns(server, { isAuthenticated: senders.isAuthenticated, countWaiting: requests.countWaiting })
  server.setTimeout(stallTimeoutMs)
  server.on('clientError', (error, socket) => {
    onClientError(error, socket as Socket)
  })
  server.on('checkExpectation', handleRequest)
  const continueRequest = inOrder(
    inTurns((request, response) => {
      response.writeContinue()
      onRequest(request, response)
    })
  )
  server.on('checkContinue', continueRequest)
  server.on('connect', (request, socket) => {
    onConnect(request, socket as Socket)
  })
  return server
}
