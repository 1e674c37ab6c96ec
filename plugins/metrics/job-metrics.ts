import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { withTimeout } from '../../lib/async.ts'
import type { Queue, QueueDepth } from '../../ports/queue/port.ts'
import { Jobs, type JobName } from '../../schemas/jobs.ts'

/** `continued` jobs have more work; `failed` runs are retried; `dead` jobs have used up their attempts. */
export type JobResult = 'done' | 'continued' | 'failed' | 'dead'
export interface JobMetrics {
  countRun: (job: JobName, result: JobResult) => void
  observeDuration: (job: JobName, seconds: number) => void
  /** How long the job of a run was due before it started. */
  observeWait: (job: JobName, seconds: number) => void
  /**
   * Reads the depth of all queues, for about 2 s at most. Without a response the gauges have no
   * samples instead of outdated ones.
   */
  readDepths: (queue: Queue) => Promise<void>
}

const READ_TIMEOUT_MS = 2000
const NAMES = Object.keys(Jobs) as JobName[]
/** Seconds. A delivery run takes up to 20, an import may take half an hour. */
const BUCKET_BOUNDS = [0.01, 0.05, 0.25, 1, 5, 20, 60, 300, 1800]

/** Registers the metrics of jobs: the depth of the shared queue, and the runs in this process. */
export function registerJobMetrics(registry: Registry): JobMetrics {
  const registers = [registry]
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames: ['job'], registers })
  const depthGauges: [Gauge, (depth: QueueDepth) => number][] = [
    [
      gauge('svc_queue_waiting_jobs', 'Jobs in the queue that are not running, both due and delayed'),
      ({ waiting }) => waiting
    ],
    [gauge('svc_queue_due_jobs', 'Jobs in the queue that are due and wait for a worker'), ({ due }) => due],
    [gauge('svc_queue_running_jobs', 'Jobs in the queue that are running'), ({ running }) => running],
    [
      gauge('svc_queue_dead_jobs', 'Jobs that have used up their attempts and are still stored'),
      ({ failed }) => failed
    ],
    [
      gauge('svc_queue_oldest_due_seconds', 'Seconds that the oldest due job has waited for a worker; 0 without one'),
      ({ oldestMs }) => oldestMs / 1000
    ]
  ]
  const runs = new Counter({
    name: 'svc_jobs_total',
    help:
      'Job runs in this process by result: done, continued (more work is left), failed (another attempt follows) ' +
      'or dead (no attempt is left)',
    labelNames: ['job', 'result'],
    registers
  })
  const durations = new Histogram({
    name: 'svc_job_duration_seconds',
    help: 'Duration of job runs in this process, in seconds',
    labelNames: ['job'],
    buckets: BUCKET_BOUNDS,
    registers
  })
  const waits = new Histogram({
    name: 'svc_job_wait_seconds',
    help: 'Time between the moment when a job is due and the start of its run in this process, in seconds',
    labelNames: ['job'],
    buckets: BUCKET_BOUNDS,
    registers
  })

  return {
    countRun: (job, result) => {
      runs.inc({ job, result })
    },
    observeDuration: (job, seconds) => {
      durations.observe({ job }, seconds)
    },
    observeWait: (job, seconds) => {
      waits.observe({ job }, seconds)
    },
    async readDepths(queue) {
      const depths = await withTimeout(
        Promise.all(NAMES.map(async (job) => ({ job, depth: await queue.depth(job) }))),
        READ_TIMEOUT_MS
      ).catch(() => [])
      for (const [depthGauge, valueOf] of depthGauges) {
        depthGauge.reset()
        for (const { job, depth } of depths) depthGauge.set({ job }, valueOf(depth))
      }
    }
  }
}
