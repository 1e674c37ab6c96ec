import type { Socket } from 'node:net'
import { NoAnswer } from './no-answer.ts'
import { openSocket, type SocketOptions } from './open-socket.ts'
import type { Target } from './target.ts'

/** More of a name's addresses are not tried. */
const MOST_ADDRESSES = 4

export interface ReachOptions extends Omit<SocketOptions, 'timeoutMs'> {
  /** By `performance.now()`. */
  connectBeforeMs: number
  /** Told each address before it is tried. */
  onTry?: (address: string) => void
}

/**
 * Opens a socket to the first of the vetted addresses that takes it in its share of the time.
 * Throws the NoAnswer of the last that was tried.
 */
export async function reachVetted(
  target: Target,
  vetted: string[],
  options: ReachOptions
): Promise<{ socket: Socket; address: string }> {
  const addresses = vetted.slice(0, MOST_ADDRESSES)
  let failure: unknown
  for (const [index, address] of addresses.entries()) {
    const timeoutMs = (options.connectBeforeMs - performance.now()) / (addresses.length - index)
    options.onTry?.(address)
    try {
      return { socket: await openSocket(target, address, { ...options, timeoutMs }), address }
    } catch (error) {
      if (options.signal.aborted || !mayTryNext(error)) throw error
      failure = error
    }
  }
  throw failure
}

/** Nothing was sent yet, so another address of the name may have the server. */
function mayTryNext(error: unknown): boolean {
  return error instanceof NoAnswer && (error.error === 'connect' || error.error === 'timeout')
}
