/** Asks whether `cost` more requests fit into the sliding hour of a bucket. */
export interface RateLimitRequest {
  /** Names the bucket: `account:<id>`, `address:<network>`, `user:<id>`, … */
  bucket: string
  /** The maximum of requests allowed in any `WINDOW_MS`. A positive integer. */
  limit: number
  /** How many requests this one counts for. A non-negative integer; 0 only reads. Default 1. */
  cost?: number
  /**
   * The account whose epochs the result carries. Its epochs are stored next to its bucket, so the
   * bucket must be `account:<id>`. Without an account, both epochs are 0.
   */
  account?: string
}

/** The decision. Times are milliseconds since 1970 by the clock of the log. */
export interface RateLimitResult {
  allowed: boolean
  limit: number
  /** Requests that would be allowed right after this one. Exact, never negative. */
  remaining: number
  /** When the oldest counted request leaves the window. For an unused bucket: now + window. */
  resetAt: number
  /**
   * Milliseconds until the same request would be allowed if no other arrived. 0 if it was allowed.
   */
  retryAfterMs: number
  /**
   * A number that changes with every change of the account's API keys. NaN while the state is
   * unknown, so that it equals no cached epoch. The number is local to this process: two processes
   * may give the same state different numbers, and a process may renumber an unchanged state.
   */
  keyEpoch: number
  /** The same for every change of what the account's readers see. */
  contentEpoch: number
}

export type EpochKind = 'keys' | 'content'

/** The sliding window of every bucket: one hour. */
export const WINDOW_MS = 3_600_000

/**
 * Called with `local` and the cause when this process starts to count without the shared log, and
 * with `shared` when the shared log is back.
 */
export type LimitsListener = (state: 'shared' | 'local', cause?: Error) => void

/** Exact sliding-window rate limits, and epochs that tell when cached data of an account is stale. */
export interface Limits {
  /**
   * Allows a request if at most `limit − cost` requests were allowed in the hour that ends now.
   * Records allowed requests only. An in-process log answers synchronously.
   */
  consume: (request: RateLimitRequest) => RateLimitResult | Promise<RateLimitResult>
  /**
   * Takes back the newest request of the bucket that an earlier `consume` allowed, and returns the
   * state after that. Does nothing for a bucket without requests, and while the shared log does not
   * answer. The other fields of the request are those of `consume`; `cost` is ignored.
   */
  refund: (request: RateLimitRequest) => RateLimitResult | Promise<RateLimitResult>
  /**
   * Raises an epoch of the account. Resolves when no later `consume`, in any process, returns the
   * earlier one. A missing epoch starts from the clock. Throws `unavailable` after a second if the
   * shared log does not answer. Repeating the call is harmless.
   */
  bumpEpoch: (account: string, kind: EpochKind) => Promise<number>
  /** Resolves if the shared log answers. Throws `unavailable` while each process counts alone. */
  ping: () => Promise<void>
  close: () => Promise<void>
}
