import { randomUUID } from 'node:crypto'
import type { Store } from '../ports/store/port.ts'

/**
 * A process that says nothing for so long has lost its lease: shorter than the time after which the
 * queue gives its jobs to others, so that these find it free.
 */
export const LEASE_MS = 15_000

export type OneAtATime = ReturnType<typeof createOneAtATime>

/** One piece of work that is worked by one process at a time. */
export interface SoleWork {
  /** Of the same name one is at work. */
  name: string
  signal: AbortSignal
  /** Works until nothing is left; the signal also says stop when the lease was lost. */
  work: (signal: AbortSignal) => Promise<void>
  /**
   * Whether something came that `work`, which has ended, did not see, and which was left to it
   * because it had the lease.
   */
  left: () => Promise<boolean>
}

/**
 * Lets processes share work without doing the same twice: who comes second leaves it to the first.
 * It is about effort only: a process that is held up for longer than
 * its lease may go on beside another, so whatever is done must be harmless when done twice.
 */
export function createOneAtATime({ store: { leases } }: { store: Pick<Store, 'leases'> }) {
  const isoIn = (ms: number): string => new Date(Date.now() + ms).toISOString()

  async function alone({ name, signal, work, left }: SoleWork): Promise<boolean> {
    const holder = randomUUID()
    const take = (): Promise<boolean> => leases.take({ name, holder, now: isoIn(0), until: isoIn(LEASE_MS) })
    const lost = new AbortController()
    do {
      if (!(await take())) return false
      const renewal = setInterval(() => {
        // A store that is away stops the work by itself; nobody else can take the lease there
        // meanwhile.
        take().then(
          (kept) => {
            if (!kept) lost.abort(new Error(`Another process has taken over ${name}`))
          },
          () => {}
        )
      }, LEASE_MS / 3)
      try {
        await work(AbortSignal.any([signal, lost.signal]))
      } finally {
        clearInterval(renewal)
        await leases.release({ name, holder })
      }
    } while (!signal.aborted && !lost.signal.aborted && (await left()))
    return true
  }

  /**
   * Resolves with true when the work has been done, and with false when another is at it, who will
   * see all that was saved before this call. Throws what `work` throws.
   */
  return alone
}
