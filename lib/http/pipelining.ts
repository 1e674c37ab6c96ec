import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createGrowingLru } from '../growing-lru.ts'
import { networkOf } from './client-network.ts'
import { reportParsing, WAITING_END_STEPS } from './packet-turns.ts'
import { headLength } from './request.ts'
import { stopParser } from './parser-stop.ts'

/**
 * Requests of a connection that may wait for earlier ones. Browsers send none ahead, proxies a few. When a connection
 * ends, Node makes an error with a stack trace for each of them, in one turn of the event loop.
 */
const MAX_WAITING = 16
/**
 * The same of all connections of a client, and of all clients. A request with a short head has about 2.5 KB, and each
 * is handled in a turn of its own.
 */
const MAX_OF_CLIENT = 500
const MAX_IN_ALL = 2_000
/**
 * For so long after a connection was closed for too many requests, new connections of its client are not read, in
 * milliseconds: opening and closing them costs more than the requests.
 */
const PENALTY_MS = 1_000
const MAX_PENALTIES = 10_000
/** A request counts once more for so many characters of its head. */
const COUNTED_LENGTH = 2_000
/** What one of them costs the parser, in steps of `reportParsing`, and what one costs that starts at once. */
const WAITING_STEPS = 10
const HEAD_STEPS = 40

export interface Pipeline {
  /** Must be called for each new connection. */
  open: (socket: Socket) => void
  /** Handles the requests of a connection one after another. */
  inOrder: (listener: RequestListener) => RequestListener
  /** Whether a request of the connection is in progress, whose head was received. */
  isBusy: (socket: Socket) => boolean
  /** Calls a function once when a busy connection has no request in progress any more. */
  onceIdle: (socket: Socket, run: () => void) => void
  /** The requests of the connection that wait for an earlier one. */
  countWaiting: (socket: Socket) => number
  /** Whether the request in progress waits for its client: for the rest of its body, or to read the response. */
  waitsForClient: (socket: Socket) => boolean
}

interface Waiting {
  start: () => void
  weight: number
}

interface Connection {
  isBusy: boolean
  /** The request in progress. */
  request: IncomingMessage | null
  waiting: Waiting[]
  client: string
  onIdle: (() => void) | null
}

/** What waits of all connections, and of each client. */
function createWaitingCount() {
  const ofClients = new Map<string, number>()
  let inAll = 0
  return {
    hasRoom: (client: string): boolean => inAll < MAX_IN_ALL && (ofClients.get(client) ?? 0) < MAX_OF_CLIENT,
    add(client: string, weight: number): void {
      inAll += weight
      const ofClient = (ofClients.get(client) ?? 0) + weight
      if (ofClient === 0) ofClients.delete(client)
      else ofClients.set(client, ofClient)
    }
  }
}

/**
 * Handles the requests of a connection one after another. Responses have to be sent in the order of
 * the requests anyway (RFC 9112, section 9.3.2), and Node starts every request that it finds in a
 * packet at once: thousands of them, sent ahead by one client, would make the others wait. A
 * connection is closed if it has more than 16 waiting requests, its client more than 500 on all connections, or all
 * clients together more than 2,000. Then further connections of the client are read a second later.
 */
export function createPipeline(): Pipeline {
  const connections = new WeakMap<Socket, Connection>()
  const count = createWaitingCount()
  /** Until when new connections of a client are not read. */
  const penalties = createGrowingLru<string, number>(MAX_PENALTIES)

  function connectionOf(socket: Socket): Connection {
    const known = connections.get(socket)
    if (known !== undefined) return known
    const connection: Connection = {
      isBusy: false,
      request: null,
      waiting: [],
      client: networkOf(socket.remoteAddress),
      onIdle: null
    }
    connections.set(socket, connection)
    return connection
  }

  /** The next request that waits, unless the connection was closed. */
  function takeNext(socket: Socket, { waiting, client }: Connection): Waiting | undefined {
    const taken = socket.destroyed ? waiting.splice(0) : waiting.splice(0, 1)
    for (const { weight } of taken) count.add(client, -weight)
    return socket.destroyed ? undefined : taken[0]
  }

  const inOrder: Pipeline['inOrder'] = (listener) => (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    if (socket.destroyed) return
    const connection = connectionOf(socket)
    const { waiting, client } = connection

    function start(): void {
      connection.request = request
      response.once('close', () => {
        connection.request = null
        const next = takeNext(socket, connection)
        connection.isBusy = next !== undefined
        if (next === undefined && connection.onIdle !== null) {
          connection.onIdle()
          connection.onIdle = null
        }
        // Not at once: other connections come in between.
        if (next !== undefined) setImmediate(next.start)
      })
      listener(request, response)
    }
    function startUnlessClosed(): void {
      if (socket.destroyed) takeNext(socket, connection)
      else start()
    }

    if (!connection.isBusy) {
      connection.isBusy = true
      reportParsing(socket, HEAD_STEPS)
      start()
      return
    }
    reportParsing(socket, WAITING_STEPS)
    if (waiting.length < MAX_WAITING && count.hasRoom(client)) {
      const weight = 1 + Math.floor(headLength(request) / COUNTED_LENGTH)
      count.add(client, weight)
      waiting.push({ start: startUnlessClosed, weight })
    } else {
      reportParsing(socket, waiting.length * WAITING_END_STEPS)
      penalties.set(client, performance.now() + PENALTY_MS)
      stopParser(socket, () => socket.destroy())
    }
  }

  return {
    open(socket) {
      const untilMs = penalties.get(networkOf(socket.remoteAddress)) ?? 0
      if (untilMs <= performance.now()) return
      // Node starts to read after this turn, even if the connection is paused now. No packet is read before. The timer
      // starts later, because it could end before that, and the connection would stay paused.
      setImmediate(() => {
        const waitMs = untilMs - performance.now()
        if (waitMs <= 0) return
        socket.pause()
        setTimeout(() => socket.resume(), waitMs).unref()
      })
    },
    inOrder,
    isBusy: (socket) => connections.get(socket)?.isBusy ?? false,
    onceIdle: (socket, run) => {
      connectionOf(socket).onIdle = run
    },
    countWaiting: (socket) => connections.get(socket)?.waiting.length ?? 0,
    waitsForClient(socket) {
      const { request } = connectionOf(socket)
      return request !== null && (!request.complete || socket.writableLength > 0)
    }
  }
}
