import { type Job, WaitingError } from 'bullmq'
import type { Redis } from 'ioredis'
import type { JobName, JobPayload } from '../../../schemas/jobs.ts'
import type { NextStep } from '../policy.ts'
import type { Turns } from './turns.ts'

/** The stored data of a job. */
export interface JobData {
  payload: JobPayload<JobName>
  requestId: string | null
  /** Unix time in milliseconds since when the job needs nothing but a worker. */
  dueAt: number
  /** Of a dead job: the number of its attempts. */
  attempts?: number
  /** Of a dead job: how much of BullMQ's own count is ignored when the job is retried. */
  spent?: number
}

export type StoredJob = Job<JobData, void>

/** The number of the attempt, from 1. An attempt whose process died counts too. */
export function attemptNumber(job: StoredJob): number {
  return Math.max(1, 1 + countEnded(job) - (job.data.spent ?? 0))
}

/** The number of ended attempts, as BullMQ counts them. */
const countEnded = ({ attemptsMade, stalledCounter }: StoredJob): number => attemptsMade + stalledCounter

/** Tells BullMQ what to do next: retry after `delayMs`, or (-1) nothing. */
interface FailedRun extends Error {
  delayMs: number
}

/** For BullMQ's option `settings.backoffStrategy`. */
export const backoffStrategy = (_attempts: number, _type?: string, error?: Error): number =>
  (error as FailedRun | undefined)?.delayMs ?? -1

/**
 * How jobs enter and leave a worker. A transition after the run that fails, because the lock was lost
 * or Redis was flushed, is logged and not thrown: the process that has the job now continues.
 */
export interface JobTransitions {
  /**
   * To be called before the run reads anything: a job of the same key that is added from now on may
   * stand for data that this run does not see. Returns false when it is not the turn of the job: BullMQ
   * has it again, and `moved()` is to be thrown. If `isCrowded`, only accounts with nothing running have a turn.
   * Throws when Redis fails.
   */
  start: (job: StoredJob, token: string, isCrowded: boolean) => Promise<boolean>
  /** To be called when the job is done, before BullMQ completes it. */
  finish: (job: StoredJob) => Promise<void>
  /** Puts the job behind those of its account, unless another one of its key waits. Throws `moved()` if it did. */
  continue: (job: StoredJob, token: string) => Promise<void>
  /** Returns the job to the front of the queue, as if it had not been started. Always throws. */
  giveBack: (job: StoredJob, token: string) => Promise<never>
  /** Schedules the next attempt, or makes the job dead. */
  fail: (
    job: StoredJob,
    token: string,
    failure: { error: unknown; reason: string; attempt: number; next: NextStep }
  ) => Promise<void>
  /** To be thrown by a run after its job was moved: BullMQ then leaves the job where it is. */
  moved: () => Error
}

export function createJobTransitions({
  redis,
  turns,
  keyOf,
  logError
}: {
  redis: Redis
  turns: Turns
  keyOf: (job: StoredJob) => string | null
  logError: (error: unknown) => void
}): JobTransitions {
  // A job that waits again blocks other jobs of its key again. BullMQ deletes the key with the job.
  async function prepareToWait(job: StoredJob, change: Partial<JobData>): Promise<void> {
    const key = keyOf(job)
    if (key !== null) await redis.set(key, job.id!, 'NX')
    await job.updateData({ ...job.data, ...change })
  }

  async function attempt<T>(transition: () => Promise<T>): Promise<T | undefined> {
    try {
      return await transition()
    } catch (error) {
      logError(error)
      return undefined
    }
  }

  const moved = (): Error => new WaitingError()

  return {
    moved,
    start: (job, token, isCrowded) => turns.start(job, token, isCrowded),
    async finish(job) {
      await attempt(() => turns.finish(job))
    },
    async continue(job, token) {
      // All attempts again: the run made progress.
      const data = { ...job.data, dueAt: Date.now(), spent: countEnded(job) }
      if ((await attempt(() => turns.continue(job, token, data))) !== false) throw moved()
    },
    async giveBack(job, token) {
      await attempt(() => turns.giveBack(job, token, { ...job.data, dueAt: Date.now() }))
      throw moved()
    },
    async fail(job, token, { error, reason, attempt: attempts, next: { isLast, delayMs } }) {
      const failedRun: FailedRun = Object.assign(new Error(reason), { delayMs: isLast ? -1 : delayMs })
      if (error instanceof Error && error.stack !== undefined) failedRun.stack = error.stack
      await attempt(async () => {
        if (isLast) await job.updateData({ ...job.data, attempts, spent: countEnded(job) + 1 })
        else await prepareToWait(job, { dueAt: Date.now() + delayMs })
        await turns.finish(job)
        await job.moveToFailed(failedRun, token)
      })
    }
  }
}
