import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Target } from '../../../../../lib/address-policy/target.ts'
import { createEgressPolicy, type EgressPolicyOptions } from './egress-policy.ts'
import { forward, type ForwardJob, joinTunnel, MAX_HEADER_BYTES, sendReply } from './forward.ts'
import { authenticate, createProxySession } from './proxy-session.ts'
import type { ProxySession, SessionLimits, UsageMeter } from './proxy-session.ts'
import { FORBIDDEN, LIMIT_EXCEEDED, type Reply, toReply, toWireFormat, UNAUTHENTICATED } from './replies.ts'

export type { ProxySession, SessionLimits } from './proxy-session.ts'
export { PROXY_ERROR_HEADER } from './replies.ts'

/** What one inspection may transfer. */
export const CHECK_LIMITS: SessionLimits = { bytes: 30 * 2 ** 20, requests: 300 }

/** An HTTP proxy on loopback that checks every request, tunnel and WebSocket of a browser. */
export interface EgressProxy {
  /** For the browser: `http://127.0.0.1:<port>`. */
  url: string
  openSession: (limits: SessionLimits) => ProxySession
  /** Closes all connections and the server. */
  close: () => Promise<void>
}

/**
 * Opens the egress proxy on a random port of loopback. It serves only clients with the credentials
 * of a session. For each request it resolves the host name, checks all its addresses by the address
 * policy, and connects to a checked address. Allowed are public hosts on the ports 80 and 443, and
 * the entries of `allow` (OUTBOUND_ALLOW). Throws an AllowListError if the list cannot be parsed.
 */
export async function openEgressProxy(options: EgressPolicyOptions): Promise<EgressProxy> {
  const policy = createEgressPolicy(options)
  const meters = new Map<string, UsageMeter>()
  const sessions = new Set<ProxySession>()
  const clients = new Set<Socket>()
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 10_000,
    requestTimeout: 60_000,
    connectionsCheckingInterval: 5_000,
    keepAliveTimeout: 30_000
  })

  /** Checks a request and connects to its target. Returns the proxy's own reply if it is refused. */
  async function connectToTarget(
    request: IncomingMessage,
    client: Socket,
    parseTarget: (address: string) => Target | null
  ): Promise<Reply | ForwardJob> {
    const meter = authenticate(meters, request.headers['proxy-authorization'])
    if (meter === null) return UNAUTHENTICATED
    meter.closeWithSession(client)
    if (!meter.takeRequest()) return LIMIT_EXCEEDED
    const address = request.url ?? ''
    const target = parseTarget(address)
    const block = () => {
      meter.recordBlocked(target === null ? describeAddress(address) : hostAndPort(target))
      return FORBIDDEN
    }
    if (target === null) return block()
    try {
      return { target, meter, socket: await policy.connect(target, meter.signal) }
    } catch (error) {
      const reply = toReply(error)
      return reply === FORBIDDEN ? block() : reply
    }
  }

  async function onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {})
    request.on('error', () => {})
    const job = await connectToTarget(request, request.socket, policy.parseUrl)
    if ('status' in job) {
      // The rest of the body is read, so that the connection can carry the next request.
      request.resume()
      return sendReply(response, job)
    }
    if (response.destroyed || request.socket.destroyed) job.socket.destroy()
    else forward(request, response, job)
  }

  async function onConnect(request: IncomingMessage, browser: Socket, head: Buffer): Promise<void> {
    browser.on('error', () => {})
    const job = await connectToTarget(request, browser, policy.parseAuthority)
    if ('status' in job) browser.end(toWireFormat(job), () => browser.destroySoon())
    else if (browser.destroyed) job.socket.destroy()
    else joinTunnel(browser, job.socket, { meter: job.meter, head })
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
    openSession(limits) {
      const { session, meter } = createProxySession(limits, (username) => {
        meters.delete(username)
        sessions.delete(session)
      })
      meters.set(session.username, meter)
      sessions.add(session)
      return session
    },
    async close() {
      for (const session of sessions) session.revoke()
      for (const socket of clients) socket.destroy()
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    }
  }
}

const hostAndPort = ({ host, port }: Target): string => `${host.includes(':') ? `[${host}]` : host}:${port}`

/** Host and port of an address that is not a valid target, as far as it can be parsed. */
function describeAddress(address: string): string {
  const url = URL.parse(address.includes('://') ? address : `https://${address}`)
  if (url === null || url.hostname === '') return address
  return `${url.hostname}:${url.port || (url.protocol === 'http:' ? 80 : 443)}`
}
