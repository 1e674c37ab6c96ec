import { attempt } from './attempt.ts'
import { startLongTimer } from './long-timer.ts'
import type { JobPolicy, QueueDepth } from './port.ts'
import { createWaiting } from './waiting.ts'
import type { WaitingJob } from './waiting.ts'

/** What works the jobs of one name; the payload is JSON text. */
export interface LaneWorker { policy: JobPolicy, run: (payload: string, attempt: number, signal: AbortSignal) => Promise<void> }

export interface LaneOptions {
  closing: AbortSignal
  graceMs: number
  failed: (attempt: number, last: boolean, error: unknown) => void
  /** Told when a run has ended, after its failure was told. */
  ended: () => void
}

/** All the jobs of one name: those that wait, those that run, and who works them. */
export interface Lane {
  add: (payload: string, key: string | undefined, delayMs: number) => void
  work: (worker: LaneWorker) => void
  depth: () => QueueDepth
  /** True when nothing is due or running. */
  idle: () => boolean
  /** Drops what waits and resolves when nothing runs; the closing signal must have been given. */
  close: () => Promise<void>
}

/** Opens the lane of one job. */
export function openLane ({ closing, graceMs, failed, ended }: LaneOptions): Lane {
  const running = new Set<Promise<void>>()
  const waiting = createWaiting(startLongTimer, schedule)
  let worker: LaneWorker | undefined
  let failedCount = 0
  let scheduled: NodeJS.Immediate | undefined

  // Never at once: who adds a job goes on first, and jobs that take no time still let input and output through between them.
  function schedule (): void {
    if (worker !== undefined && !closing.aborted) scheduled ??= setImmediate(start)
  }

  function start (): void {
    scheduled = undefined
    if (worker === undefined) return
    while (running.size < worker.policy.concurrency) {
      const job = waiting.take()
      if (job === undefined) return
      const run = runOnce(job, worker).finally(() => {
        running.delete(run)
        schedule()
        ended()
      })
      running.add(run)
    }
  }

  async function runOnce (job: WaitingJob, { policy, run }: LaneWorker): Promise<void> {
    try {
      await attempt({ run: (signal) => run(job.payload, job.attempt, signal), timeoutMs: policy.timeoutMs, graceMs, closing })
    } catch (error) {
      const last = job.attempt >= policy.attempts || neverAgain(error)
      if (last) failedCount += 1
      else if (!closing.aborted) waiting.add({ ...job, attempt: job.attempt + 1 }, waitMs(policy, job.attempt))
      failed(job.attempt, last, error)
    }
  }

  return {
    add (payload, key, delayMs) {
      if (key !== undefined && waiting.has(key)) return
      waiting.add({ payload, attempt: 1, key }, delayMs)
    },
    work (given) {
      worker = given
      schedule()
    },
    depth: () => ({ waiting: waiting.count(), running: running.size, failed: failedCount }),
    idle: () => running.size === 0 && waiting.dueCount() === 0,
    async close () {
      clearImmediate(scheduled)
      waiting.clear()
      await Promise.allSettled(running)
    }
  }
}

const neverAgain = (error: unknown): boolean => (error as { retryable?: unknown } | null | undefined)?.retryable === false

/** How long to wait after the `failed`th attempt failed. */
const waitMs = ({ backoffMs }: JobPolicy, failed: number): number => backoffMs[Math.min(failed, backoffMs.length) - 1] ?? 0
