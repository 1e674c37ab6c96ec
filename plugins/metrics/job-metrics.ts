import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Queue, QueueDepth } from '../../ports/queue/port.ts'
import { Jobs, type JobName } from '../../schemas/jobs.ts'
import { withTimeout } from '../../lib/async.ts'

export type JobOutcome = 'done' | 'failed' | 'dead'
export interface JobMetrics {
  /** A run ended: well, badly with another attempt to come, or badly for the last time. */
  ended: (job: JobName, outcome: JobOutcome) => void
  /** How long a run took, however it ended. */
  took: (job: JobName, seconds: number) => void
  /**
   * Looks at the queue, for some 2 s at most. While it does not answer, nothing is told of it: no
   * number rather than an old one.
   */
  look: (queue: Queue) => Promise<void>
}

const LOOK_MS = 2000
const NAMES = Object.keys(Jobs) as JobName[]
/** Seconds; a delivery run takes 20, an import may take half an hour. */
const BOUNDS_SECONDS = [0.01, 0.05, 0.25, 1, 5, 20, 60, 300, 1800]

/**
 * Registers what is told of jobs: how many there are in the whole queue, and what became of those
 * that ran in this process.
 */
export function registerJobs(registry: Registry): JobMetrics {
  const registers = [registry]
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames: ['job'], registers })
  const read: [Gauge, (depth: QueueDepth) => number][] = [
    [
      gauge(
        'svc_queue_waiting_jobs',
        'Jobs of the whole queue that are not running: due ones, and those that wait for their time'
      ),
      ({ waiting }) => waiting
    ],
    [gauge('svc_queue_due_jobs', 'Jobs of the whole queue that wait for nothing but a worker'), ({ due }) => due],
    [gauge('svc_queue_running_jobs', 'Jobs of the whole queue that are running'), ({ running }) => running],
    [
      gauge('svc_queue_dead_jobs', 'Jobs of the whole queue that were given up and are still kept'),
      ({ failed }) => failed
    ],
    [
      gauge(
        'svc_queue_oldest_due_seconds',
        'For how long the oldest due job has waited for a worker; 0 where none does'
      ),
      ({ oldestMs }) => oldestMs / 1000
    ]
  ]
  const runs = new Counter({
    name: 'svc_jobs_total',
    help: 'Runs of jobs in this process that ended: done, failed (tried again later) or dead (given up)',
    labelNames: ['job', 'outcome'],
    registers
  })
  const durations = new Histogram({
    name: 'svc_job_duration_seconds',
    help: 'Seconds that runs of jobs in this process took, however they ended',
    labelNames: ['job'],
    buckets: BOUNDS_SECONDS,
    registers
  })

  return {
    ended: (job, outcome) => {
      runs.inc({ job, outcome })
    },
    took: (job, seconds) => {
      durations.observe({ job }, seconds)
    },
    async look(queue) {
      const depths = await withTimeout(
        Promise.all(NAMES.map(async (job) => ({ job, depth: await queue.depth(job) }))),
        LOOK_MS
      ).catch(() => [])
      for (const [one, valueOf] of read) {
        one.reset()
        for (const { job, depth } of depths) one.set({ job }, valueOf(depth))
      }
    }
  }
}
