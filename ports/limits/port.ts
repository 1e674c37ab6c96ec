/** What one request asks: is there room for `cost` more requests in this bucket's sliding hour? */
export interface RateLimitRequest {
  /** Names the bucket: `account:<id>`, `address:<network>`, `user:<id>`, … */
  bucket: string
  /** Most requests that may have been admitted in any `WINDOW_MS`; a positive integer. */
  limit: number
  /** How many it counts for; a non-negative integer, 0 looks without counting. Default 1. */
  cost?: number
  /**
   * The account whose epochs the answer carries; the bucket must be its own, `account:<id>`, as
   * they are kept beside it. Left out, both epochs are 0.
   */
  account?: string
}

/** The decision. Times are milliseconds since 1970 by the clock of the log. */
export interface RateLimitResult {
  allowed: boolean
  limit: number
  /** Requests that would still be admitted right after this one; exact, never negative. */
  remaining: number
  /** When the oldest counted request leaves the window; for an unused bucket now + window. */
  resetAt: number
  /**
   * Milliseconds after which the same request would be admitted if nobody else came; 0 when it was
   * admitted.
   */
  retryAfterMs: number
  /**
   * Differs from every earlier one after a change of the account's keys; NaN while that cannot be
   * known, so that nothing kept equals it. A number of this process:
   * two processes may call the same state differently, and one may call it anew without a change.
   */
  keyEpoch: number
  /** The same for every change of what the account's readers see. */
  contentEpoch: number
}

export type EpochKind = 'keys' | 'content'

/** The sliding window of every bucket: one hour. */
export const WINDOW_MS = 3_600_000

/**
 * Hears when this process begins to count by itself, and why, and when the log that all processes
 * share is back; for the log.
 */
export type LimitsListener = (state: 'shared' | 'alone', cause?: Error) => void

/** Counts and admits, exactly; and tells what has changed. */
export interface Limits {
  /**
   * Admits when at most `limit − cost` requests were admitted in the hour that ends now, and
   * records only what it admits.
   * Answers at once where the log is in the process, so the caller must take both forms.
   */
  consume: (request: RateLimitRequest) => RateLimitResult | Promise<RateLimitResult>
  /**
   * Raises the account's epoch and resolves when no later `admit`, in any process, tells the one
   * before. A missing epoch starts from the clock. Throws `unavailable` after a second
   * where the log that all processes share does not answer; repeating it is harmless.
   */
  bumpEpoch: (account: string, kind: EpochKind) => Promise<number>
  /**
   * Resolves when the log that all processes share answers; throws `unavailable` while each counts
   * by itself.
   */
  ping: () => Promise<void>
  close: () => Promise<void>
}
