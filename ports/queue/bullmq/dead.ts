import type { Queue } from 'bullmq'
import type { JobName } from '../../../schemas/jobs.ts'
import type { DeadJob } from '../port.ts'
import type { JobData, StoredJob } from './data.ts'
import { isAway } from './errors.ts'

/** So many are added again at once. */
const PORTION = 100

export type StoredQueue = Queue<JobData, void, string>
/** Adds a job of the same name, payload and key as a new one. */
export type AddAgain = (job: StoredJob) => Promise<void>

/** Jobs of the queue that were given up, the latest first. */
export async function deadJobs(queue: StoredQueue, limit: number): Promise<DeadJob[]> {
  if (limit <= 0) return []
  const jobs = await queue.getFailed(0, limit - 1)
  return jobs.filter(Boolean).map(({ id, name, data, attemptsMade, failedReason, finishedOn, timestamp }) => ({
    id: id!,
    name: name as JobName,
    payload: data.payload,
    attempts: data.attempts ?? attemptsMade,
    reason: failedReason ?? '',
    failedAt: new Date(finishedOn ?? timestamp).toISOString(),
    requestId: data.requestId
  }))
}

/**
 * Adds the dead job of this id again, or all (null), and forgets that they were given up; returns
 * how many. A crash in the middle may leave one both added and dead, never neither.
 */
export async function retryDead(queue: StoredQueue, id: string | null, addAgain: AddAgain): Promise<number> {
  const again = async (job: StoredJob): Promise<number> => {
    await addAgain(job)
    return await remove(job)
  }
  if (id !== null) {
    const job = await queue.getJob(id)
    return job !== undefined && (await job.isFailed()) ? await again(job) : 0
  }
  let count = 0
  for (;;) {
    // The oldest first, so that they are worked in the order in which they failed.
    const jobs = (await queue.getJobs(['failed'], 0, PORTION - 1, true)).filter(Boolean)
    let done = 0
    for (const job of jobs) done += await again(job)
    count += done
    if (jobs.length < PORTION || done === 0) return count
  }
}

/** 0 when somebody else had it tried again at the same moment, and it runs. */
async function remove(job: StoredJob): Promise<number> {
  try {
    await job.remove()
    return 1
  } catch (error) {
    if (isAway(error)) throw error
    return 0
  }
}
