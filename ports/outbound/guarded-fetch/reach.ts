import { type Connection, createConnection, type IdleConnections } from './connections.ts'
import { NoAnswer } from './no-answer.ts'
import { type Connect, openSocket } from './open-socket.ts'
import type { Target } from './target.ts'

/** More of a name's addresses are not tried. */
const MOST_ADDRESSES = 4

export interface ReachOptions {
  connect: Connect
  ca: string | undefined
  /** By `performance.now()`. */
  connectBeforeMs: number
  signal: AbortSignal
  /** Told each address before it is tried. */
  onTry: (address: string) => void
}

/** A connection to one of the vetted addresses that waits for its next request; null when there is none. */
export function takeWaiting (target: Target, vetted: string[], { idle, onTry }: { idle: IdleConnections, onTry: (address: string) => void }): Connection | null {
  for (const address of vetted) {
    const connection = idle.take(target.origin, address)
    if (connection === null) continue
    onTry(address)
    return connection
  }
  return null
}

/** A new connection to the first of the vetted addresses that takes it in its share of the time. Throws the NoAnswer of the last that was tried. */
export async function reach (target: Target, vetted: string[], options: ReachOptions): Promise<Connection> {
  const addresses = vetted.slice(0, MOST_ADDRESSES)
  let failure: unknown
  for (const [index, address] of addresses.entries()) {
    const timeoutMs = (options.connectBeforeMs - performance.now()) / (addresses.length - index)
    options.onTry(address)
    try {
      const socket = await openSocket(target, address, { ...options, timeoutMs })
      return createConnection({ origin: target.origin, address, socket })
    } catch (error) {
      if (options.signal.aborted || !mayTryNext(error)) throw error
      failure = error
    }
  }
  throw failure
}

/** Nothing was sent yet, so another address of the name may have the server. */
function mayTryNext (error: unknown): boolean {
  return error instanceof NoAnswer && (error.error === 'connect' || error.error === 'timeout')
}
