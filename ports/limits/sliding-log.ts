import { WINDOW_MS } from './port.ts'
import type { RateLimitRequest, RateLimitResult } from './port.ts'

export const WINDOW_US = WINDOW_MS * 1000

/**
 * How much longer than a window an idle bucket is kept: ten minutes. A clock that is set back by
 * less changes no decision.
 */
const SPARE_US = 600_000_000

/**
 * The times of the requests that a bucket has allowed, oldest first, in microseconds. A ring buffer
 * that doubles when it is full.
 */
export interface TimeRing {
  /**
   * A plain array that only holds numbers, which V8 stores as raw doubles. For the few entries of
   * most buckets it takes 205 bytes a bucket, where a Float64Array takes 373.
   */
  slots: number[]
  head: number
  length: number
}

const INITIAL_SLOTS = 4

export function createTimeRing(): TimeRing {
  return { slots: new Array<number>(INITIAL_SLOTS).fill(0), head: 0, length: 0 }
}

/** The time at `index`, 0 being the oldest. `index` must be below `length`. */
export function timeAt(ring: TimeRing, index: number): number {
  const { slots } = ring
  // The number of slots is a power of two, so the mask is the remainder.
  return slots[(ring.head + index) & (slots.length - 1)] as number
}

/** Replaces the time at `index`. */
export function setTimeAt(ring: TimeRing, index: number, time: number): void {
  ring.slots[(ring.head + index) & (ring.slots.length - 1)] = time
}

/** Adds `time` once or `count` times. It must not be before the newest one. */
export function push(ring: TimeRing, time: number, count = 1): void {
  for (let added = 0; added < count; added++) {
    if (ring.length === ring.slots.length) double(ring)
    ring.slots[(ring.head + ring.length) & (ring.slots.length - 1)] = time
    ring.length += 1
  }
}

/** Drops the newest time, if there is one. */
export function dropNewest(ring: TimeRing): void {
  if (ring.length > 0) ring.length -= 1
}

/** Drops every time at or before `limit`. Times never fall, so these are all at the head. */
function dropUntil(ring: TimeRing, limit: number): void {
  while (ring.length > 0 && timeAt(ring, 0) <= limit) {
    ring.head = (ring.head + 1) & (ring.slots.length - 1)
    ring.length -= 1
  }
}

function double(ring: TimeRing): void {
  const slots = new Array<number>(ring.slots.length * 2).fill(0)
  for (let index = 0; index < ring.length; index++) slots[index] = timeAt(ring, index)
  ring.slots = slots
  ring.head = 0
}

/** Whether no entry can count any more, even if the clock is set back by up to `SPARE_US`. */
export const isIdle = (ring: TimeRing, at: number): boolean =>
  ring.length === 0 || timeAt(ring, ring.length - 1) <= at - WINDOW_US - SPARE_US

/**
 * Throws a RangeError for programming errors: a limit that is not a positive integer, a cost that is
 * not a non-negative integer, or an account with a bucket that is not its own.
 */
export function checkRequest({ bucket, limit, cost = 1, account }: RateLimitRequest): void {
  if (!Number.isInteger(limit) || limit < 1) throw new RangeError(`limit must be a positive integer, not ${limit}`)
  if (!Number.isInteger(cost) || cost < 0) throw new RangeError(`cost must be a non-negative integer, not ${cost}`)
  if (account !== undefined && bucket !== `account:${account}`) {
    throw new RangeError(`The epochs of ${account} need its own bucket, account:${account}, not ${bucket}`)
  }
}

/** Decides at `at` (microseconds) and records the request if it is allowed. Both epochs are 0. */
export function decide(ring: TimeRing, { limit, cost }: { limit: number; cost: number }, at: number): RateLimitResult {
  // If the clock was set back, the log goes on from its newest entry: times must not fall.
  const time = ring.length === 0 ? at : Math.max(at, timeAt(ring, ring.length - 1))
  dropUntil(ring, time - WINDOW_US)
  const allowed = ring.length + cost <= limit
  const retryAfterMs = allowed ? 0 : waitMs(ring, cost > limit ? 0 : ring.length + cost - limit, at)
  if (allowed) push(ring, time, cost)
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
 * Whole milliseconds from `at` until the `needed` oldest entries have left. A whole window if no
 * wait helps, because the cost is above the limit (`needed` 0).
 */
function waitMs(ring: TimeRing, needed: number, at: number): number {
  if (needed === 0) return WINDOW_MS
  return Math.ceil((timeAt(ring, needed - 1) + WINDOW_US - at) / 1000)
}

/**
 * Returns a function that checks the next two entries of `map` at each call, round and round, and
 * deletes idle ones. Called once for every entry that may be added, it outpaces the growth of the
 * map, which so stays within about twice its live size, without a timer or a long pause.
 */
export function createSweeper<V>(map: Map<string, V>, idle: (value: V, now: number) => boolean): (now: number) => void {
  let round = map.entries()
  return (now) => {
    for (let checked = 0; checked < 2; checked++) {
      const next = round.next()
      if (next.done === true) {
        // A finished iterator of a Map stays finished, even if entries are added later.
        round = map.entries()
        return
      }
      if (idle(next.value[1], now)) map.delete(next.value[0])
    }
  }
}
