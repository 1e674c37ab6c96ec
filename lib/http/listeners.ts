import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer, isIP, type AddressInfo, type ListenOptions, type Server as Listener } from 'node:net'

/*
 * In a turn of the event loop, libuv accepts one connection of each listening socket (libuv pull request 3696), in the
 * order in which they came. A turn of a busy process takes up to 8 ms, so that it would accept 125 connections a
 * second: clients that open more would keep all others waiting. With 16 sockets that listen on the same port, it
 * accepts 16 in each turn. The system divides the connections among them.
 */

/** The sockets of a server that listen. */
const LISTENERS = 16
/** Elsewhere, the system does not divide connections among sockets (`reusePort` of https://nodejs.org/api/net.html). */
const CAN_SHARE = process.platform === 'linux'

async function closed(listener: Listener): Promise<void> {
  listener.close()
  await once(listener, 'close')
}

/**
 * The options with which a server must listen so that `addListeners` can add sockets. Throws the error of listening if
 * another process uses the port: sockets that share it would both get connections. Processes that start within a
 * millisecond are not noticed.
 */
export async function sharedListenOptions({
  host,
  port
}: {
  host: string
  port: number
}): Promise<Pick<ListenOptions, 'reusePort'>> {
  if (!CAN_SHARE) return {}
  // The system chooses a free port for 0.
  if (port !== 0) {
    const exclusive = createServer().listen({ host, port })
    await once(exclusive, 'listening')
    await closed(exclusive)
  }
  return { reusePort: true }
}

/**
 * Opens further sockets that listen on the port of a server, which has to listen with `sharedListenOptions`. Closing
 * the server closes them: its callback is called when the connections of all of them have ended.
 */
export async function addListeners(
  server: Server,
  { host, backlog }: { host: string; backlog: number }
): Promise<void> {
  if (!CAN_SHARE) return
  const { address, port } = server.address() as AddressInfo
  // The options of sockets are those of Node's HTTP server.
  const listeners = Array.from({ length: LISTENERS - 1 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
  )
  const closeServer = server.close.bind(server)
  server.close = (callback) => {
    const others = Promise.all(listeners.map(closed))
    return closeServer((error) => {
      others.then(() => callback?.(error), callback)
    })
  }
  for (const listener of listeners) {
    // Unlike the address of the server, the host may name an interface. A name may have several addresses.
    listener.listen({ host: isIP(host) === 0 ? address : host, port, backlog, reusePort: true })
    await Promise.race([once(listener, 'listening'), once(listener, 'close')])
  }
}
