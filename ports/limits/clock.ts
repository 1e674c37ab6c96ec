/**
 * A larger difference of the two clocks is a step of the wall clock or a sleep of the machine, not
 * the rounding of `Date.now()`.
 */
const STEP_US = 50_000

/**
 * Creates a clock that returns microseconds since 1970 and never goes back. It follows the
 * monotonic clock. If the wall clock is ahead (the machine slept, or the time was set forward), it
 * jumps to the wall clock. If the wall clock was set back, it goes on: times shown to callers are
 * then late by that step until the process restarts, but all differences of times stay correct.
 */
export function createMicrosecondClock(): () => number {
  let offset = Date.now() * 1000 - performance.now() * 1000
  return () => {
    const monotonic = performance.now() * 1000
    const wall = Date.now() * 1000
    if (wall - monotonic - offset > STEP_US) offset = wall - monotonic
    return Math.floor(monotonic + offset)
  }
}
