import { createMicrosecondClock } from './clock.ts'
import type { EpochKind, Limits, RateLimitRequest, RateLimitResult } from './port.ts'
import { checkRequest, createSweeper, createTimeRing, decide, dropNewest, isIdle, WINDOW_US } from './sliding-log.ts'
import type { TimeRing } from './sliding-log.ts'

/** Limits in this process: `consume` is synchronous. `buckets` returns how many are in memory. */
export interface MemoryLimits extends Limits {
  consume: (request: RateLimitRequest) => RateLimitResult
  refund: (request: RateLimitRequest) => RateLimitResult
  buckets: () => number
}

export interface MemoryLimitsOptions {
  /** Returns microseconds since 1970. Default: a clock that never goes back. */
  now?: () => number
}

/**
 * Opens exact sliding-window limits in this process: a log of times for each bucket. Fixed and
 * weighted windows would let up to twice the limit through in one hour. Idle buckets are dropped.
 * `consume` throws a RangeError for programming errors (see `checkRequest`).
 */
export function openMemoryLimits(options: MemoryLimitsOptions = {}): MemoryLimits {
  const now = options.now ?? createMicrosecondClock()
  const buckets = new Map<string, TimeRing>()
  const epochs = createMemoryEpochs(WINDOW_US)
  const sweep = createSweeper(buckets, isIdle)

  function ringOf(bucket: string): TimeRing {
    let ring = buckets.get(bucket)
    if (ring === undefined) buckets.set(bucket, (ring = createTimeRing()))
    return ring
  }

  function consume(request: RateLimitRequest): RateLimitResult {
    const at = now()
    const { limit, cost = 1 } = request
    checkRequest(request)
    sweep(at)
    // Only a counted request creates a bucket. Reads and impossible costs leave nothing behind.
    const counts = cost > 0 && cost <= limit
    const ring = counts ? ringOf(request.bucket) : (buckets.get(request.bucket) ?? createTimeRing())
    const result = decide(ring, { limit, cost }, at)
    if (request.account !== undefined) {
      const { keys, content } = epochs.read(request.account, at)
      result.keyEpoch = keys
      result.contentEpoch = content
    }
    return result
  }

  return {
    consume,
    refund(request) {
      const ring = buckets.get(request.bucket)
      if (ring !== undefined) dropNewest(ring)
      return consume({ ...request, cost: 0 })
    },
    async bumpEpoch(account, kind) {
      return epochs.bump(account, kind, now())
    },
    // The log is in this process: it always answers.
    async ping() {},
    buckets: () => buckets.size,
    async close() {
      buckets.clear()
      epochs.clear()
    }
  }
}

/** The two epochs of an account, and when they were last read (microseconds). */
interface Epochs {
  keys: number
  content: number
  seenAt: number
}

interface MemoryEpochs {
  /** The epochs of `account` at `now` (microseconds). Missing ones start here. */
  read: (account: string, now: number) => Readonly<Epochs>
  bump: (account: string, kind: EpochKind, now: number) => number
  clear: () => void
}

/**
 * Creates the table of epochs. Every number is above all numbers issued before, for any account. So
 * an account that was not read for `retentionUs` microseconds can be forgotten: the number that it
 * starts with later never equals one that a cache still holds.
 */
function createMemoryEpochs(retentionUs: number): MemoryEpochs {
  const accounts = new Map<string, Epochs>()
  const sweep = createSweeper(accounts, (epochs, now) => epochs.seenAt <= now - retentionUs)
  let last = 0

  function issue(now: number): number {
    last = Math.max(last + 1, now)
    return last
  }

  function read(account: string, now: number): Epochs {
    sweep(now)
    let epochs = accounts.get(account)
    if (epochs === undefined) {
      const start = issue(now)
      epochs = { keys: start, content: start, seenAt: now }
      accounts.set(account, epochs)
    }
    epochs.seenAt = now
    return epochs
  }

  return {
    read,
    bump(account, kind, now) {
      const epochs = read(account, now)
      epochs[kind] = issue(now)
      return epochs[kind]
    },
    clear: () => accounts.clear()
  }
}
