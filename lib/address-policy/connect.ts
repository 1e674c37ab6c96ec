import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import ipaddr from 'ipaddr.js'
import { blockedError, RequestError } from './errors.ts'
import type { Target } from './target.ts'
import { startTls } from './tls/index.ts'

/** At most this many addresses of a name are tried. */
const MAX_ADDRESSES = 4

/** Starts a TCP connection to an address. */
export type ConnectTcp = (to: { address: string; port: number }) => Socket

/** Connects directly. Proxies set in the environment are ignored. */
export const connectDirect: ConnectTcp = ({ address, port }) =>
  connectTcp({ host: address, port, noDelay: true, keepAlive: true })

/** A connection: a socket, or a stream of the bytes within TLS. */
export type OpenSocket = Duplex & { ref: () => unknown; unref: () => unknown }

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
): Promise<{ socket: OpenSocket; address: string }> {
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
export async function openVettedSocket(target: Target, address: string, options: SocketOptions): Promise<OpenSocket> {
  const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(options.timeoutMs)))
  const signal = AbortSignal.any([options.signal, timeout])
  const open: OpenSocket[] = []
  const until = async <Opened extends OpenSocket>(socket: Opened, event: string): Promise<Opened> => {
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
    return target.secure ? await until(startTls(socket, target, options.ca), 'secure') : socket
  } catch (error) {
    for (const socket of open.reverse()) socket.destroy()
    if (options.signal.aborted) throw options.signal.reason
    if (timeout.aborted) throw new RequestError('timeout', 'The connection timed out.')
    throw error instanceof RequestError ? error : toRequestError(phase, error as NodeJS.ErrnoException)
  }
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
