import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { openFileLimit } from '../open-files.ts'
import { isResponding } from './connection.ts'

/** An idle connection has about 10 KB, so that these have 100 MB. */
const MAX_CONNECTIONS = 10_000
/** Files for everything else: the store, images, uploads, webhooks and browsers. A part of the limit of the process, */
const RESERVED_SHARE = 0.25
/** and at most so many. */
const MAX_RESERVED = 2_000
/** Connections of an address that are looked at to find one without a request. */
const MAX_SEEN = 100

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

/**
 * Limits the open connections of a server. Without a limit, clients that open connections and send nothing would use
 * all files that the process may have open, and it could open none: no image, no upload and no socket.
 *
 * If there are too many, the oldest connection without a request in progress is closed, of the address that has the
 * most. So the connections of one client, or of one proxy, do not keep others from connecting. If an address has
 * requests on all of its connections, its oldest connection is closed for one of another address, as long as it has
 * more than half of all. Otherwise one without a request is closed, of any address, or else the new one.
 */
export function limitConnections(
  server: Server,
  { maxConnections = maxConnectionsOf(openFileLimit()), onTooMany = () => {} }: ConnectionLimitOptions = {}
): void {
  /** The open connections of each address, the oldest first. Those that were seen to have a request follow. */
  const byAddress = new Map<string, Set<Socket>>()
  let count = 0

  function add(address: string, socket: Socket): void {
    const open = byAddress.get(address) ?? new Set()
    byAddress.set(address, open.add(socket))
    count += 1
  }

  function remove(address: string, socket: Socket): void {
    const open = byAddress.get(address)
    if (open?.delete(socket) !== true) return
    count -= 1
    if (open.size === 0) byAddress.delete(address)
  }

  /** The address with the most connections. */
  function largest(): string {
    let found = ''
    let most = 0
    for (const [address, open] of byAddress) {
      if (open.size > most) [found, most] = [address, open.size]
    }
    return found
  }

  function findIdle(open: Set<Socket>): Socket | null {
    let seen = 0
    for (const socket of open) {
      if (!isResponding(socket)) return socket
      // Behind the others, so that the next search begins after it.
      open.delete(socket)
      open.add(socket)
      seen += 1
      if (seen === Math.min(MAX_SEEN, open.size)) return null
    }
    return null
  }

  /** The connection that is closed because of a new one, which may be the new one itself. */
  function choose(added: Socket, address: string): { socket: Socket; of: string } {
    const of = largest()
    const open = byAddress.get(of)!
    const idle = findIdle(open)
    if (idle !== null) return { socket: idle, of }
    const [oldest = added] = open
    if (of !== address && open.size > count / 2) return { socket: oldest, of }
    for (const [other, sockets] of byAddress.entries().take(MAX_SEEN)) {
      const socket = other === of ? null : findIdle(sockets)
      if (socket !== null && socket !== added) return { socket, of: other }
    }
    return { socket: added, of: address }
  }

  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    add(address, socket)
    socket.once('close', () => remove(address, socket))
    if (count <= maxConnections) return
    const { socket: closed, of } = choose(socket, address)
    // Not only when it is closed: that takes until the next turn of the event loop.
    remove(of, closed)
    closed.destroy()
    onTooMany(of)
  })
}
