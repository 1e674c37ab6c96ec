import type { FastifyBaseLogger } from 'fastify'
import { ApiError } from '../../errors.ts'
import type { Job, Queue } from '../../ports/queue/port.ts'
import type { JobName } from '../../schemas/jobs.ts'
import type { JobMetrics } from '../metrics/job-metrics.ts'
import type { RequestContext } from '../request-context.ts'
import type { Tracing } from '../tracing.ts'

export interface Watchers {
  context: RequestContext
  log: FastifyBaseLogger
  metrics: JobMetrics
  tracing: Tracing | null
}

/**
 * The queue, with its jobs seen: what is added carries the id of the request that is being worked
 * on, a job runs in the name of its request,
 * so that what it adds in turn carries the id too, and its runs are timed, counted, logged at
 * `debug`, and traced where that is wanted. Runs that fail are told by the queue's listener.
 * While the queue cannot be reached `add` resolves all the same: what a job is about was written to
 * the store before it is added, so the change stands,
 * and the sweeper adds the job when it finds the work undone
 * (docs/decisions/0011-the-queue-may-be-away.md).
 */
export function watchedQueue(queue: Queue, { context, log, metrics, tracing }: Watchers): Queue {
  async function watch<N extends JobName>(job: Job<N>, run: (job: Job<N>) => Promise<void>): Promise<void> {
    const { name, attempt, requestId } = job
    const lines = log.child({ job: name, attempt, requestId: requestId ?? undefined })
    const began = performance.now()
    lines.debug('a job began')
    try {
      await (tracing === null ? run(job) : tracing.job(job, () => run(job)))
      metrics.ended(name, 'done')
      lines.debug({ ms: Math.round(performance.now() - began) }, 'a job ended')
    } finally {
      metrics.took(name, (performance.now() - began) / 1000)
    }
  }

  return {
    ...queue,
    async add(name, payload, options = {}) {
      const requestId = options.requestId ?? context.requestId() ?? undefined
      try {
        await queue.add(name, payload, { ...options, requestId })
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'unavailable') throw error
        log.warn({ err: error, job: name, requestId }, 'a job could not be queued; the sweeper will add it')
      }
    },
    work: (name, policy, run) => {
      queue.work(name, policy, async (job) => {
        await context.run(job.requestId, () => watch(job, run))
      })
    }
  }
}
