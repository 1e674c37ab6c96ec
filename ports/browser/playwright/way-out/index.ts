import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Target } from '../../../../lib/address-policy/target.ts'
import { findLedger } from './credentials.ts'
import { createDoor, type DoorOptions } from './door.ts'
import { answer, forward, HEADER_BYTES } from './forward.ts'
import { createPass, type Ledger, type Pass, type PassLimits } from './pass.ts'
import { FORBIDDEN, onTheWire, OVERDRAWN, type Reply, replyTo, UNAUTHENTICATED } from './replies.ts'
import { joinTunnel } from './tunnel.ts'

export type { Pass, PassLimits } from './pass.ts'
export { MARK } from './replies.ts'

export const CHECK_LIMITS: PassLimits = { bytes: 30 * 2 ** 20, requests: 300 }

/**
 * A browser's only way out: an HTTP proxy on loopback that judges every request, tunnel and
 * WebSocket by itself.
 */
export interface WayOut {
  /** For the browser: `http://127.0.0.1:<port>`. */
  url: string
  admit: (limits: PassLimits) => Pass
  /** Cuts everything, and ends. */
  close: () => Promise<void>
}

/**
 * Opens the way out on a random port of loopback. Only who has a pass is served. A name is resolved
 * here, all its addresses are judged by the rules of the outbound door, and the judged
 * one is connected to, for each request anew. Public hosts on the ports 80 and 443 may be reached,
 * and what `allow` (OUTBOUND_ALLOW) names. Throws a StartError for a list that cannot be read.
 */
export async function openWayOut(options: DoorOptions): Promise<WayOut> {
  const door = createDoor(options)
  const ledgers = new Map<string, Ledger>()
  const passes = new Set<Pass>()
  const clients = new Set<Socket>()
  const server = createServer({
    maxHeaderSize: HEADER_BYTES,
    headersTimeout: 10_000,
    requestTimeout: 60_000,
    connectionsCheckingInterval: 5_000,
    keepAliveTimeout: 30_000
  })

  /** A reply of ours, or the way to the target. */
  async function lead(
    request: IncomingMessage,
    client: Socket,
    read: (address: string) => Target | null
  ): Promise<Reply | { target: Target; socket: Socket; ledger: Ledger }> {
    const ledger = findLedger(ledgers, request.headers['proxy-authorization'])
    if (ledger === null) return UNAUTHENTICATED
    ledger.hold(client)
    if (!ledger.takeRequest()) return OVERDRAWN
    const address = request.url ?? ''
    const target = read(address)
    const refuse = () => {
      ledger.refuse(target === null ? hostOf(address) : hostAndPort(target))
      return FORBIDDEN
    }
    if (target === null) return refuse()
    try {
      return { target, ledger, socket: await door.open(target, ledger.signal) }
    } catch (error) {
      const reply = replyTo(error)
      return reply === FORBIDDEN ? refuse() : reply
    }
  }

  async function onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {})
    request.on('error', () => {})
    const way = await lead(request, request.socket, door.readUrl)
    if ('status' in way) {
      // What is left of the body is read, so that the connection can carry the next request.
      request.resume()
      return answer(response, way)
    }
    if (response.destroyed || request.socket.destroyed) way.socket.destroy()
    else forward(request, response, way)
  }

  async function onConnect(request: IncomingMessage, browser: Socket, head: Buffer): Promise<void> {
    browser.on('error', () => {})
    const way = await lead(request, browser, door.readAuthority)
    if ('status' in way) browser.end(onTheWire(way), () => browser.destroySoon())
    else if (browser.destroyed) way.socket.destroy()
    else joinTunnel(browser, way.socket, { ledger: way.ledger, head })
  }

  server.on('connection', (socket: Socket) => {
    clients.add(socket.once('close', () => clients.delete(socket)))
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    onRequest(request, response).catch(() => response.destroy())
  })
  server.on('connect', (request: IncomingMessage, browser: Socket, head: Buffer) => {
    onConnect(request, browser, head).catch(() => browser.destroy())
  })
  server.on('clientError', (_error, socket) => {
    socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    admit(limits) {
      const { pass, ledger } = createPass(limits, (username) => {
        ledgers.delete(username)
        passes.delete(pass)
      })
      ledgers.set(pass.username, ledger)
      passes.add(pass)
      return pass
    },
    async close() {
      for (const pass of passes) pass.revoke()
      for (const socket of clients) socket.destroy()
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    }
  }
}

const hostAndPort = ({ host, port }: Target): string => `${host.includes(':') ? `[${host}]` : host}:${port}`

/** Of what could not be read as a target, as far as it can be told. */
function hostOf(address: string): string {
  const url = URL.parse(address.includes('://') ? address : `https://${address}`)
  if (url === null || url.hostname === '') return address
  return `${url.hostname}:${url.port || (url.protocol === 'http:' ? 80 : 443)}`
}
