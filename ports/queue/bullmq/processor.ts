import type { JobName, JobPayload } from '../../../schemas/jobs.ts'
import { attempt as runAttempt } from '../attempt.ts'
import { startLongTimer } from '../long-timer.ts'
import { isUseless, judge, reasonOf } from '../policy.ts'
import type { Job, JobListener, JobPolicy } from '../port.ts'
import { attemptOf, type StoredJob } from './data.ts'
import type { Moves } from './moves.ts'

export interface ProcessorOptions<N extends JobName> {
  name: N
  policy: JobPolicy
  run: (job: Job<N>) => Promise<void>
  moves: Moves
  listener: JobListener
  closing: AbortSignal
  graceMs: number
}

/** What BullMQ calls with each job that the worker got, and with the token of its lock. */
export type Processor = (job: StoredJob, token?: string) => Promise<void>

/**
 * Makes what runs the jobs of a name by their policy. A run that was told to stop because the queue
 * is closing is taken for broken off, whatever it said, and its job
 * is given back; so is one that does not end within `graceMs` of that.
 */
export function createProcessor<N extends JobName>({
  name,
  policy,
  run,
  moves,
  listener,
  closing,
  graceMs
}: ProcessorOptions<N>): Processor {
  async function work(job: StoredJob, attempt: number): Promise<void> {
    const payload = structuredClone(job.data.payload) as JobPayload<N>
    const { requestId } = job.data
    const patience = waitForClosing(closing, graceMs)
    try {
      const running = runAttempt({
        run: (signal) => run({ name, payload, attempt, signal, requestId }),
        timeoutMs: policy.timeoutMs,
        graceMs,
        closing
      })
      await Promise.race([running, patience.over])
    } finally {
      patience.end()
    }
  }

  return async (job, token = '') => {
    if (closing.aborted) return await moves.back(job, token)
    const attempt = attemptOf(job)
    try {
      if (job.stalledCounter > 0 && attempt > policy.attempts) {
        throw Object.assign(new Error('The process ended in the middle of the last attempt'), { retryable: false })
      }
      // Before the run reads anything: whoever adds one of the same key from now on may have
      // something that this run does not see.
      await job.removeDeduplicationKey()
      if (!closing.aborted) await work(job, attempt)
    } catch (error) {
      if (closing.aborted && !isUseless(error)) return await moves.back(job, token)
      const verdict = judge(error, attempt, policy)
      const made = Math.min(attempt, policy.attempts)
      await moves.failed(job, token, { error, reason: reasonOf(error), attempt: made, verdict })
      listener.failed({ name, attempt: made, isLast: verdict.last, requestId: job.data.requestId }, error)
      throw moves.moved()
    }
    if (closing.aborted) await moves.back(job, token)
  }
}

/** `over` resolves so many milliseconds after the signal; `end` lets go of it. */
function waitForClosing(closing: AbortSignal, graceMs: number): { over: Promise<void>; end: () => void } {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  let cancel = (): void => {}
  const start = (): void => {
    cancel = startLongTimer(graceMs, resolve)
  }
  closing.addEventListener('abort', start, { once: true })
  return {
    over,
    end() {
      closing.removeEventListener('abort', start)
      cancel()
    }
  }
}
