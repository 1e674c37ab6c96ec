import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { reportParsing } from './packet-turns.ts'
import { stopParser } from './parser-stop.ts'

/** Requests of a connection that may wait for earlier ones. Browsers send none ahead, proxies a few. */
const MAX_WAITING = 100
/** What one of them costs the parser, in steps of `reportParsing`. */
const PARSER_STEPS = 10

export interface Pipeline {
  /** Handles the requests of a connection one after another. */
  inOrder: (listener: RequestListener) => RequestListener
  /** Whether a request of the connection is in progress, whose head was received. */
  isBusy: (socket: Socket) => boolean
  /** Calls a function once when a busy connection has no request in progress any more. */
  onceIdle: (socket: Socket, run: () => void) => void
}

interface Connection {
  isBusy: boolean
  waiting: (() => void)[]
  onIdle: (() => void) | null
}

/**
 * Handles the requests of a connection one after another. Responses have to be sent in the order of
 * the requests anyway (RFC 9112, section 9.3.2), and Node starts every request that it finds in a
 * packet at once: thousands of them, sent ahead by one client, would make the others wait. A
 * connection with more than 100 waiting requests is closed.
 */
export function createPipeline(): Pipeline {
  const connections = new WeakMap<Socket, Connection>()

  function connectionOf(socket: Socket): Connection {
    const known = connections.get(socket)
    if (known !== undefined) return known
    const connection = { isBusy: false, waiting: [], onIdle: null }
    connections.set(socket, connection)
    return connection
  }

  const inOrder: Pipeline['inOrder'] = (listener) => (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    if (socket.destroyed) return
    const connection = connectionOf(socket)
    const { waiting } = connection

    function start(): void {
      response.once('close', () => {
        const next = waiting.shift()
        connection.isBusy = next !== undefined
        if (next === undefined && connection.onIdle !== null) {
          connection.onIdle()
          connection.onIdle = null
        }
        // Not at once: other connections come in between.
        if (next !== undefined) setImmediate(next)
      })
      listener(request, response)
    }
    function startUnlessClosed(): void {
      if (socket.destroyed) waiting.length = 0
      else start()
    }

    if (!connection.isBusy) {
      connection.isBusy = true
      start()
      return
    }
    reportParsing(socket, PARSER_STEPS)
    if (waiting.length < MAX_WAITING) waiting.push(startUnlessClosed)
    else stopParser(socket, () => socket.destroy())
  }

  return {
    inOrder,
    isBusy: (socket) => connections.get(socket)?.isBusy ?? false,
    onceIdle: (socket, run) => {
      connectionOf(socket).onIdle = run
    }
  }
}
