import { randomUUID } from 'node:crypto'
import type { Store } from '../ports/store/port.ts'

/**
 * A process that does not renew its lease for this time loses it. Shorter than the time after which
 * the queue gives the jobs of a dead process to others, so that they find the lease free.
 */
export const LEASE_MS = 15_000

export type Leases = ReturnType<typeof createLeases>

/** Work that one process at a time does. */
export interface LeasedWork {
  /** At most one process holds the lease of a name. */
  name: string
  signal: AbortSignal
  /** Works until nothing is left. The signal it gets also aborts when the lease is lost. */
  work: (signal: AbortSignal) => Promise<void>
  /**
   * Whether something arrived that the finished `work` did not see, and that other processes left
   * to the holder of the lease.
   */
  hasMore: () => Promise<boolean>
}

export interface LeasesOptions {
  store: Pick<Store, 'leases'>
  /** Default 15,000. */
  leaseMs?: number
}

/**
 * Distributed locks in the store, so that processes do not repeat each other's work. Leases only
 * save effort: a process that is held up for longer than its lease may work beside the next holder,
 * so leased work must be harmless when it is done twice.
 */
export function createLeases({ store: { leases }, leaseMs = LEASE_MS }: LeasesOptions) {
  const isoIn = (ms: number): string => new Date(Date.now() + ms).toISOString()

  return {
    /** Milliseconds after which work that another process held can be tried again. */
    leaseMs,

    /**
     * Does the work while holding the lease. Resolves with false when another process holds it: that
     * process will see everything that was saved before this call. Throws what `work` throws.
     */
    async withLease({ name, signal, work, hasMore }: LeasedWork): Promise<boolean> {
      const holder = randomUUID()
      const acquire = (): Promise<boolean> => leases.acquire({ name, holder, now: isoIn(0), until: isoIn(leaseMs) })
      const lost = new AbortController()
      do {
        if (!(await acquire())) return false
        const renewal = setInterval(() => {
          // If the store is unreachable, the work fails anyway, and no other process can acquire the
          // lease meanwhile.
          acquire().then(
            (isHeld) => {
              if (!isHeld) lost.abort(new Error(`Another process has taken over ${name}`))
            },
            () => {}
          )
        }, leaseMs / 3)
        try {
          await work(AbortSignal.any([signal, lost.signal]))
        } finally {
          clearInterval(renewal)
          await leases.release({ name, holder })
        }
      } while (!signal.aborted && !lost.signal.aborted && (await hasMore()))
      return true
    }
  }
}
