import type { Socket } from 'node:net'
import type { Client } from 'undici'
import { type ConnectOptions, connectVetted } from '../../../lib/address-policy/connect.ts'
import { RequestError } from '../../../lib/address-policy/errors.ts'
import type { Target } from '../../../lib/address-policy/target.ts'

/** Limit of the head of a response: status line and headers together. */
const MAX_HEADER_BYTES = 16_384
/** How long an idle connection is kept if the server does not say, and at most if it does. */
const IDLE_MS = 4_000
const MAX_IDLE_MS = 60_000

/** A connection to one vetted address, used by one request at a time. */
export interface Connection {
  /** Origin and address. */
  key: string
  client: Client
  socket: Socket
  /** Must be called before each request, with the most bytes of the body that are read. */
  expectResponse: (maxBytes: number) => void
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
  // Not at the start, which it would slow down.
  const undici = await import('undici')
  return createConnection(undici, { origin: target.origin, address, socket })
}

function createConnection(
  undici: typeof import('undici'),
  { origin, address, socket }: { origin: string; address: string; socket: Socket }
): Connection {
  let isUsed = false
  const client = new undici.Client(origin, {
    connect(_where, callback) {
      const isReconnect = isUsed
      isUsed = true
      // undici continues with the request only if it is called back asynchronously.
      queueMicrotask(() => (isReconnect ? callback(new ConnectionGone(), null) : callback(null, socket)))
    },
    allowH2: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The deadline of the request covers these.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: MAX_IDLE_MS
  })
  return { key: keyOf(origin, address), client, socket, expectResponse: limitReading(socket) }
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
  take: (origin: string, addresses: string[]) => { connection: Connection; address: string } | null
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
  const known = new WeakSet<Connection>()
  let count = 0
  let isClosed = false

  function remove(connection: Connection): void {
    const list = idle.get(connection.key)
    const index = list?.lastIndexOf(connection) ?? -1
    if (list === undefined || index === -1) return
    list.splice(index, 1)
    count--
    if (list.length === 0) idle.delete(connection.key)
  }

  return {
    take(origin, addresses) {
      for (const address of addresses) {
        const connection = idle.get(keyOf(origin, address))?.at(-1)
        if (connection === undefined) continue
        remove(connection)
        return { connection, address }
      }
      return null
    },
    keep(connection) {
      if (isClosed || connection.socket.destroyed) return closeConnection(connection)
      if (!known.has(connection)) connection.client.on('disconnect', () => remove(connection))
      known.add(connection)
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

/** Responses with a status below 200 before the final one. Servers send one or two. */
export const MAX_INFORMATIONAL = 8

/** The error of a request whose server sends informational responses without end. */
export function tooManyInformational(status: number): RequestError {
  const detail = `The server sent more than ${MAX_INFORMATIONAL} informational responses (${status}), or long ones.`
  return new RequestError('reset', detail)
}

const CONTINUE_START = 'HTTP/1.1 100'
const HEAD_END = '\r\n\r\n'
/** Limit of the `100 Continue` responses to one request, together. */
const MAX_CONTINUE_BYTES = 16_384

/** Bytes of a response that are no content: headers, informational responses, and the framing of chunks. */
const MAX_OVERHEAD_BYTES = 262_144

/**
 * Limits what is read from a socket for each response, and removes up to 8 `100 Continue` responses.
 *
 * undici closes the connection at a `100 Continue`, but a client must tolerate unsolicited ones (RFC 9110,
 * section 15.2). More of them, or longer ones, end the connection with a RequestError: a receiver could
 * otherwise send them without end. The same applies to chunk extensions, sizes with leading zeros and
 * trailers (RFC 9112, section 7.1), which undici reads and does not report: a response may have as many
 * bytes as its content once more, and 256 KB.
 *
 * The returned function must be called before each request: only the start of a response is inspected,
 * never a body.
 */
function limitReading(socket: Socket): (maxBytes: number) => void {
  const read = socket.read.bind(socket)
  let isExpecting = false
  let held: Buffer | null = null
  let skipped = 0
  let skippedBytes = 0
  let bytesLeft = Infinity

  function skip(chunk: Buffer): Buffer | null {
    let bytes = held === null ? chunk : Buffer.concat([held, chunk])
    held = null
    while (bytes.length > 0) {
      const start = bytes.toString('latin1', 0, CONTINUE_START.length)
      if (!CONTINUE_START.startsWith(start)) {
        isExpecting = false
        return bytes
      }
      const end = start === CONTINUE_START ? bytes.indexOf(HEAD_END) : -1
      const length = end === -1 ? bytes.length : end + HEAD_END.length
      if (skipped === MAX_INFORMATIONAL || skippedBytes + length > MAX_CONTINUE_BYTES) {
        socket.destroy(tooManyInformational(100))
        return null
      }
      if (end === -1) {
        held = bytes
        return null
      }
      skipped += 1
      skippedBytes += length
      bytes = bytes.subarray(length)
    }
    return null
  }

  socket.read = (size?: number) => {
    const chunk = read(size) as Buffer | null
    if (chunk === null) return null
    bytesLeft -= chunk.length
    if (bytesLeft < 0) {
      socket.destroy(new RequestError('too_large', 'The server sent more than the response contains.'))
      return null
    }
    return isExpecting ? skip(chunk) : chunk
  }
  return (maxBytes) => {
    isExpecting = true
    skipped = 0
    skippedBytes = 0
    bytesLeft = 2 * maxBytes + MAX_OVERHEAD_BYTES
  }
}
