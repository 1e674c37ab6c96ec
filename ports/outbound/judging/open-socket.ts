import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import ipaddr from 'ipaddr.js'
import { blocked, NoAnswer } from './no-answer.ts'
import type { Target } from './target.ts'

/** Begins a TCP connection to an address. */
export type Connect = (to: { address: string; port: number }) => Socket

/** Connects directly; no proxy of the environment is asked. */
export const connectDirectly: Connect = ({ address, port }) =>
  connectTcp({ host: address, port, noDelay: true, keepAlive: true })

export interface SocketOptions {
  connect: Connect
  /** Certificates (PEM) of the authorities to trust instead of the system's. */
  ca?: string
  timeoutMs: number
  /** Its reason is a NoAnswer. */
  signal: AbortSignal
}

/**
 * Opens a connection to a vetted address, and for https makes it TLS for the target's own name,
 * always verified. Throws NoAnswer: `connect`, `tls`, `reset` (cut while TLS was made),
 * `timeout`, and `blocked` when the other end turns out to have another address; then not a byte
 * was written.
 */
export async function openSocket(target: Target, address: string, options: SocketOptions): Promise<Socket> {
  const late = AbortSignal.timeout(Math.max(0, Math.ceil(options.timeoutMs)))
  const signal = AbortSignal.any([options.signal, late])
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
    if (!sameAddress(socket.remoteAddress, address)) throw blocked()
    phase = 'tls'
    return target.secure ? await until(startTls(socket, target, options.ca), 'secureConnect') : socket
  } catch (error) {
    for (const socket of open.reverse()) socket.destroy()
    if (options.signal.aborted) throw options.signal.reason
    if (late.aborted) throw new NoAnswer('timeout', 'The connection was not made in time.')
    throw error instanceof NoAnswer ? error : unreached(phase, error as NodeJS.ErrnoException)
  }
}

function startTls(socket: Socket, { host, isAddress }: Target, ca: string | undefined): Socket {
  // An address is no server name (RFC 6066, section 3); the certificate is checked against `host`
  // then.
  const name = isAddress ? { host } : { host, servername: host }
  return connectTls({
    ...name,
    socket,
    ca,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1']
  })
}

function sameAddress(actual: string | undefined, vetted: string): boolean {
  return (
    actual === vetted ||
    (actual !== undefined &&
      ipaddr.isValid(actual) &&
      ipaddr.parse(actual).toString() === ipaddr.parse(vetted).toString())
  )
}

function unreached(phase: 'connect' | 'tls', { code = 'no reason given' }: NodeJS.ErrnoException): NoAnswer {
  if (code === 'ETIMEDOUT') return new NoAnswer('timeout', 'The connection was not made in time.')
  if (phase === 'connect') return new NoAnswer('connect', `The server could not be connected to (${code}).`)
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return new NoAnswer('reset', 'The server cut the connection while TLS was being made.')
  }
  return new NoAnswer('tls', `A trusted TLS connection could not be made (${code}).`)
}
