import type { RateLimitResult, RateLimitRequest } from '../port.ts'
import { decide, isIdle, WINDOW_US } from '../sliding-log.ts'
import { createSweeper } from '../sweeper.ts'
import { createTimeRing, push, timeAt } from '../time-ring.ts'
import type { TimeRing } from '../time-ring.ts'
import type { Told } from './scripts.ts'

/**
 * What the shared log last told of a bucket, which holds until something leaves it; `since`: how
 * many were admitted here without its word.
 */
interface LastTold {
  counted: number
  untilUs: number
  since: number
}

/**
 * A bucket as this process knows it: the times that it admitted itself, and what it was told of
 * all.
 */
interface Bucket {
  ring: TimeRing
  told: LastTold | null
}

export interface LocalLogOptions {
  /** Microseconds since 1970, by the clock of the shared log as far as it is known. */
  now: () => number
  /** How many processes share the limits. */
  instances: () => number
}

export type LocalLog = ReturnType<typeof createLocalLog>

/**
 * The exact log in the process, kept warm with everything that it admits, for the time when the
 * shared log is away. Then each process admits its share of the limit in any hour, and
 * of what the shared log last said was left no more than its share either; so all together stay
 * within the limit and one request a process, where they were served evenly.
 */
export function createLocalLog({ now, instances }: LocalLogOptions) {
  const buckets = new Map<string, Bucket>()
  const sweep = createSweeper(buckets, ({ ring }, at) => isIdle(ring, at))

  function bucketOf(name: string): Bucket {
    let bucket = buckets.get(name)
    if (bucket === undefined) buckets.set(name, (bucket = { ring: createTimeRing(), told: null }))
    return bucket
  }

  /** The bucket at this moment; a look at one that is not known leaves nothing behind. */
  function present(name: string, { at, counts }: { at: number; counts: boolean }): Bucket {
    sweep(at)
    const bucket = counts ? bucketOf(name) : (buckets.get(name) ?? { ring: createTimeRing(), told: null })
    if (bucket.told !== null && at >= bucket.told.untilUs) bucket.told = null
    return bucket
  }

  const shareOf = (count: number): number => Math.ceil(count / instances())

  /**
   * This process's share of what was left when the shared log was last heard, less what it admitted
   * since.
   */
  function roomTold({ told }: Bucket, limit: number): number {
    return told === null ? Infinity : Math.max(0, shareOf(Math.max(0, limit - told.counted)) - told.since)
  }

  return {
    /**
     * Decides without the shared log, and records what it admits; room for `reserved` more is left.
     * Epochs cannot be known then.
     */
    admit({ bucket: name, limit, cost = 1, account }: RateLimitRequest, reserved = 0): RateLimitResult {
      const at = now()
      const bucket = present(name, { at, counts: cost > 0 })
      const { ring, told } = bucket
      const share = shareOf(limit)
      let decided = decide(ring, { limit: share, cost: 0 }, at)
      const left = roomTold(bucket, limit)
      const room = Math.max(0, Math.min(left, decided.remaining) - reserved)
      // Beyond its share it is refused here and records nothing.
      if (cost <= room || cost > decided.remaining) decided = decide(ring, { limit: share, cost }, at)
      const allowed = decided.allowed && cost <= room
      if (allowed && told !== null) told.since += cost
      const toldWaitMs = told !== null && cost > left ? Math.ceil((told.untilUs - at) / 1000) : 0
      const epoch = account === undefined ? 0 : NaN
      return {
        allowed,
        limit,
        remaining: Math.min(decided.remaining, roomTold(bucket, limit)),
        resetAt: Math.min(decided.resetAt, told === null ? Infinity : Math.ceil(told.untilUs / 1000)),
        retryAfterMs: Math.max(decided.retryAfterMs, toldWaitMs, allowed ? 0 : 1),
        keyEpoch: epoch,
        contentEpoch: epoch
      }
    },

    /** Whether `admit` would admit this, without recording it. */
    fits({ bucket: name, limit, cost = 1 }: RateLimitRequest): boolean {
      const at = now()
      const bucket = present(name, { at, counts: false })
      return (
        cost <= Math.min(roomTold(bucket, limit), decide(bucket.ring, { limit: shareOf(limit), cost: 0 }, at).remaining)
      )
    },

    /**
     * Keeps what the shared log decided; `settled` false where other processes may not have told it
     * everything yet, so that its count is not believed.
     */
    note(name: string, told: Told, { cost, settled }: { cost: number; settled: boolean }): void {
      const recorded = told.admitted && cost > 0
      sweep(told.timeUs)
      const bucket = recorded ? bucketOf(name) : buckets.get(name)
      if (bucket === undefined) return
      if (recorded) for (let counted = 0; counted < cost; counted++) push(bucket.ring, told.timeUs)
      if (settled || bucket.told === null) bucket.told = { counted: told.counted, untilUs: told.resetUs, since: 0 }
      else if (recorded) bucket.told.since += cost
    },

    /**
     * Puts the shared log's time in the place of the newest one that was given here to the same
     * request, `cost` times, so that it is not told twice.
     */
    restamp(name: string, { fromUs, toUs, cost }: { fromUs: number; toUs: number; cost: number }): void {
      const ring = buckets.get(name)?.ring
      if (ring === undefined) return
      let left = cost
      for (let index = ring.length - 1; index >= 0 && left > 0; index--) {
        if (timeAt(ring, index) !== fromUs) continue
        ring.slots[(ring.head + index) & (ring.slots.length - 1)] = toUs
        left -= 1
      }
    },

    /** When this bucket last admitted; 0 where it did not. */
    newest(name: string): number {
      const ring = buckets.get(name)?.ring
      return ring === undefined || ring.length === 0 ? 0 : timeAt(ring, ring.length - 1)
    },

    /** What was admitted at or after `fromUs` and still counts, bucket by bucket, oldest first. */
    *since(fromUs: number): Generator<{ bucket: string; timesUs: number[] }> {
      const from = Math.max(fromUs, now() - WINDOW_US + 1)
      for (const [bucket, { ring }] of buckets) {
        const timesUs: number[] = []
        for (let index = ring.length - 1; index >= 0 && timeAt(ring, index) >= from; index--) {
          timesUs.push(timeAt(ring, index))
        }
        if (timesUs.length > 0) yield { bucket, timesUs: timesUs.sort((a, b) => a - b) }
      }
    },

    clear: () => {
      buckets.clear()
    }
  }
}
