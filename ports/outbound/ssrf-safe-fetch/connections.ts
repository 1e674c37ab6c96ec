import type { Socket } from 'node:net'
import type { Client } from 'undici'
import { type ConnectOptions, connectVetted, type OpenSocket } from '../../../lib/address-policy/connect.ts'
import type { Target } from '../../../lib/address-policy/target.ts'
import { loadClient } from './client.ts'
import { limitReading, MAX_HEADER_BYTES, type ResponseReading } from './response-reading.ts'

/** How long an idle connection is kept if the server does not say, and at most if it does. */
const IDLE_MS = 4_000
const MAX_IDLE_MS = 60_000

/** A connection to one vetted address, used by one request at a time. */
export interface Connection {
  /** Origin and address. */
  key: string
  address: string
  client: Client
  socket: OpenSocket
  reading: ResponseReading
  /** Called when the connection has been closed. */
  onClosed: (connection: Connection) => void
}

/**
 * Thrown instead of reconnecting. The caller opens a new connection, whose address is vetted first.
 * Nothing was sent.
 */
export class ConnectionGone extends Error {
  override readonly name = 'ConnectionGone'
}

/** Opens a connection to the first vetted address that accepts. Throws a RequestError. */
export async function openConnection(target: Target, vetted: string[], options: ConnectOptions): Promise<Connection> {
  const { socket, address } = await connectVetted(target, vetted, options)
  return createConnection({ origin: target.origin, address, socket })
}

function createConnection({
  origin,
  address,
  socket
}: {
  origin: string
  address: string
  socket: OpenSocket
}): Connection {
  let isUsed = false
  const client = new (loadClient())(origin, {
    connect(_where, callback) {
      const isReconnect = isUsed
      isUsed = true
      // undici continues with the request only if it is called back asynchronously.
      queueMicrotask(() => (isReconnect ? callback(new ConnectionGone(), null) : callback(null, socket as Socket)))
    },
    allowH2: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The deadline of the request covers these.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: MAX_IDLE_MS
  })
  const connection: Connection = {
    key: keyOf(origin, address),
    address,
    client,
    socket,
    reading: limitReading(socket),
    onClosed() {}
  }
  client.on('disconnect', () => connection.onClosed(connection))
  return connection
}

function keyOf(origin: string, address: string): string {
  return `${origin} ${address}`
}

/** Closes a connection at once. A request that is using it is rejected. */
export function closeConnection({ client, socket }: Connection): void {
  socket.destroy()
  client.destroy(() => {})
}

/** A pool of idle connections. */
export interface IdleConnections {
  /**
   * Takes the most recently used connection of this origin to one of these addresses; null when
   * there is none.
   */
  take: (origin: string, addresses: string[]) => Connection | null
  /**
   * Keeps an open connection for the next request. When the pool is full, the connection that has
   * been idle longest is closed.
   */
  keep: (connection: Connection) => void
  close: () => void
}

/** Creates an empty pool of at most `max` connections. */
export function openIdleConnections(max: number): IdleConnections {
  const idle = new Map<string, Connection[]>()
  let count = 0
  let isClosed = false

  function remove(connection: Connection): void {
    const list = idle.get(connection.key)
    const index = list?.lastIndexOf(connection) ?? -1
    if (list === undefined || index === -1) return
    list.splice(index, 1)
    removed(connection, list)
  }

  function removed({ key }: Connection, list: Connection[]): void {
    count--
    if (list.length === 0) idle.delete(key)
  }

  return {
    take(origin, addresses) {
      for (const address of addresses) {
        const list = idle.get(keyOf(origin, address))
        const connection = list?.pop()
        if (list === undefined || connection === undefined) continue
        removed(connection, list)
        return connection
      }
      return null
    },
    keep(connection) {
      if (isClosed || connection.socket.destroyed) return closeConnection(connection)
      connection.onClosed = remove
      const list = idle.get(connection.key)
      if (list === undefined) idle.set(connection.key, [connection])
      else list.push(connection)
      count++
      const oldest = count > max ? idle.values().next().value?.[0] : undefined
      if (oldest === undefined) return
      remove(oldest)
      closeConnection(oldest)
    },
    close() {
      isClosed = true
      const connections = [...idle.values()].flat()
      idle.clear()
      count = 0
      for (const connection of connections) closeConnection(connection)
    }
  }
}
