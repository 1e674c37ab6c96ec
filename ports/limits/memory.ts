import { createMicrosecondClock } from './clock.ts'
import { createMemoryEpochs } from './memory-epochs.ts'
import { WINDOW_MS } from './port.ts'
import type { Admission, AdmissionRequest, Limits } from './port.ts'
import { createSweeper } from './sweeper.ts'
import { createTimeRing, dropUntil, push, timeAt } from './time-ring.ts'
import type { TimeRing } from './time-ring.ts'

const WINDOW_US = WINDOW_MS * 1000

/** How much longer than a window an idle bucket is kept, so that a clock that is set back by less changes no decision: ten minutes. */
const SPARE_US = 600_000_000

/** Counts in the process, so `admit` answers at once; `buckets` tells how many are kept. */
export interface MemoryLimits extends Limits {
  admit: (request: AdmissionRequest) => Admission
  buckets: () => number
}

export interface MemoryLimitsOptions {
  /** Tells microseconds since 1970. Default: a clock that never goes back. */
  now?: () => number
}

/**
 * Opens the exact sliding hour in the process: a log of times for each bucket, no window that is fixed or weighted, since those let
 * up to twice the limit through one hour. A bucket in which nothing counts any more is dropped. `admit` throws a RangeError for a limit that is not
 * a positive integer or a cost that is not a non-negative one.
 */
export function openMemoryLimits (options: MemoryLimitsOptions = {}): MemoryLimits {
  const now = options.now ?? createMicrosecondClock()
  const buckets = new Map<string, TimeRing>()
  const epochs = createMemoryEpochs(WINDOW_US)
  const sweep = createSweeper(buckets, (ring, at) => ring.length === 0 || timeAt(ring, ring.length - 1) <= at - WINDOW_US - SPARE_US)

  function ringOf (bucket: string): TimeRing {
    let ring = buckets.get(bucket)
    if (ring === undefined) buckets.set(bucket, ring = createTimeRing())
    return ring
  }

  return {
    admit (request) {
      const at = now()
      const { limit, cost = 1 } = request
      check(limit, cost)
      sweep(at)
      // Only what is counted makes a bucket: looks and refusals of unknown ones leave nothing behind.
      const counts = cost > 0 && cost <= limit
      const ring = counts ? ringOf(request.bucket) : buckets.get(request.bucket) ?? createTimeRing()
      const admission = decide(ring, { limit, cost }, at)
      if (request.account !== undefined) {
        const { keys, content } = epochs.read(request.account, at)
        admission.keyEpoch = keys
        admission.contentEpoch = content
      }
      return admission
    },
    async bumpEpoch (account, kind) { return epochs.bump(account, kind, now()) },
    buckets: () => buckets.size,
    async close () {
      buckets.clear()
      epochs.clear()
    }
  }
}

function check (limit: number, cost: number): void {
  if (!Number.isInteger(limit) || limit < 1) throw new RangeError(`A limit is a positive integer, not ${limit}`)
  if (!Number.isInteger(cost) || cost < 0) throw new RangeError(`A cost is a non-negative integer, not ${cost}`)
}

/** Decides at `at` (microseconds), and records what it admits. */
function decide (ring: TimeRing, { limit, cost }: { limit: number, cost: number }, at: number): Admission {
  // A clock that was set back must not let times fall: the log goes on from its newest entry.
  const time = ring.length === 0 ? at : Math.max(at, timeAt(ring, ring.length - 1))
  dropUntil(ring, time - WINDOW_US)
  const admitted = ring.length + cost <= limit
  const retryAfterMs = admitted ? 0 : waitMs(ring, cost > limit ? 0 : ring.length + cost - limit, at)
  if (admitted) for (let counted = 0; counted < cost; counted++) push(ring, time)
  return {
    admitted,
    limit,
    remaining: Math.max(0, limit - ring.length),
    resetAt: Math.ceil(((ring.length === 0 ? time : timeAt(ring, 0)) + WINDOW_US) / 1000),
    retryAfterMs,
    keyEpoch: 0,
    contentEpoch: 0
  }
}

/** Whole milliseconds from `at` until the `needed` oldest have left; a whole window where none can help, as the cost is above the limit. */
function waitMs (ring: TimeRing, needed: number, at: number): number {
  if (needed === 0) return WINDOW_MS
  return Math.ceil((timeAt(ring, needed - 1) + WINDOW_US - at) / 1000)
}
