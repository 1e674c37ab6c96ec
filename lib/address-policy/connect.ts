import { constants } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import ipaddr from 'ipaddr.js'
import { blockedError, RequestError } from './errors.ts'
import { HandshakeLimit } from './handshake-limit.ts'
import type { Target } from './target.ts'

/** At most this many addresses of a name are tried. */
const MAX_ADDRESSES = 4

/**
 * The key exchanges of outbound TLS: those of TLS 1.3, and ECDHE with authenticated encryption for TLS 1.2
 * (RFC 9325, section 4.2). Without finite-field Diffie-Hellman: a server chooses its modulus, and one of
 * 10,000 bits takes 0.6 s of the event loop for each handshake.
 */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305'
].join(':')
const CURVES = 'X25519:P-256:P-384'

/** Starts a TCP connection to an address. */
export type ConnectTcp = (to: { address: string; port: number }) => Socket

/** Connects directly. Proxies set in the environment are ignored. */
export const connectDirect: ConnectTcp = ({ address, port }) =>
  connectTcp({ host: address, port, noDelay: true, keepAlive: true })

export interface SocketOptions {
  connect: ConnectTcp
  /** PEM certificates of the authorities to trust instead of the system's. */
  ca?: string
  timeoutMs: number
  /** Its reason is a RequestError. */
  signal: AbortSignal
}

export interface ConnectOptions extends Omit<SocketOptions, 'timeoutMs'> {
  /** By `performance.now()`. */
  connectBeforeMs: number
  /** Called with each address before it is tried. */
  onTry?: (address: string) => void
}

/**
 * Connects to the first vetted address that accepts within its share of the time. Throws the
 * RequestError of the last address that was tried.
 */
export async function connectVetted(
  target: Target,
  vetted: string[],
  options: ConnectOptions
): Promise<{ socket: Socket; address: string }> {
  const addresses = vetted.slice(0, MAX_ADDRESSES)
  let failure: unknown
  for (const [index, address] of addresses.entries()) {
    const timeoutMs = (options.connectBeforeMs - performance.now()) / (addresses.length - index)
    options.onTry?.(address)
    try {
      return { socket: await openVettedSocket(target, address, { ...options, timeoutMs }), address }
    } catch (error) {
      if (options.signal.aborted || !mayTryNextAddress(error)) throw error
      failure = error
    }
  }
  throw failure
}

/** Nothing was sent yet, so another address of the name may serve the request. */
function mayTryNextAddress(error: unknown): boolean {
  return error instanceof RequestError && (error.code === 'connect' || error.code === 'timeout')
}

/**
 * Connects to a vetted address. For https, starts TLS for the target's own name, always verified.
 * Throws a RequestError: `connect`, `tls`, `reset` (cut during the TLS handshake), `timeout`, or
 * `blocked` when the peer turns out to have another address; nothing was sent then.
 */
export async function openVettedSocket(target: Target, address: string, options: SocketOptions): Promise<Socket> {
  const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(options.timeoutMs)))
  const signal = AbortSignal.any([options.signal, timeout])
  const open: Socket[] = []
  const until = async (socket: Socket, event: string) => {
    open.push(socket.on('error', () => {}))
    await once(socket, event, { signal })
    return socket
  }
  let phase: 'connect' | 'tls' = 'connect'
  try {
    signal.throwIfAborted()
    const socket = await until(options.connect({ address, port: target.port }), 'connect')
    if (!isSameAddress(socket.remoteAddress, address)) throw blockedError()
    phase = 'tls'
    return target.secure ? await until(startTls(socket, target, options.ca), 'secureConnect') : socket
  } catch (error) {
    for (const socket of open.reverse()) socket.destroy()
    if (options.signal.aborted) throw options.signal.reason
    if (timeout.aborted) throw new RequestError('timeout', 'The connection timed out.')
    throw error instanceof RequestError ? error : toRequestError(phase, error as NodeJS.ErrnoException)
  }
}

function startTls(socket: Socket, { host, isAddress }: Target, ca: string | undefined): Socket {
  // An address is not a server name (RFC 6066, section 3): the certificate is then checked against
  // `host`.
  const name = isAddress ? { host } : { host, servername: host }
  const limited = new HandshakeLimit(socket)
  return connectTls({
    ...name,
    socket: limited,
    ca,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ciphers: CIPHERS,
    ecdhCurve: CURVES,
    // A server may not ask for another handshake, which would not be limited.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    ALPNProtocols: ['http/1.1']
  }).once('secureConnect', () => limited.endHandshake())
}

function isSameAddress(actual: string | undefined, vetted: string): boolean {
  return (
    actual === vetted ||
    (actual !== undefined &&
      ipaddr.isValid(actual) &&
      ipaddr.parse(actual).toString() === ipaddr.parse(vetted).toString())
  )
}

function toRequestError(phase: 'connect' | 'tls', { code = 'no reason given' }: NodeJS.ErrnoException): RequestError {
  if (code === 'ETIMEDOUT') return new RequestError('timeout', 'The connection timed out.')
  if (phase === 'connect') return new RequestError('connect', `Could not connect to the server (${code}).`)
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return new RequestError('reset', 'The server closed the connection during the TLS handshake.')
  }
  return new RequestError('tls', `Could not establish a trusted TLS connection (${code}).`)
}
