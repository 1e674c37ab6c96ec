import { type Job, WaitingError } from 'bullmq'
import type { Redis } from 'ioredis'
import type { JobName, JobPayload } from '../../../schemas/jobs.ts'
import type { NextStep } from '../policy.ts'

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
 * How unfinished jobs leave a worker. A transition that fails, because the lock was lost or Redis
 * was flushed, is logged and not thrown: the process that has the job now continues.
 */
export interface JobTransitions {
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
  keyOf,
  logError
}: {
  redis: Redis
  keyOf: (job: StoredJob) => string | null
  logError: (error: unknown) => void
}): JobTransitions {
  // A job that waits again blocks other jobs of its key again. BullMQ deletes the key with the job.
  async function prepareToWait(job: StoredJob, change: Partial<JobData>): Promise<void> {
    const key = keyOf(job)
    if (key !== null) await redis.set(key, job.id!, 'NX')
    await job.updateData({ ...job.data, ...change })
  }

  async function attempt(transition: () => Promise<void>): Promise<void> {
    try {
      await transition()
    } catch (error) {
      logError(error)
    }
  }

  const moved = (): Error => new WaitingError()

  return {
    moved,
    async giveBack(job, token) {
      await attempt(async () => {
        await prepareToWait(job, { dueAt: Date.now() })
        await job.moveToWait(token)
      })
      throw moved()
    },
    async fail(job, token, { error, reason, attempt: attempts, next: { isLast, delayMs } }) {
      const failedRun: FailedRun = Object.assign(new Error(reason), { delayMs: isLast ? -1 : delayMs })
      if (error instanceof Error && error.stack !== undefined) failedRun.stack = error.stack
      await attempt(async () => {
        if (isLast) await job.updateData({ ...job.data, attempts, spent: countEnded(job) + 1 })
        else await prepareToWait(job, { dueAt: Date.now() + delayMs })
        await job.moveToFailed(failedRun, token)
      })
    }
  }
}
