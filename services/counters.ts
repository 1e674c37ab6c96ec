import type { GeneratedKind } from '../ports/store/port.ts'

/** Number of occurrences of each outcome. */
export type OutcomeCounts<Outcome extends string = string> = Record<Outcome, number>

/**
 * Event counters of this process since it started, incremented where the event happens and read by
 * the metrics plugin. They count outcomes and never identify anyone.
 */
export interface Counters {
  /** Authenticated requests by whether their API key was cached. */
  apiKeyCache: OutcomeCounts<'hit' | 'miss'>
  /** Cacheable reads by whether the response was cached. */
  responseCache: OutcomeCounts<'hit' | 'miss'>
  /** Delivery attempts by result: delivered, to be retried, or given up. */
  deliveries: OutcomeCounts<'delivered' | 'retry' | 'dead'>
  /** Finished visual checks by status. */
  visualChecks: OutcomeCounts
  /** Records that were left out of lists because they cannot be serialized. */
  omittedRecords: number
  /** Events that were deleted before their retention ended because the log of their account was too large. */
  trimmedEvents: number
  /** Generated files that were deleted because their account had too many bytes of them, by kind. */
  trimmedFiles: OutcomeCounts<GeneratedKind>
}

export const createCounters = (): Counters => ({
  apiKeyCache: { hit: 0, miss: 0 },
  responseCache: { hit: 0, miss: 0 },
  deliveries: { delivered: 0, retry: 0, dead: 0 },
  visualChecks: {},
  omittedRecords: 0,
  trimmedEvents: 0,
  trimmedFiles: { 'image-size': 0, 'social-image': 0, screenshot: 0 }
})

/** Adds to the count of an outcome. */
export function increment<Outcome extends string>(tally: OutcomeCounts<Outcome>, outcome: Outcome, by = 1): void {
  tally[outcome] = (tally[outcome] ?? 0) + by
}
