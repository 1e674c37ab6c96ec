import { type IncomingMessage, request as sendRequest, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import type { Target } from '../../../../../lib/address-policy/target.ts'
import type { UsageMeter } from './proxy-session.ts'
import { PROXY_ERROR_HEADER, type Reply, toReply } from './replies.ts'

/** The maximum size of the headers of a response. */
export const MAX_HEADER_BYTES = 32_768
/** A tunnel without traffic for this long is closed. */
const TUNNEL_IDLE_MS = 60_000
const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n'

/** Headers of one connection (RFC 9110, section 7.6.1), and headers between browser and proxy. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'proxy-authenticate',
  'proxy-authentication-info',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'expect',
  PROXY_ERROR_HEADER
])

/** A checked request with a connected socket. */
export interface ForwardJob {
  target: Target
  socket: Socket
  meter: UsageMeter
}

/** Sends a reply of the proxy itself. */
export function sendReply(response: ServerResponse, { status, reason, headers, body }: Reply): void {
  if (response.destroyed || response.headersSent) return
  response.writeHead(status, reason, [...headers, 'content-length', String(Buffer.byteLength(body))])
  response.end(body)
}

/**
 * Forwards a plain HTTP request over a connected socket, and the response back, with backpressure.
 * An error on one side ends the other: a truncated response is truncated for the browser too. The
 * socket is closed at the end.
 */
export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { target, socket, meter }: ForwardJob
): void {
  const count = meter.meter(socket)
  const isChunked = request.headers['transfer-encoding'] !== undefined
  const headers = [
    'Host',
    target.origin.slice('http://'.length),
    ...forwardedHeaders(request.rawHeaders, ['host']),
    ...(isChunked ? ['Transfer-Encoding', 'chunked'] : [])
  ]
  const outgoing = sendRequest({
    method: request.method,
    path: target.path,
    headers,
    createConnection: () => socket,
    maxHeaderSize: MAX_HEADER_BYTES
  })
  const fail = (error: unknown) => {
    socket.destroy()
    if (response.headersSent) response.destroy()
    else sendReply(response, toReply(error))
  }
  response.once('close', () => socket.destroy())
  outgoing.on('information', count)
  outgoing.once('error', fail)
  // A response that switches protocols ends here without an error.
  outgoing.once('close', () => {
    if (!response.headersSent) fail(null)
  })
  outgoing.once('response', (incoming) => {
    incoming.on('data', count)
    try {
      writeHead(response, incoming)
    } catch (error) {
      return fail(error)
    }
    pipeline(incoming, response, (error) => {
      if (error) fail(error)
    })
  })
  request.on('data', count)
  pipeline(request, outgoing, (error) => {
    if (error) fail(error)
  })
}

/** Throws if the status and headers cannot be forwarded unchanged. */
function writeHead(response: ServerResponse, incoming: IncomingMessage): void {
  const status = incoming.statusCode as number
  // Forwarded, a 407 would make the browser ask this proxy for other credentials.
  if (status === 407) throw new Error('The site asks for proxy credentials')
  response.sendDate = false
  // With both headers, Transfer-Encoding wins (RFC 9112, section 6.3).
  const excluded = incoming.headers['transfer-encoding'] === undefined ? [] : ['content-length']
  response.writeHead(status, incoming.statusMessage, forwardedHeaders(incoming.rawHeaders, excluded))
}

/**
 * The headers of a message that a proxy forwards, as alternating names and values in the original
 * order and spelling: without hop-by-hop headers, headers named by Connection, and `excluded`.
 */
function forwardedHeaders(raw: readonly string[], excluded: readonly string[]): string[] {
  const dropped = new Set(HOP_BY_HOP)
  for (let index = 0; index < raw.length; index += 2) {
    if (raw[index]!.toLowerCase() !== 'connection') continue
    for (const name of raw[index + 1]!.split(',')) dropped.add(name.trim().toLowerCase())
  }
  // Even if Connection names it: without a length, another message could be smuggled in the body.
  dropped.delete('content-length')
  for (const name of excluded) dropped.add(name)
  return raw.flatMap((name, index) =>
    index % 2 === 0 && !dropped.has(name.toLowerCase()) ? [name, raw[index + 1]!] : []
  )
}

/**
 * Connects a browser to a site: bytes pass in both directions with backpressure, and the end of one
 * side ends the other. `head` contains the bytes that the browser has already sent.
 */
export function joinTunnel(browser: Socket, site: Socket, { head, meter }: { head: Buffer; meter: UsageMeter }): void {
  const count = meter.meter(site)
  for (const [one, other] of [
    [browser, site],
    [site, browser]
  ] as const) {
    one.setTimeout(TUNNEL_IDLE_MS, () => one.destroy())
    one.on('error', () => one.destroy())
    // Bytes that were already read are still written.
    one.once('close', () => other.destroySoon())
    one.on('data', count)
  }
  browser.write(ESTABLISHED)
  if (head.length > 0) site.write(head)
  browser.pipe(site)
  site.pipe(browser)
}
