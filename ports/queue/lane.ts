import { attempt } from './attempt.ts'
import { createDeadJobs } from './dead-jobs.ts'
import type { KeptJob } from './dead-jobs.ts'
import { startLongTimer } from './long-timer.ts'
import { judge } from './policy.ts'
import type { JobPolicy, QueueDepth } from './port.ts'
import { createWaiting } from './waiting.ts'
import type { WaitingJob } from './waiting.ts'

/** What works the jobs of one name; the payload is JSON text. */
export interface LaneWorker {
  policy: JobPolicy
  run: (job: WaitingJob, signal: AbortSignal) => Promise<void>
}

/**
 * What is added to a lane; not before `delayMs` milliseconds, and not while another one of the key
 * waits.
 */
export interface LaneAddition {
  payload: string
  key: string | undefined
  requestId: string | null
  delayMs: number
}

export interface LaneOptions {
  closing: AbortSignal
  graceMs: number
  failed: (job: WaitingJob, last: boolean, error: unknown) => void
  /** Told when a run has ended, after its failure was told. */
  ended: () => void
}

/** All the jobs of one name: those that wait, those that run, and who works them. */
export interface Lane {
  add: (addition: LaneAddition) => void
  work: (worker: LaneWorker) => void
  depth: () => QueueDepth
  /** The jobs that were given up, the latest first. */
  dead: (limit: number) => KeptJob[]
  /** Adds dead jobs again, as new ones: the one of this id, or all (null); returns how many. */
  retry: (id: string | null) => number
  /** True when nothing is due or running. */
  idle: () => boolean
  /** Drops what waits and resolves when nothing runs; the closing signal must have been given. */
  close: () => Promise<void>
}

/** Opens the lane of one job. */
export function openLane({ closing, graceMs, failed, ended }: LaneOptions): Lane {
  const running = new Set<Promise<void>>()
  const waiting = createWaiting(startLongTimer, schedule)
  const dead = createDeadJobs()
  let worker: LaneWorker | undefined
  let scheduled: NodeJS.Immediate | undefined

  // Never at once: who adds a job goes on first, and jobs that take no time still let input and
  // output through between them.
  function schedule(): void {
    if (worker !== undefined && !closing.aborted) scheduled ??= setImmediate(start)
  }

  function start(): void {
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

  async function runOnce(job: WaitingJob, { policy, run }: LaneWorker): Promise<void> {
    try {
      await attempt({ run: (signal) => run(job, signal), timeoutMs: policy.timeoutMs, graceMs, closing })
    } catch (error) {
      const { last, waitMs } = judge(error, job.attempt, policy)
      if (last) dead.keep(job, error)
      else if (!closing.aborted) waiting.add({ ...job, attempt: job.attempt + 1 }, waitMs)
      failed(job, last, error)
    }
  }

  function add({ delayMs, ...job }: LaneAddition): void {
    if (job.key !== undefined && waiting.has(job.key)) return
    waiting.add({ ...job, attempt: 1 }, delayMs)
  }

  return {
    add,
    work(given) {
      worker = given
      schedule()
    },
    depth: () => ({
      waiting: waiting.count(),
      due: waiting.dueCount(),
      running: running.size,
      failed: dead.count(),
      oldestMs: waiting.oldestMs()
    }),
    dead: dead.list,
    retry(id) {
      const taken = dead.take(id)
      for (const {
        job: { payload, key, requestId }
      } of taken) {
        add({ payload, key, requestId, delayMs: 0 })
      }
      return taken.length
    },
    idle: () => running.size === 0 && waiting.dueCount() === 0,
    async close() {
      clearImmediate(scheduled)
      waiting.clear()
      await Promise.allSettled(running)
    }
  }
}
