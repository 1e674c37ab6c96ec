/**
 * The times of what one bucket has admitted, oldest first, in microseconds: a ring that doubles
 * when it is full.
 */
export interface TimeRing {
  /**
   * A plain array that only ever holds numbers: the engine keeps it as raw doubles, and for the few
   * entries of most buckets
   * it takes 205 bytes a bucket in all where a Float64Array takes 373.
   */
  slots: number[]
  head: number
  length: number
}

const FIRST_SLOTS = 4

/** Makes an empty ring. */
export function createTimeRing(): TimeRing {
  return { slots: new Array<number>(FIRST_SLOTS).fill(0), head: 0, length: 0 }
}

/** The time at `index`, 0 being the oldest; `index` must be below `length`. */
export function timeAt(ring: TimeRing, index: number): number {
  const { slots } = ring
  // The number of slots is a power of two, so the mask is the remainder.
  return slots[(ring.head + index) & (slots.length - 1)] as number
}

/** Drops every time at or before `limit`; the times never fall, so they are all at the head. */
export function dropUntil(ring: TimeRing, limit: number): void {
  while (ring.length > 0 && timeAt(ring, 0) <= limit) {
    ring.head = (ring.head + 1) & (ring.slots.length - 1)
    ring.length -= 1
  }
}

/** Adds `time`, which must not be before the newest one. */
export function push(ring: TimeRing, time: number): void {
  if (ring.length === ring.slots.length) double(ring)
  ring.slots[(ring.head + ring.length) & (ring.slots.length - 1)] = time
  ring.length += 1
}

function double(ring: TimeRing): void {
  const slots = new Array<number>(ring.slots.length * 2).fill(0)
  for (let index = 0; index < ring.length; index++) slots[index] = timeAt(ring, index)
  ring.slots = slots
  ring.head = 0
}
