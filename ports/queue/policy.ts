import type { JobName } from '../../schemas/jobs.ts'
import type { JobPolicy } from './port.ts'

/**
 * What comes after a failed attempt: whether it was the last, and if not, how many milliseconds to
 * wait.
 */
export interface Verdict {
  last: boolean
  waitMs: number
}

/**
 * Judges the failure of the `attempt`th attempt by the policy; an error with `retryable: false` is
 * always the last.
 */
export function judge(error: unknown, attempt: number, { attempts, backoffMs }: JobPolicy): Verdict {
  return {
    last: isUseless(error) || attempt >= attempts,
    waitMs: backoffMs[Math.min(attempt, backoffMs.length) - 1] ?? 0
  }
}

/** True for an error that says it is of no use to try again. */
export const isUseless = (error: unknown): boolean =>
  (error as { retryable?: unknown } | null | undefined)?.retryable === false

/** Throws a RangeError for a policy that makes no sense: it is a mistake of the program. */
export function checkPolicy(name: JobName, { concurrency, attempts, timeoutMs, backoffMs }: JobPolicy): void {
  const sound =
    [concurrency, attempts].every((count) => Number.isInteger(count) && count > 0) &&
    timeoutMs > 0 &&
    backoffMs.every((ms) => ms >= 0)
  if (!sound) {
    throw new RangeError(
      `The policy of the job ${name} makes no sense: ${JSON.stringify({ concurrency, attempts, timeoutMs, backoffMs })}`
    )
  }
}

/** Throws a RangeError for a delay that is no number of milliseconds. */
export function checkDelay(name: JobName, delayMs: number): void {
  if (!Number.isFinite(delayMs)) throw new RangeError(`The delay of the job ${name} is not a number`)
}

/** What an error says, for people; whatever was thrown. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
