import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { networkOf } from './client-network.ts'
import type { Pipeline } from './pipelining.ts'
import type { Senders } from './request-senders.ts'

/** An idle connection has 12 to 13 KB of memory, so that these have 130 MB. */
const MAX_CONNECTIONS = 10_000
/** Files for everything else: the store, webhooks and browsers. A part of the limit of the process, */
const RESERVED_SHARE = 0.25
/** and at most so many. */
const MAX_RESERVED = 2_000
/** A client has many connections if it has more than this part of all, */
const MANY_SHARE = 0.01
/** and too many above this one. */
const TOO_MANY_SHARE = 0.1
/** A request is stalled if its client sent or read less than this in a second, for so many milliseconds. */
const MIN_BYTES_PER_SECOND = 1_000
const STALLED_MS = 5_000
/** Connections that are looked at for that with each new one, from this part of the limit on. */
const LOOKED_AT = 100
const LOOKING_SHARE = 0.8

/** A request may have a file open, too: an image that its client has not read yet, or an upload. */
const FILES_OF_CONNECTION = 2

/** How many connections a process accepts that may have so many files open. */
export const maxConnectionsOf = (openFiles: number): number =>
  openFiles === Infinity
    ? MAX_CONNECTIONS
    : Math.min(
        MAX_CONNECTIONS,
        Math.ceil((openFiles - Math.min(MAX_RESERVED, RESERVED_SHARE * openFiles)) / FILES_OF_CONNECTION)
      )

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

export interface ConnectionCounts {
  open: number
  /** Those that were closed because there were too many. */
  closed: number
}

export interface ConnectionLimitOptions {
  /** Default: 10,000, or less if the process may not have so many files open. */
  maxConnections?: number | undefined
  /** How long a request must have been stalled before its connection may be closed, in milliseconds. Default: 5,000. */
  stalledMs?: number
  /** Updated with each connection. */
  counts?: ConnectionCounts
  /** Called with the network of each connection that is closed because there are too many. */
  onTooMany?: ((network: string) => void) | undefined
}

/**
 * Connections without a request, the oldest first. Requests are noticed only when there are too many connections: so
 * `unknown` may have some with a request, or with an account.
 */
interface IdleSockets {
  unknown: Set<Socket>
  authenticated: Set<Socket>
}

/** What a client had sent and read when its connection was looked at. */
interface Look {
  atMs: number
  bytes: number
}

/** The connections of a network, the oldest first. */
interface Client {
  network: string
  open: Set<Socket>
  idle: IdleSockets
}

/**
 * Limits the open connections of a server: returns a function that must be called with each new one. Without this,
 * clients that open connections and send nothing would use all files that the process may have open, and it could open
 * none: no image, no upload and no socket.
 *
 * If there are too many, one is closed:
 * 1. the oldest one without a request and without an account: of the client that has the most, if it has many, or else
 *    of all clients;
 * 2. one whose request waits for its client, which has sent and read next to nothing for seconds;
 * 3. the oldest one of an account without a request, in the same way;
 * 4. the oldest one of the client with the most, or else the new one if its client has at least half as many.
 * Of a client that has a tenth of all connections, the oldest one is closed even if all have requests. So neither the
 * connections of one client nor those of thousands keep others from connecting.
 */
export function createConnectionLimit(
  {
    isBusy,
    onceIdle,
    waitsForClient,
    isAuthenticated
  }: Pick<Pipeline, 'isBusy' | 'onceIdle' | 'waitsForClient'> & Pick<Senders, 'isAuthenticated'>,
  {
    maxConnections = maxConnectionsOf(openFileLimit()),
    stalledMs = STALLED_MS,
    counts = { open: 0, closed: 0 },
    onTooMany = () => {}
  }: ConnectionLimitOptions = {}
): (socket: Socket) => void {
  const clients = new Map<string, Client>()
  const clientOf = new WeakMap<Socket, Client>()
  /** Clients by their number of connections, so that the one with the most is found at once. */
  const byCount: Set<Client>[] = []
  const idle: IdleSockets = { unknown: new Set(), authenticated: new Set() }
  /** All connections. Those that were looked at come last. */
  const all = new Set<Socket>()
  const looks = new WeakMap<Socket, Look>()
  let count = 0

  function move(client: Client, change: 1 | -1): void {
    const { size } = client.open
    byCount[size - change]?.delete(client)
    if (size > 0) (byCount[size] ??= new Set()).add(client)
    while (byCount.length > 0 && (byCount.at(-1)?.size ?? 0) === 0) byCount.pop()
    count += change
    counts.open += change
  }

  function add(socket: Socket): Client {
    const network = networkOf(socket.remoteAddress)
    const client = clients.get(network) ?? {
      network,
      open: new Set(),
      idle: { unknown: new Set(), authenticated: new Set() }
    }
    clients.set(network, client)
    clientOf.set(socket, client)
    client.open.add(socket)
    all.add(socket)
    move(client, 1)
    return client
  }

  function remove(socket: Socket): void {
    const client = clientOf.get(socket)
    if (client?.open.delete(socket) !== true) return
    removeIdle(socket, client)
    all.delete(socket)
    move(client, -1)
    if (client.open.size === 0) clients.delete(client.network)
  }

  function addIdle(socket: Socket, client: Client, kind: keyof IdleSockets): void {
    idle[kind].add(socket)
    client.idle[kind].add(socket)
  }

  function removeIdle(socket: Socket, client: Client): void {
    for (const sockets of [idle, client.idle]) {
      sockets.unknown.delete(socket)
      sockets.authenticated.delete(socket)
    }
  }

  /** The first connection of this kind without a request. Moves those that it finds to be of another kind. */
  function findIdle(sockets: IdleSockets, kind: keyof IdleSockets): Socket | null {
    for (const socket of sockets[kind]) {
      const isBusyNow = isBusy(socket)
      const actual = isAuthenticated(socket) ? 'authenticated' : 'unknown'
      if (!isBusyNow && actual === kind) return socket
      const client = clientOf.get(socket)!
      removeIdle(socket, client)
      if (!isBusyNow) addIdle(socket, client, actual)
      else {
        onceIdle(socket, () => {
          if (client.open.has(socket)) addIdle(socket, client, 'unknown')
        })
      }
    }
    return null
  }

  /** Whether the client of a connection has sent and read next to nothing since it was looked at some time ago. */
  function isStalled(socket: Socket): boolean {
    if (!waitsForClient(socket)) {
      looks.delete(socket)
      return false
    }
    const now: Look = { atMs: performance.now(), bytes: socket.bytesRead + socket.bytesWritten }
    const last = looks.get(socket)
    if (last === undefined) looks.set(socket, now)
    if (last === undefined || now.atMs - last.atMs < stalledMs) return false
    if (now.bytes - last.bytes < (MIN_BYTES_PER_SECOND * (now.atMs - last.atMs)) / 1000) return true
    looks.set(socket, now)
    return false
  }

  /** Looks at some connections in turn, and returns the first one that is stalled. */
  function findStalled(): Socket | null {
    for (const socket of [...all.keys().take(LOOKED_AT)]) {
      if (isStalled(socket)) return socket
      all.delete(socket)
      all.add(socket)
    }
    return null
  }

  /** The connection that is closed because of a new one, which may be the new one itself. */
  function choose(added: Socket, { client, stalled }: { client: Client; stalled: Socket | null }): Socket {
    const [largest = client] = byCount.at(-1) ?? []
    const { size } = largest.open
    const [oldest = added] = largest.open
    const isMuchLarger = size > 2 * client.open.size
    const hasMany = size > MANY_SHARE * maxConnections
    const ofLargest = (kind: keyof IdleSockets) => (hasMany ? findIdle(largest.idle, kind) : null)
    if (isMuchLarger && size > TOO_MANY_SHARE * maxConnections) {
      return ofLargest('unknown') ?? ofLargest('authenticated') ?? oldest
    }
    return (
      ofLargest('unknown') ??
      findIdle(idle, 'unknown') ??
      stalled ??
      ofLargest('authenticated') ??
      findIdle(idle, 'authenticated') ??
      (isMuchLarger ? oldest : added)
    )
  }

  return (socket) => {
    const client = add(socket)
    socket.once('close', () => remove(socket))
    const stalled = count > LOOKING_SHARE * maxConnections ? findStalled() : null
    const closed = count <= maxConnections ? null : choose(socket, { client, stalled })
    if (closed !== socket) addIdle(socket, client, 'unknown')
    if (closed === null) return
    const { network } = clientOf.get(closed)!
    // Not only when it is closed: that takes until the next turn of the event loop.
    remove(closed)
    closed.destroy()
    counts.closed += 1
    onTooMany(network)
  }
}
