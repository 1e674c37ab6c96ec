import type { JobName, JobPayload } from '../../schemas/jobs.ts'
import type { JobListener, JobPolicy } from './port.ts'

/** What follows a failed attempt: nothing if it was the last, otherwise a retry after `delayMs`. */
export interface NextStep {
  isLast: boolean
  delayMs: number
}

/** Decides by the policy. An error with `retryable: false` is always the last. */
export function nextStep(error: unknown, attempt: number, { attempts, backoffMs }: JobPolicy): NextStep {
  return {
    isLast: isPermanent(error) || attempt >= attempts,
    delayMs: backoffMs[Math.min(attempt, backoffMs.length) - 1] ?? 0
  }
}

/** Whether an error says that a retry cannot succeed. */
export const isPermanent = (error: unknown): boolean =>
  (error as { retryable?: unknown } | null | undefined)?.retryable === false

/** Throws a RangeError for an invalid policy: this is a bug in the program. */
export function checkPolicy(name: JobName, policy: JobPolicy): void {
  const { concurrency, accountConcurrency = 1, attempts, timeoutMs, backoffMs } = policy
  const isValid =
    [concurrency, accountConcurrency, attempts].every((count) => Number.isInteger(count) && count > 0) &&
    timeoutMs > 0 &&
    sliceMsOf(policy) >= 0 &&
    backoffMs.every((ms) => ms >= 0)
  if (!isValid) throw new RangeError(`The policy of the job ${name} is invalid: ${JSON.stringify(policy)}`)
}

/** The work of a run before other accounts get a turn. */
const DEFAULT_SLICE_MS = 1_000

const sliceMsOf = ({ sliceMs = DEFAULT_SLICE_MS }: JobPolicy): number => sliceMs

/** A run has at least so much time, even if others wait that take less. */
const MIN_SLICE_MS = 100

/**
 * Starts the slice of a run. Returns whether it is over: at its end, and before while a job waits for a run whose
 * account is light (lib/recent-use.ts), because that job is done sooner.
 */
export function startSlice(policy: JobPolicy, isLightWaiting: (sinceMs: number) => boolean): () => boolean {
  const startedAt = performance.now()
  return () => {
    const ms = performance.now() - startedAt
    return ms >= sliceMsOf(policy) || (ms >= MIN_SLICE_MS && isLightWaiting(startedAt))
  }
}

/** The account whose turn a job takes. Jobs without an account share one. */
export const accountOf = (payload: JobPayload<JobName>): string => ('accountId' in payload ? payload.accountId : '')

/** A quarter of the runs is left to others, because no run is interrupted for them. */
const RESERVED_SHARE = 1 / 4
/** Of fewer runs, none is left to accounts with nothing running. */
const MANY_RUNS = 16

const reservedRuns = (concurrency: number): number => Math.max(1, Math.floor(concurrency * RESERVED_SHARE))

/** How many runs accounts may have whose runs took long lately. */
export const slowRunLimit = (concurrency: number): number => Math.max(1, concurrency - reservedRuns(concurrency))

/** While so many runs are in progress, only accounts with nothing running may start one. */
export const furtherRunLimit = (concurrency: number): number =>
  concurrency >= MANY_RUNS ? concurrency - reservedRuns(concurrency) : Infinity

/** Throws a RangeError for a delay that is not a finite number. */
export function checkDelay(name: JobName, delayMs: number): void {
  if (!Number.isFinite(delayMs)) throw new RangeError(`The delay of the job ${name} is not a finite number`)
}

/** The message of anything that was thrown. */
export const toReason = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Emits a process warning for every failure. The default listener: failures are never silent. */
export const warningListener: JobListener = {
  failed({ name, attempt, isLast }, error) {
    const reason = error instanceof Error ? error.stack : String(error)
    const suffix = isLast ? '; no attempt is left' : ''
    process.emitWarning(`Attempt ${attempt} of the job ${name} failed${suffix}: ${reason}`)
  }
}
