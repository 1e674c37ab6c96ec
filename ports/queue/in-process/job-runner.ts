import { randomUUID } from 'node:crypto'
import { startLongTimer } from '../../../lib/async.ts'
import { nextStep, toReason } from '../policy.ts'
import type { JobPolicy, QueueDepth } from '../port.ts'
import { runAttempt } from '../run-attempt.ts'
import { createPendingJobs, type PendingJob } from './pending-jobs.ts'

/** Dead jobs of one name that are kept. Older ones are dropped. */
const MAX_DEAD = 100

/** How jobs are run. The payload is JSON text. */
export interface RunnerWorker {
  policy: JobPolicy
  run: (job: PendingJob, signal: AbortSignal) => Promise<void>
}

/** A job to add, unless a job of its key is pending. */
export interface NewJob {
  payload: string
  key: string | undefined
  requestId: string | null
  delayMs: number
}

/** A job whose last attempt failed. `failedAt`: RFC 3339. */
export interface DeadEntry {
  id: string
  job: PendingJob
  reason: string
  failedAt: string
}

export interface JobRunnerOptions {
  closing: AbortSignal
  graceMs: number
  onFailed: (job: PendingJob, isLast: boolean, error: unknown) => void
  /** Called when a run has ended, after `onFailed`. */
  onEnded: () => void
}

/** All jobs of one name: pending, running and dead ones, and their worker. */
export interface JobRunner {
  add: (job: NewJob) => void
  work: (worker: RunnerWorker) => void
  depth: () => QueueDepth
  /** Dead jobs, the latest first. */
  dead: (limit: number) => DeadEntry[]
  /** Adds dead jobs again: the one with this id, or all (null). Returns their number. */
  retry: (id: string | null) => number
  /** Whether no job is due or running. */
  isIdle: () => boolean
  /** Drops pending jobs and resolves when nothing runs. The closing signal must be aborted before. */
  close: () => Promise<void>
}

/** Creates the runner of one job name. */
export function createJobRunner({ closing, graceMs, onFailed, onEnded }: JobRunnerOptions): JobRunner {
  const running = new Set<Promise<void>>()
  const pending = createPendingJobs(startLongTimer, schedule)
  let dead: DeadEntry[] = []
  let worker: RunnerWorker | undefined
  let scheduled: NodeJS.Immediate | undefined

  // Never synchronously: the caller that adds a job continues first, and jobs that take no time do
  // not block I/O.
  function schedule(): void {
    if (worker !== undefined && !closing.aborted) scheduled ??= setImmediate(start)
  }

  function start(): void {
    scheduled = undefined
    if (worker === undefined) return
    while (running.size < worker.policy.concurrency) {
      const job = pending.take()
      if (job === undefined) return
      const run = runOnce(job, worker).finally(() => {
        running.delete(run)
        schedule()
        onEnded()
      })
      running.add(run)
    }
  }

  async function runOnce(job: PendingJob, { policy, run }: RunnerWorker): Promise<void> {
    try {
      await runAttempt({ run: (signal) => run(job, signal), timeoutMs: policy.timeoutMs, graceMs, closing })
    } catch (error) {
      const { isLast, delayMs } = nextStep(error, job.attempt, policy)
      if (isLast) addDead(job, error)
      else if (!closing.aborted) pending.add({ ...job, attempt: job.attempt + 1 }, delayMs)
      onFailed(job, isLast, error)
    }
  }

  function add({ delayMs, ...job }: NewJob): void {
    if (job.key !== undefined && pending.has(job.key)) return
    pending.add({ ...job, attempt: 1 }, delayMs)
  }

  function addDead(job: PendingJob, error: unknown): void {
    dead.push({ id: randomUUID(), job, reason: toReason(error), failedAt: new Date().toISOString() })
    if (dead.length > MAX_DEAD) dead.shift()
  }

  return {
    add,
    work(given) {
      worker = given
      schedule()
    },
    depth: () => ({
      waiting: pending.count(),
      due: pending.dueCount(),
      running: running.size,
      failed: dead.length,
      oldestMs: pending.oldestMs()
    }),
    dead: (limit) => dead.toReversed().slice(0, limit),
    retry(id) {
      const retried = id === null ? dead : dead.filter((entry) => entry.id === id)
      dead = id === null ? [] : dead.filter((entry) => entry.id !== id)
      for (const { job } of retried) {
        add({ payload: job.payload, key: job.key, requestId: job.requestId, delayMs: 0 })
      }
      return retried.length
    },
    isIdle: () => running.size === 0 && pending.dueCount() === 0,
    async close() {
      clearImmediate(scheduled)
      pending.clear()
      await Promise.allSettled(running)
    }
  }
}
