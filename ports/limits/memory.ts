import { createMicrosecondClock } from './clock.ts'
import { createMemoryEpochs } from './memory-epochs.ts'
import type { RateLimitResult, RateLimitRequest, Limits } from './port.ts'
import { checkRequest, decide, isIdle, WINDOW_US } from './sliding-log.ts'
import { createSweeper } from './sweeper.ts'
import { createTimeRing } from './time-ring.ts'
import type { TimeRing } from './time-ring.ts'

/** Counts in the process, so `admit` answers at once; `buckets` tells how many are kept. */
export interface MemoryLimits extends Limits {
  consume: (request: RateLimitRequest) => RateLimitResult
  buckets: () => number
}

export interface MemoryLimitsOptions {
  /** Tells microseconds since 1970. Default: a clock that never goes back. */
  now?: () => number
}

/**
 * Opens the exact sliding hour in the process: a log of times for each bucket, no window that is
 * fixed or weighted, since those let
 * up to twice the limit through one hour. A bucket in which nothing counts any more is dropped.
 * `admit` throws a RangeError for a mistake of the program (`checkRequest`).
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

  return {
    consume(request) {
      const at = now()
      const { limit, cost = 1 } = request
      checkRequest(request)
      sweep(at)
      // Only what is counted makes a bucket: looks and refusals of unknown ones leave nothing
      // behind.
      const counts = cost > 0 && cost <= limit
      const ring = counts ? ringOf(request.bucket) : (buckets.get(request.bucket) ?? createTimeRing())
      const admission = decide(ring, { limit, cost }, at)
      if (request.account !== undefined) {
        const { keys, content } = epochs.read(request.account, at)
        admission.keyEpoch = keys
        admission.contentEpoch = content
      }
      return admission
    },
    async bumpEpoch(account, kind) {
      return epochs.bump(account, kind, now())
    },
    // The log is in the process that asks: it always answers.
    async ping() {},
    buckets: () => buckets.size,
    async close() {
      buckets.clear()
      epochs.clear()
    }
  }
}
