import { WINDOW_MS } from './port.ts'
import type { RateLimitResult, RateLimitRequest } from './port.ts'
import { dropUntil, push, timeAt } from './time-ring.ts'
import type { TimeRing } from './time-ring.ts'

export const WINDOW_US = WINDOW_MS * 1000

/**
 * How much longer than a window an idle bucket is kept, so that a clock that is set back by less
 * changes no decision: ten minutes.
 */
export const SPARE_US = 600_000_000

/** Whether nothing in the log can count any more, however the clock is set within `SPARE_US`. */
export const isIdle = (ring: TimeRing, at: number): boolean =>
  ring.length === 0 || timeAt(ring, ring.length - 1) <= at - WINDOW_US - SPARE_US

/**
 * Throws a RangeError for what is a mistake of the program: a limit that is not a positive integer,
 * a cost that is not a non-negative one,
 * an account whose epochs are asked with a bucket that is not its own (they are kept beside it).
 */
export function checkRequest({ bucket, limit, cost = 1, account }: RateLimitRequest): void {
  if (!Number.isInteger(limit) || limit < 1) throw new RangeError(`A limit is a positive integer, not ${limit}`)
  if (!Number.isInteger(cost) || cost < 0) throw new RangeError(`A cost is a non-negative integer, not ${cost}`)
  if (account !== undefined && bucket !== `account:${account}`) {
    throw new RangeError(`The epochs of ${account} are told with its own bucket, not with ${bucket}`)
  }
}

/** Decides at `at` (microseconds), and records what it admits. Both epochs are 0. */
export function decide(ring: TimeRing, { limit, cost }: { limit: number; cost: number }, at: number): RateLimitResult {
  // A clock that was set back must not let times fall: the log goes on from its newest entry.
  const time = ring.length === 0 ? at : Math.max(at, timeAt(ring, ring.length - 1))
  dropUntil(ring, time - WINDOW_US)
  const allowed = ring.length + cost <= limit
  const retryAfterMs = allowed ? 0 : waitMs(ring, cost > limit ? 0 : ring.length + cost - limit, at)
  if (allowed) for (let counted = 0; counted < cost; counted++) push(ring, time)
  return {
    allowed,
    limit,
    remaining: Math.max(0, limit - ring.length),
    resetAt: Math.ceil(((ring.length === 0 ? time : timeAt(ring, 0)) + WINDOW_US) / 1000),
    retryAfterMs,
    keyEpoch: 0,
    contentEpoch: 0
  }
}

/**
 * Whole milliseconds from `at` until the `needed` oldest have left; a whole window where none can
 * help, as the cost is above the limit.
 */
function waitMs(ring: TimeRing, needed: number, at: number): number {
  if (needed === 0) return WINDOW_MS
  return Math.ceil((timeAt(ring, needed - 1) + WINDOW_US - at) / 1000)
}
