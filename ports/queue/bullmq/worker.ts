import { Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { setTimeout as wait } from 'node:timers/promises'
import { startLongTimer } from '../../../lib/async.ts'
import type { JobName, JobPayload } from '../../../schemas/jobs.ts'
import { furtherRunLimit, isPermanent, nextStep, startSlice, toReason } from '../policy.ts'
import type { Job, JobListener, JobPolicy, RunResult } from '../port.ts'
import { runAttempt } from '../run-attempt.ts'
import { attemptNumber, backoffStrategy, type JobData, type JobTransitions, type StoredJob } from './job-transitions.ts'
import { keyNames, keyPrefix } from './key-names.ts'
import { addSlowRunLimit } from './slow-run-limits.ts'

/** Dead jobs are kept for two weeks, and at most a thousand of each name. */
const KEEP_DEAD = { count: 1000, age: 14 * 24 * 3600 }
/** A worker that Redis did not serve tries again after this time. */
const RETRY_MS = 2_000
/** How long BullMQ may take to close a worker whose runs have ended. */
const CLOSE_MS = 3_000
/** How often the process of a job may die is limited by the job's policy, not by BullMQ. */
const UNLIMITED = 1_000_000

/** BullMQ calls it with each job of the worker, and the token of its lock. */
export type Processor = (job: StoredJob, token?: string) => Promise<void>

export interface ProcessorOptions<N extends JobName> {
  name: N
  policy: JobPolicy
  run: (job: Job<N>) => Promise<RunResult>
  transitions: JobTransitions
  /** Whether a job of a light account waits: the slices of other runs end early. */
  isLightWaiting: (sinceMs: number) => boolean
  listener: JobListener
  closing: AbortSignal
  graceMs: number
}

/**
 * Creates the function that runs jobs of a name by their policy. When the queue is closing, every
 * aborted run counts as interrupted, whatever it threw, and its job is given back; so is a job that
 * does not end within `graceMs` after that.
 */
export function createProcessor<N extends JobName>({
  name,
  policy,
  run,
  transitions,
  isLightWaiting,
  listener,
  closing,
  graceMs
}: ProcessorOptions<N>): Processor {
  const furtherLimit = furtherRunLimit(policy.concurrency)
  /** With the ones that start. */
  let running = 0

  async function work(job: StoredJob, attempt: number): Promise<RunResult> {
    const payload = structuredClone(job.data.payload) as JobPayload<N>
    const { requestId, dueAt } = job.data
    const waitMs = Math.max(0, Date.now() - dueAt)
    const grace = startGrace(closing, graceMs)
    try {
      const running = runAttempt({
        run: (signal) => {
          const isSliceOver = startSlice(policy, isLightWaiting)
          return run({ name, payload, attempt, signal, isSliceOver, waitMs, requestId })
        },
        timeoutMs: policy.timeoutMs,
        graceMs,
        closing
      })
      return await Promise.race([running, grace.over])
    } finally {
      grace.cancel()
    }
  }

  const processJob: Processor = async (job, token = '') => {
    if (closing.aborted) return await transitions.giveBack(job, token)
    const attempt = attemptNumber(job)
    let isTurn = true
    let result: RunResult | undefined
    try {
      if (job.stalledCounter > 0 && attempt > policy.attempts) {
        throw Object.assign(new Error('The process died during the last attempt'), { retryable: false })
      }
      isTurn = await transitions.start(job, token, running > furtherLimit)
      if (isTurn && !closing.aborted) result = await work(job, attempt)
    } catch (error) {
      if (closing.aborted && !isPermanent(error)) return await transitions.giveBack(job, token)
      const next = nextStep(error, attempt, policy)
      const attempts = Math.min(attempt, policy.attempts)
      await transitions.fail(job, token, { error, reason: toReason(error), attempt: attempts, next })
      listener.failed({ name, attempt: attempts, isLast: next.isLast, requestId: job.data.requestId }, error)
      throw transitions.moved()
    }
    if (!isTurn) throw transitions.moved()
    if (closing.aborted) await transitions.giveBack(job, token)
    if (result === 'continue') await transitions.continue(job, token)
    else await transitions.finish(job)
  }

  return async (job, token) => {
    running += 1
    try {
      await processJob(job, token)
    } finally {
      running -= 1
    }
  }
}

/** `over` resolves `graceMs` after the signal aborts; `cancel` removes the timer and the listener. */
function startGrace(closing: AbortSignal, graceMs: number): { over: Promise<void>; cancel: () => void } {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  let cancelTimer = (): void => {}
  const start = (): void => {
    cancelTimer = startLongTimer(graceMs, resolve)
  }
  closing.addEventListener('abort', start, { once: true })
  return {
    over,
    cancel() {
      closing.removeEventListener('abort', start)
      cancelTimer()
    }
  }
}

export interface WorkerOptions {
  name: JobName
  prefix: string
  redis: Redis
  concurrency: number
  /** How long a job is locked by a process that does not renew its lock. Checked twice as often. */
  lockMs: number
  processor: Processor
  logError: (error: unknown) => void
}

/** The worker of one job name in this process. */
export interface StartedWorker {
  /**
   * Takes no more jobs. The closing signal must be aborted before. Resolves when the running jobs
   * have been moved, or Redis is unreachable: other processes then take them when their locks expire.
   */
  close: () => Promise<void>
}

/** Starts a worker. It recovers when Redis was unreachable or was flushed. */
export function startWorker({
  name,
  prefix,
  redis,
  concurrency,
  lockMs,
  processor,
  logError
}: WorkerOptions): StartedWorker {
  const running = new Set<Promise<void>>()
  const worker = new Worker<JobData, void>(
    name,
    async (job, token) => {
      const run = processor(job, token)
      const tracked = run.catch(() => {}).finally(() => running.delete(tracked))
      running.add(tracked)
      await run
    },
    {
      connection: redis,
      prefix: keyPrefix(prefix),
      concurrency,
      lockDuration: lockMs,
      lockRenewTime: lockMs / 4,
      stalledInterval: lockMs / 2,
      maxStalledCount: UNLIMITED,
      removeOnComplete: { count: 0 },
      removeOnFail: KEEP_DEAD,
      runRetryDelay: RETRY_MS,
      settings: { backoffStrategy },
      // The version was checked when the connections were opened. BullMQ would check once for each
      // worker, and print a warning each time.
      skipVersionCheck: true
    }
  )
  worker.on('error', logError)
  const slowRuns = addSlowRunLimit(redis, keyNames(prefix, name).workers, { concurrency, logError })
  const { blockingConnection } = worker.getBackend()
  // Without the version check, BullMQ assumes an old server, which waits for whole seconds only.
  blockingConnection?.client.then(() => {
    blockingConnection.capabilities.canDoubleTimeout = true
  }, logError)

  return {
    async close() {
      await worker.pause(true)
      slowRuns.remove()
      while (running.size > 0 && redis.status === 'ready') await Promise.race([Promise.all(running), wait(100)])
      await Promise.race([worker.close(redis.status !== 'ready'), wait(CLOSE_MS)])
      // If Redis becomes unreachable while BullMQ closes, BullMQ may never end these, and the
      // process could not exit.
      await worker['lockManager'].close()
      if (blockingConnection !== undefined) disconnectForGood(blockingConnection['_client'] as unknown as Redis)
    }
  }
}

/** Ends a connection that pending work could otherwise reopen. */
function disconnectForGood(redis: Redis): void {
  redis.options.retryStrategy = () => null
  redis.on('connect', () => redis.disconnect())
  redis.on('error', () => {}) // No command uses this connection any more.
  redis.disconnect()
}
