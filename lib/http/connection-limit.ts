import type { Socket } from 'node:net'
import { openFileLimit } from '../open-files.ts'

/** An idle connection has about 10 KB, so that these have 100 MB. */
const MAX_CONNECTIONS = 10_000
/** Files for everything else: the store, images, uploads, webhooks and browsers. A part of the limit of the process, */
const RESERVED_SHARE = 0.25
/** and at most so many. */
const MAX_RESERVED = 2_000

/** How many connections a process accepts that may have so many files open. */
export const maxConnectionsOf = (openFiles: number): number =>
  openFiles === Infinity
    ? MAX_CONNECTIONS
    : Math.min(MAX_CONNECTIONS, Math.ceil(openFiles - Math.min(MAX_RESERVED, RESERVED_SHARE * openFiles)))

export interface ConnectionLimitOptions {
  /** Default: 10,000, or less if the process may not have so many files open. */
  maxConnections?: number | undefined
  /** Called for each connection that is closed because there are too many. */
  onTooMany?: ((address: string) => void) | undefined
}

export interface ConnectionLimit {
  /** Must be called for each new connection. */
  accept: (socket: Socket) => void
  /** Must be called when a request of the connection begins, */
  noteRequest: (socket: Socket) => void
  /** and when it has none in progress any more. */
  noteIdle: (socket: Socket) => void
}

/** The connections of an address, the oldest first, and those without a request, the longest idle first. */
interface Client {
  address: string
  open: Set<Socket>
  idle: Set<Socket>
}

/**
 * Limits the open connections of a server. Without this, clients that open connections and send nothing would use
 * all files that the process may have open, and it could open none: no image, no upload and no socket.
 *
 * If there are too many, one is closed of the address that has the most: the one that has been without a request for
 * the longest time. So the connections of one client, or of one proxy, do not keep others from connecting. If it has
 * requests on all of them, its oldest one is closed, unless the new connection is its own, or is of an address that has
 * half as many. Then any connection without a request is closed, or else the new one.
 */
export function createConnectionLimit({
  maxConnections = maxConnectionsOf(openFileLimit()),
  onTooMany = () => {}
}: ConnectionLimitOptions = {}): ConnectionLimit {
  const clients = new Map<string, Client>()
  const clientOf = new WeakMap<Socket, Client>()
  /** Clients by their number of connections, so that the one with the most is found at once. */
  const byCount: Set<Client>[] = []
  const idle = new Set<Socket>()
  let count = 0

  function move(client: Client, change: 1 | -1): void {
    const { size } = client.open
    byCount[size - change]?.delete(client)
    if (size > 0) (byCount[size] ??= new Set()).add(client)
    while (byCount.length > 0 && (byCount.at(-1)?.size ?? 0) === 0) byCount.pop()
    count += change
  }

  function add(socket: Socket): Client {
    const address = socket.remoteAddress ?? ''
    const client = clients.get(address) ?? { address, open: new Set(), idle: new Set() }
    clients.set(address, client)
    clientOf.set(socket, client)
    client.open.add(socket)
    move(client, 1)
    noteIdle(socket)
    return client
  }

  function remove(socket: Socket): void {
    const client = clientOf.get(socket)
    if (client?.open.delete(socket) !== true) return
    noteRequest(socket)
    move(client, -1)
    if (client.open.size === 0) clients.delete(client.address)
  }

  function noteRequest(socket: Socket): void {
    idle.delete(socket)
    clientOf.get(socket)?.idle.delete(socket)
  }

  function noteIdle(socket: Socket): void {
    const client = clientOf.get(socket)
    if (client?.open.has(socket) !== true) return
    idle.add(socket)
    client.idle.add(socket)
  }

  /** The connection that is closed because of a new one, which may be the new one itself. */
  function choose(added: Socket, client: Client): Socket {
    const [largest = client] = byCount.at(-1) ?? []
    const [longestIdle] = largest.idle
    if (longestIdle !== undefined) return longestIdle
    const [oldest = added] = largest.open
    if (largest.open.size > 2 * client.open.size) return oldest
    const [anyIdle = added] = idle
    return anyIdle
  }

  function accept(socket: Socket): void {
    const client = add(socket)
    socket.once('close', () => remove(socket))
    if (count <= maxConnections) return
    const closed = choose(socket, client)
    const { address } = clientOf.get(closed)!
    // Not only when it is closed: that takes until the next turn of the event loop.
    remove(closed)
    closed.destroy()
    onTooMany(address)
  }

  return { accept, noteRequest, noteIdle }
}
