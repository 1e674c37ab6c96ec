import type { Socket } from 'node:net'
import { Client } from 'undici'
import { skipContinue } from './skip-continue.ts'

/** An answer's head may be this long: status line and headers together. */
const HEADER_BYTES = 16_384
/**
 * How long an unused connection is kept when the server does not say; and the longest however long
 * it says.
 */
const IDLE_MS = 4_000
const LONGEST_IDLE_MS = 60_000

/** One connection to one vetted address, used by one request at a time. */
export interface Connection {
  /** Whom it leads to: origin and address. */
  key: string
  client: Client
  socket: Socket
  /** To be called before each request. */
  expectAnswer: () => void
}

/**
 * What is thrown instead of connecting again: a connection that is gone is replaced by the door,
 * which vets its address first. Nothing was sent then.
 */
export class ConnectionGone extends Error {
  override readonly name = 'ConnectionGone'
}

/** Makes a connection of a socket that is open already. */
export function createConnection({
  origin,
  address,
  socket
}: {
  origin: string
  address: string
  socket: Socket
}): Connection {
  let given = false
  const client = new Client(origin, {
    connect(_where, callback) {
      const again = given
      given = true
      // Called back later, as a connection would be: undici does not go on with the request
      // otherwise.
      queueMicrotask(() => (again ? callback(new ConnectionGone(), null) : callback(null, socket)))
    },
    allowH2: false,
    maxHeaderSize: HEADER_BYTES,
    // The door keeps the time of the whole.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: LONGEST_IDLE_MS
  })
  return { key: keyOf(origin, address), client, socket, expectAnswer: skipContinue(socket) }
}

function keyOf(origin: string, address: string): string {
  return `${origin} ${address}`
}

/** Closes a connection at once, whatever runs on it; what runs is rejected. */
export function endConnection({ client, socket }: Connection): void {
  socket.destroy()
  client.destroy(() => {})
}

/** Connections that wait for their next request, at most `most` of them. */
export interface IdleConnections {
  /**
   * Takes the one that was used last, of this origin and address alone; null when there is none.
   */
  take: (origin: string, address: string) => Connection | null
  /**
   * Keeps it for the next request, unless it is closed; over the number, the one that waits longest
   * is closed.
   */
  keep: (connection: Connection) => void
  close: () => void
}

/** Makes an empty place for waiting connections. */
export function openIdleConnections(most: number): IdleConnections {
  const waiting = new Map<string, Connection[]>()
  const known = new WeakSet<Connection>()
  let count = 0
  let closed = false

  function remove(connection: Connection): void {
    const list = waiting.get(connection.key)
    const index = list?.lastIndexOf(connection) ?? -1
    if (list === undefined || index === -1) return
    list.splice(index, 1)
    count--
    if (list.length === 0) waiting.delete(connection.key)
  }

  return {
    take(origin, address) {
      const connection = waiting.get(keyOf(origin, address))?.at(-1)
      if (connection === undefined) return null
      remove(connection)
      return connection
    },
    keep(connection) {
      if (closed || connection.socket.destroyed) return endConnection(connection)
      if (!known.has(connection)) connection.client.on('disconnect', () => remove(connection))
      known.add(connection)
      const list = waiting.get(connection.key)
      if (list === undefined) waiting.set(connection.key, [connection])
      else list.push(connection)
      count++
      const oldest = count > most ? waiting.values().next().value?.[0] : undefined
      if (oldest === undefined) return
      remove(oldest)
      endConnection(oldest)
    },
    close() {
      closed = true
      const all = [...waiting.values()].flat()
      waiting.clear()
      count = 0
      for (const connection of all) endConnection(connection)
    }
  }
}
