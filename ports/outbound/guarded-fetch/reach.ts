import { type ReachOptions, reachVetted } from '../judging/reach-vetted.ts'
import type { Target } from '../judging/target.ts'
import { type Connection, createConnection, type IdleConnections } from './connections.ts'

/**
 * A connection to one of the vetted addresses that waits for its next request; null when there is
 * none.
 */
export function takeWaiting(
  target: Target,
  vetted: string[],
  { idle, onTry }: { idle: IdleConnections; onTry: (address: string) => void }
): Connection | null {
  for (const address of vetted) {
    const connection = idle.take(target.origin, address)
    if (connection === null) continue
    onTry(address)
    return connection
  }
  return null
}

/**
 * A new connection to the first of the vetted addresses that takes it in its share of the time.
 * Throws the NoAnswer of the last that was tried.
 */
export async function reach(target: Target, vetted: string[], options: ReachOptions): Promise<Connection> {
  const { socket, address } = await reachVetted(target, vetted, options)
  return createConnection({ origin: target.origin, address, socket })
}
