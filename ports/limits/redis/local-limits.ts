import type { RateLimitRequest, RateLimitResult } from '../port.ts'
import {
  createSweeper,
  createTimeRing,
  decide,
  dropNewest,
  isIdle,
  push,
  setTimeAt,
  timeAt,
  WINDOW_US
} from '../sliding-log.ts'
import type { TimeRing } from '../sliding-log.ts'
import type { SharedDecision } from './scripts.ts'

/** The latest count that the shared log reported. It holds until an entry leaves the window. */
interface SharedCount {
  counted: number
  untilUs: number
  /** Requests allowed here since then without the shared log. */
  allowedSince: number
}

/** A bucket as this process knows it: the times that it allowed itself, and the shared count. */
interface Bucket {
  ring: TimeRing
  shared: SharedCount | null
}

export interface LocalLimitsOptions {
  /** Microseconds since 1970 by the clock of Redis, as far as it is known. */
  now: () => number
  /** How many processes share the limits. */
  instances: () => number
}

export type LocalLimits = ReturnType<typeof createLocalLimits>

/**
 * Decides without the shared log while Redis is unreachable. It records everything that this
 * process allows. Each process then allows its share of the limit in any hour, and no more than its
 * share of what remained by the latest shared count. Together they stay within the limit plus one
 * request per process, provided that a load balancer spreads the requests evenly.
 */
export function createLocalLimits({ now, instances }: LocalLimitsOptions) {
  const buckets = new Map<string, Bucket>()
  const sweep = createSweeper(buckets, ({ ring }, at) => isIdle(ring, at))

  function getOrCreate(name: string): Bucket {
    let bucket = buckets.get(name)
    if (bucket === undefined) buckets.set(name, (bucket = { ring: createTimeRing(), shared: null }))
    return bucket
  }

  /** The bucket at this moment. Reading an unknown bucket does not create it. */
  function current(name: string, { at, create }: { at: number; create: boolean }): Bucket {
    sweep(at)
    const bucket = create ? getOrCreate(name) : (buckets.get(name) ?? { ring: createTimeRing(), shared: null })
    if (bucket.shared !== null && at >= bucket.shared.untilUs) bucket.shared = null
    return bucket
  }

  const shareOf = (count: number): number => Math.ceil(count / instances())

  /** This process's share of what remained by the shared count, minus what it has allowed since. */
  function remainingByShared({ shared }: Bucket, limit: number): number {
    return shared === null ? Infinity : Math.max(0, shareOf(Math.max(0, limit - shared.counted)) - shared.allowedSince)
  }

  return {
    /**
     * Decides without the shared log and records the request if it is allowed. Keeps room for
     * `reserved` pending requests. Epochs are unknown in this state.
     */
    consume({ bucket: name, limit, cost = 1, account }: RateLimitRequest, reserved = 0): RateLimitResult {
      const at = now()
      const bucket = current(name, { at, create: cost > 0 })
      const { ring, shared } = bucket
      const share = shareOf(limit)
      let decided = decide(ring, { limit: share, cost: 0 }, at)
      const left = remainingByShared(bucket, limit)
      const room = Math.max(0, Math.min(left, decided.remaining) - reserved)
      // A request beyond the share is refused by this call, which records nothing.
      if (cost <= room || cost > decided.remaining) decided = decide(ring, { limit: share, cost }, at)
      const allowed = decided.allowed && cost <= room
      if (allowed && shared !== null) shared.allowedSince += cost
      const sharedWaitMs = shared !== null && cost > left ? Math.ceil((shared.untilUs - at) / 1000) : 0
      const epoch = account === undefined ? 0 : NaN
      return {
        allowed,
        limit,
        remaining: Math.min(decided.remaining, remainingByShared(bucket, limit)),
        resetAt: Math.min(decided.resetAt, shared === null ? Infinity : Math.ceil(shared.untilUs / 1000)),
        retryAfterMs: Math.max(decided.retryAfterMs, sharedWaitMs, allowed ? 0 : 1),
        keyEpoch: epoch,
        contentEpoch: epoch
      }
    },

    /** Takes back the newest request that the shared log has decided. */
    refund(name: string): void {
      const bucket = buckets.get(name)
      if (bucket !== undefined) dropNewest(bucket.ring)
    },

    /** Whether `consume` would allow the request. Records nothing. */
    fits({ bucket: name, limit, cost = 1 }: RateLimitRequest): boolean {
      const at = now()
      const bucket = current(name, { at, create: false })
      const own = decide(bucket.ring, { limit: shareOf(limit), cost: 0 }, at)
      return cost <= Math.min(remainingByShared(bucket, limit), own.remaining)
    },

    /**
     * Records a decision of the shared log. Its count is trusted only if `isComplete`: other
     * processes may not have synced their requests yet.
     */
    record(name: string, decision: SharedDecision, { cost, isComplete }: { cost: number; isComplete: boolean }): void {
      const isCounted = decision.allowed && cost > 0
      sweep(decision.timeUs)
      const bucket = isCounted ? getOrCreate(name) : buckets.get(name)
      if (bucket === undefined) return
      if (isCounted) push(bucket.ring, decision.timeUs, cost)
      if (isComplete || bucket.shared === null) {
        bucket.shared = { counted: decision.counted, untilUs: decision.resetUs, allowedSince: 0 }
      } else if (isCounted) bucket.shared.allowedSince += cost
    },

    /**
     * Replaces the local time of a request by the time in the shared log, `cost` times, so that a
     * later sync does not count it twice.
     */
    restamp(name: string, { fromUs, toUs, cost }: { fromUs: number; toUs: number; cost: number }): void {
      const ring = buckets.get(name)?.ring
      if (ring === undefined) return
      let left = cost
      for (let index = ring.length - 1; index >= 0 && left > 0; index--) {
        if (timeAt(ring, index) !== fromUs) continue
        setTimeAt(ring, index, toUs)
        left -= 1
      }
    },

    /** When this bucket last allowed a request. 0 if never. */
    newest(name: string): number {
      const ring = buckets.get(name)?.ring
      return ring === undefined || ring.length === 0 ? 0 : timeAt(ring, ring.length - 1)
    },

    /** The allowed requests since `fromUs` that still count, by bucket, oldest first. */
    *allowedSince(fromUs: number): Generator<{ bucket: string; timesUs: number[] }> {
      const from = Math.max(fromUs, now() - WINDOW_US + 1)
      for (const [bucket, { ring }] of buckets) {
        const timesUs: number[] = []
        for (let index = ring.length - 1; index >= 0 && timeAt(ring, index) >= from; index--) {
          timesUs.push(timeAt(ring, index))
        }
        if (timesUs.length > 0) yield { bucket, timesUs: timesUs.sort((a, b) => a - b) }
      }
    },

    clear: () => buckets.clear()
  }
}

export interface PendingDecision {
  bucket: string
  cost: number
}

/**
 * The requests that the shared log has not decided yet. It may still allow them, so local decisions
 * leave room for them.
 */
export function createPendingDecisions() {
  const byBucket = new Map<string, Set<PendingDecision>>()
  return {
    add(decision: PendingDecision): void {
      let pending = byBucket.get(decision.bucket)
      if (pending === undefined) byBucket.set(decision.bucket, (pending = new Set()))
      pending.add(decision)
    },
    remove(decision: PendingDecision): void {
      const pending = byBucket.get(decision.bucket)
      pending?.delete(decision)
      if (pending?.size === 0) byBucket.delete(decision.bucket)
    },
    /**
     * The cost of the pending decisions before `decision`, or of all. The shared log decides in
     * order, so later requests take no room from earlier ones.
     */
    costBefore(bucket: string, decision?: PendingDecision): number {
      let cost = 0
      for (const pending of byBucket.get(bucket) ?? []) {
        if (pending === decision) break
        cost += pending.cost
      }
      return cost
    }
  }
}
