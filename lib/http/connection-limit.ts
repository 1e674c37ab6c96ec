import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { Pipeline } from './pipelining.ts'

/** An idle connection has 12 to 13 KB of memory, so that these have 130 MB. */
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

/**
 * How many files and sockets this process may have open at a time. Node.js raises its limit to the hard limit of the
 * system when it starts. Infinity if there is no limit, or if it is unknown.
 */
function openFileLimit(): number {
  if (process.platform === 'win32') return Infinity
  try {
    // LIMIT SOFT HARD UNITS: https://man7.org/linux/man-pages/man5/proc_pid_limits.5.html
    return parseLimit(/^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1])
  } catch {
    // There is no /proc. The report takes some milliseconds.
    const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } }
    return parseLimit(userLimits?.open_files?.soft)
  }
}

/** `unlimited` and what is missing are no numbers. */
function parseLimit(value: unknown): number {
  const limit = Number(value ?? NaN)
  return Number.isNaN(limit) ? Infinity : limit
}

export interface ConnectionLimitOptions {
  /** Default: 10,000, or less if the process may not have so many files open. */
  maxConnections?: number | undefined
  /** Called for each connection that is closed because there are too many. */
  onTooMany?: ((address: string) => void) | undefined
}

/** The connections of an address, the oldest first. `idle`: those that were not seen with a request. */
interface Client {
  address: string
  open: Set<Socket>
  idle: Set<Socket>
}

/**
 * Limits the open connections of a server: returns a function that must be called with each new one. Without this,
 * clients that open connections and send nothing would use all files that the process may have open, and it could open
 * none: no image, no upload and no socket.
 *
 * If there are too many, one is closed of the address that has the most: the oldest one without a request, as far as
 * that is known. So the connections of one client, or of one proxy, do not keep others from connecting. If it has
 * requests on all of them, its oldest one is closed, unless the new connection is its own, or is of an address that has
 * half as many. Then any connection without a request is closed, or else the new one.
 */
export function createConnectionLimit(
  { isBusy, onceIdle }: Pick<Pipeline, 'isBusy' | 'onceIdle'>,
  { maxConnections = maxConnectionsOf(openFileLimit()), onTooMany = () => {} }: ConnectionLimitOptions = {}
): (socket: Socket) => void {
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
    addIdle(socket, client)
    return client
  }

  function remove(socket: Socket): void {
    const client = clientOf.get(socket)
    if (client?.open.delete(socket) !== true) return
    removeIdle(socket, client)
    move(client, -1)
    if (client.open.size === 0) clients.delete(client.address)
  }

  function addIdle(socket: Socket, client: Client): void {
    idle.add(socket)
    client.idle.add(socket)
  }

  function removeIdle(socket: Socket, client: Client): void {
    idle.delete(socket)
    client.idle.delete(socket)
  }

  /** The first connection without a request. Requests are noticed here, so that they take no time otherwise. */
  function findIdle(sockets: Set<Socket>): Socket | null {
    for (const socket of sockets) {
      if (!isBusy(socket)) return socket
      const client = clientOf.get(socket)!
      removeIdle(socket, client)
      onceIdle(socket, () => {
        if (client.open.has(socket)) addIdle(socket, client)
      })
    }
    return null
  }

  /** The connection that is closed because of a new one, which may be the new one itself. */
  function choose(added: Socket, client: Client): Socket {
    const [largest = client] = byCount.at(-1) ?? []
    const found = findIdle(largest.idle)
    if (found !== null) return found
    const [oldest = added] = largest.open
    if (largest.open.size > 2 * client.open.size) return oldest
    return findIdle(idle) ?? added
  }

  return (socket) => {
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
}
