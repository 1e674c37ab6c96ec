import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { startLongTimer } from '../../../lib/async.ts'
import { nextStep, toReason } from '../policy.ts'
import type { JobPolicy, QueueDepth, RunResult } from '../port.ts'
import { runAttempt } from '../run-attempt.ts'
import { createPendingJobs, type PendingJob, type TakenJob } from './pending-jobs.ts'

/** Dead jobs of one name that are kept. Older ones are dropped. */
const MAX_DEAD = 100

/** How jobs are run. The payload is JSON text. */
export interface RunnerWorker {
  policy: JobPolicy
  run: (taken: TakenJob, signal: AbortSignal) => Promise<RunResult>
}

/** A job to add, unless a job of its key is pending. */
export interface NewJob {
  account: string
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
  /** Whether a job of a light account waits for a run. */
  isLightWaiting: () => boolean
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
      const taken = pending.take()
      if (taken === undefined) return
      const run = runOnce(taken, worker).then((isContinued) => {
        running.delete(run)
        pending.release(taken, isContinued)
        schedule()
        onEnded()
      })
      running.add(run)
    }
  }

  /** Whether the job is continued. Never rejects. */
  async function runOnce(taken: TakenJob, { policy, run }: RunnerWorker): Promise<boolean> {
    const { job } = taken
    try {
      const { timeoutMs } = policy
      const result = await runAttempt({ run: (signal) => run(taken, signal), timeoutMs, graceMs, closing })
      if (result === 'continue' && !closing.aborted) add({ ...job, key: job.key, delayMs: 0 })
      return result === 'continue'
    } catch (error) {
      const { isLast, delayMs } = nextStep(error, job.attempt, policy)
      if (isLast) addDead(job, error)
      else if (!closing.aborted) pending.add({ ...job, attempt: job.attempt + 1 }, delayMs)
      onFailed(job, isLast, error)
      return false
    }
  }

  function add({ account, payload, key, requestId, delayMs }: NewJob): void {
    if (key !== undefined && pending.has(key)) return
    pending.add({ account, payload, key, requestId, attempt: 1 }, delayMs)
  }

  function addDead(job: PendingJob, error: unknown): void {
    dead.push({ id: randomUUID(), job, reason: toReason(error), failedAt: new Date().toISOString() })
    if (dead.length > MAX_DEAD) dead.shift()
  }

  return {
    add,
    work(given) {
      // A job is not part of the request that added it, or of the job that ended before it.
      worker = { ...given, run: AsyncLocalStorage.bind(given.run) }
      pending.limit(given.policy.concurrency, given.policy.accountConcurrency)
      schedule()
    },
    isLightWaiting: () => pending.isLightWaiting(),
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
        add({ ...job, key: job.key, delayMs: 0 })
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
