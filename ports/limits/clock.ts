/**
 * A difference above this is a step of the wall clock or a sleep of the machine, not the rounding
 * of `Date.now()`.
 */
const STEP_US = 50_000

/**
 * Makes a clock that tells microseconds since 1970 and never goes back. It runs on the monotonic
 * clock; where the wall clock is ahead
 * of it (the machine slept, or the time was set forward) it leaps to the wall clock, where the wall
 * clock was set back it goes on as before.
 * Then times told to callers are late by that step until the process starts again, while every
 * difference of times stays true.
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
