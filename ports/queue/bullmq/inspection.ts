import type { Queue } from 'bullmq'
import type { ChainableCommander, Redis } from 'ioredis'
import { setTimeout as wait } from 'node:timers/promises'
import type { JobName } from '../../../schemas/jobs.ts'
import type { DeadJob, QueueDepth } from '../port.ts'
import { type ConnectionGuard, isUnavailable } from './connection-guard.ts'
import type { JobData, StoredJob } from './job-transitions.ts'
import { type KeyNames, maxDueScore, MIN_PARKED_SCORE, toParkedAt } from './key-names.ts'

const MIN_POLL_MS = 2
const MAX_POLL_MS = 50
/** Dead jobs that are retried in one batch. */
const RETRY_BATCH = 100

/**
 * Counts the jobs of a name in all processes. A delayed job whose time has come is due, even while
 * there is no worker that moves it, and so is a job that waits for the turn of its account.
 */
export async function readDepth(redis: Redis, { wait, active, delayed, failed, job }: KeyNames): Promise<QueueDepth> {
  const now = Date.now()
  const [waiting, running, later, overdue, parked, dead, first, firstOverdue, firstParked] = (await execute(
    redis
      .multi()
      .llen(wait)
      .llen(active)
      .zcard(delayed)
      .zcount(delayed, '-inf', maxDueScore(now))
      .zcount(delayed, MIN_PARKED_SCORE, '+inf')
      .zcard(failed)
      .lindex(wait, -1)
      .zrangebyscore(delayed, '-inf', maxDueScore(now), 'LIMIT', 0, 1)
      .zrangebyscore(delayed, MIN_PARKED_SCORE, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
  )) as [number, number, number, number, number, number, string | null, string[], [string?, string?]]
  const oldest = [first, ...firstOverdue].filter((id) => id !== null)
  const ages = await Promise.all(
    oldest.map(async (id) => toAge(await redis.hmget(job(id), 'data', 'processedOn'), now))
  )
  if (firstParked[1] !== undefined) ages.push(now - toParkedAt(Number(firstParked[1])))
  return {
    waiting: waiting + later,
    due: waiting + overdue + parked,
    running,
    failed: dead,
    oldestMs: Math.max(0, ...ages)
  }
}

/** A job whose process died has been due at most since the start of that run. */
function toAge([data, processedOn]: Array<string | null | undefined>, now: number): number {
  if (data === null || data === undefined) return 0 // The job was taken meanwhile.
  return now - Math.max((JSON.parse(data) as JobData).dueAt, Number(processedOn ?? 0))
}

/**
 * Resolves when no job of these queues is due or running, in any process. Reads all of them in one
 * transaction, so that a job that adds another is not missed.
 */
export async function waitUntilIdle(redis: Redis, queues: KeyNames[], guard: ConnectionGuard): Promise<void> {
  for (let pollMs = MIN_POLL_MS; ; pollMs = Math.min(pollMs * 2, MAX_POLL_MS)) {
    const counts = await guard(async () => {
      const transaction = redis.multi()
      for (const { wait, active, delayed } of queues) {
        transaction
          .llen(wait)
          .llen(active)
          .zcount(delayed, '-inf', maxDueScore(Date.now()))
          .zcount(delayed, MIN_PARKED_SCORE, '+inf')
      }
      return await execute(transaction)
    })
    if (counts.every((count) => count === 0)) return
    await wait(pollMs)
  }
}

async function execute(transaction: ChainableCommander): Promise<unknown[]> {
  const replies = (await transaction.exec()) ?? []
  return replies.map(([error, value]) => {
    if (error !== null) throw error
    return value
  })
}

export type StoredQueue = Queue<JobData, void, string>

/** Dead jobs, the latest first. */
export async function listDead(queue: StoredQueue, limit: number): Promise<DeadJob[]> {
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
 * Adds the dead job with this id again, or all (null), and removes it from the dead jobs. Returns
 * their number. `addAgain` adds a new job with the same name, payload and key. A crash may leave a
 * job both added and dead, never neither.
 */
export async function retryDead(
  queue: StoredQueue,
  id: string | null,
  addAgain: (job: StoredJob) => Promise<void>
): Promise<number> {
  const retry = async (job: StoredJob): Promise<number> => {
    await addAgain(job)
    return await removeDead(job)
  }
  if (id !== null) {
    const job = await queue.getJob(id)
    return job !== undefined && (await job.isFailed()) ? await retry(job) : 0
  }
  let count = 0
  for (;;) {
    // The oldest first, so that the jobs run in the order in which they failed.
    const jobs = (await queue.getJobs(['failed'], 0, RETRY_BATCH - 1, true)).filter(Boolean)
    let retried = 0
    for (const job of jobs) retried += await retry(job)
    count += retried
    if (jobs.length < RETRY_BATCH || retried === 0) return count
  }
}

/** Returns 0 when somebody else retried the job at the same moment, and the job is running. */
async function removeDead(job: StoredJob): Promise<number> {
  try {
    await job.remove()
    return 1
  } catch (error) {
    if (isUnavailable(error)) throw error
    return 0
  }
}
