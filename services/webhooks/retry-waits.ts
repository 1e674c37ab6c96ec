const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/**
 * How long is waited before the 1st, 2nd, … attempt, in milliseconds; the schedule that Standard
 * Webhooks 1.0 proposes.
 */
export const RETRY_WAITS_MS = [
  0,
  5000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS
] as const
/** A receiver that is overloaded gets this time at least. */
export const OVERLOADED_WAIT_MS = MINUTE_MS
/**
 * Every wait is a fifth shorter or longer by chance, so that what failed together is not tried
 * together.
 */
const SPREAD = 0.2

/**
 * Milliseconds to wait after so many attempts of a round; null when that was the last. `random` is
 * in [0, 1).
 */
export function retryWaitMs(made: number, random = Math.random()): number | null {
  const wait = RETRY_WAITS_MS[made]
  return wait === undefined ? null : wait * (1 - SPREAD + 2 * SPREAD * random)
}
