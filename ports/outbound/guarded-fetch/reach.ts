import { type Connection, createConnection, type IdleConnections } from './connections.ts'
import { NoAnswer } from './no-answer.ts'
import { type Connect, openSocket } from './open-socket.ts'
import type { Target } from './target.ts'

/** More of a name's addresses are not tried. */
const MOST_ADDRESSES = 4

export interface ReachOptions {
  idle: IdleConnections
  connect: Connect
  ca: string | undefined
  /** By `performance.now()`. */
  connectBeforeMs: number
  signal: AbortSignal
  /** Told each address before it is tried. */
  onTry: (address: string) => void
}

/** A connection to one of the vetted addresses: one that waits (`fresh` false), or a new one to the first that takes it in its share of the time. Throws the NoAnswer of the last that was tried. */
export async function reach (target: Target, vetted: string[], options: ReachOptions): Promise<{ connection: Connection, fresh: boolean }> {
  for (const address of vetted) {
    const connection = options.idle.take(target.origin, address)
    if (connection === null) continue
    options.onTry(address)
    return { connection, fresh: false }
  }
  const addresses = vetted.slice(0, MOST_ADDRESSES)
  let failure: unknown
  for (const [index, address] of addresses.entries()) {
    const timeoutMs = (options.connectBeforeMs - performance.now()) / (addresses.length - index)
    options.onTry(address)
    try {
      const socket = await openSocket(target, address, { ...options, timeoutMs })
      return { connection: createConnection({ origin: target.origin, address, socket }), fresh: true }
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
