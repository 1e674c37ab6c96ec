/** How often each outcome was seen. */
export type OutcomeCounts<Outcome extends string = string> = Record<Outcome, number>

/**
 * What has happened in this process since it began. Plain numbers, raised where it happens:
 * counting costs nothing, and who counts need not know who reads.
 * Whatever is kept there is a number of outcomes, never who it was about.
 */
export interface Counters {
  /** Requests whose key was checked before and was still good, or had to be looked up. */
  apiKeyCache: OutcomeCounts<'hit' | 'miss'>
  /** Reads that were answered from what was kept ready-made, or had to be made. */
  responseCache: OutcomeCounts<'hit' | 'miss'>
  /**
   * Attempts at deliveries by what became of the delivery: it arrived, is tried again later, or was
   * given up.
   */
  deliveries: OutcomeCounts<'delivered' | 'retry' | 'dead'>
  /** Visual checks by the state they ended in. */
  visualChecks: OutcomeCounts
}

/** All at zero. */
export const createCounters = (): Counters => ({
  apiKeyCache: { hit: 0, miss: 0 },
  responseCache: { hit: 0, miss: 0 },
  deliveries: { delivered: 0, retry: 0, dead: 0 },
  visualChecks: {}
})

/** Raises the number of an outcome by one; of one that was not seen before, to one. */
export function increment<Outcome extends string>(tally: OutcomeCounts<Outcome>, outcome: Outcome): void {
  tally[outcome] = (tally[outcome] ?? 0) + 1
}
