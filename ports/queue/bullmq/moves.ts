import { WaitingError } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Verdict } from '../policy.ts'
import { begun, type JobData, type StoredJob } from './data.ts'

/**
 * An error by which BullMQ is told what to do next: to wait so many milliseconds, or (-1) to give
 * the job up.
 */
interface FailedRun extends Error {
  waitMs: number
}

/**
 * How BullMQ is told to wait before the next attempt; for its option `settings.backoffStrategy`.
 */
export const backoffStrategy = (made: number, type?: string, error?: Error): number =>
  (error as FailedRun | undefined)?.waitMs ?? -1

/**
 * How jobs leave a worker otherwise than done. A move that fails, because the lock was lost or
 * Redis was emptied, is told and not thrown: whoever has the job now goes on with it.
 */
export interface Moves {
  /**
   * Gives the job back, as if it had not been begun: it is the next one that is worked, by another.
   */
  back: (job: StoredJob, token: string) => Promise<never>
  /** Lets the job wait for its next attempt, or gives it up. */
  failed: (
    job: StoredJob,
    token: string,
    failure: { error: unknown; reason: string; attempt: number; verdict: Verdict }
  ) => Promise<void>
  /** To be thrown by a run when the job has been moved: BullMQ then leaves it where it is. */
  moved: () => Error
}

/** Makes the moves of the jobs whose keys begin with `prefix`. */
export function createMoves({
  redis,
  keyOf,
  troubled
}: {
  redis: Redis
  keyOf: (job: StoredJob) => string | null
  troubled: (error: unknown) => void
}): Moves {
  // A job that waits keeps others of its key away, also when it waits again. BullMQ forgets the key
  // with the job.
  async function waitAgain(job: StoredJob, change: Partial<JobData>): Promise<void> {
    const key = keyOf(job)
    if (key !== null) await redis.set(key, job.id!, 'NX')
    await job.updateData({ ...job.data, ...change })
  }

  async function tell(act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (error) {
      troubled(error)
    }
  }

  const moved = (): Error => new WaitingError()

  return {
    moved,
    async back(job, token) {
      await tell(async () => {
        await waitAgain(job, { dueAt: Date.now() })
        await job.moveToWait(token)
      })
      throw moved()
    },
    async failed(job, token, { error, reason, attempt, verdict: { last, waitMs } }) {
      const run: FailedRun = Object.assign(new Error(reason), { waitMs: last ? -1 : waitMs })
      if (error instanceof Error && error.stack !== undefined) run.stack = error.stack
      await tell(async () => {
        if (last) await job.updateData({ ...job.data, attempts: attempt, spent: begun(job) + 1 })
        else await waitAgain(job, { dueAt: Date.now() + waitMs })
        await job.moveToFailed(run, token)
      })
    }
  }
}
