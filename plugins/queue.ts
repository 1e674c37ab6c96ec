import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { ApiError } from '../errors.ts'
import { openQueue } from '../ports/queue/open.ts'
import type { Job, JobListener, Queue, RunResult } from '../ports/queue/port.ts'
import type { JobName } from '../schemas/jobs.ts'

declare module 'fastify' {
  interface FastifyInstance {
    queue: Queue
  }
}

/** Depends on the store and the outbound client, so that jobs stop before those close. */
export default fp(
  async (app) => {
    const { config, log, metrics } = app
    const listener: JobListener = {
      failed({ name, attempt, isLast, requestId }, error) {
        metrics.jobs.countRun(name, isLast ? 'dead' : 'failed')
        const fields = { err: error, job: name, attempt, reqId: requestId ?? undefined }
        if (isLast) log.error(fields, 'job failed, no attempt is left')
        else log.warn(fields, 'job failed, it will be retried')
      },
      queueError(error) {
        log.warn({ err: error }, 'queue connection failed')
      }
    }
    const queue = await openQueue({ redisUrl: config.REDIS_URL, redisPrefix: config.REDIS_PREFIX, listener })
    metrics.beforeScrape(() => metrics.jobs.readDepths(queue))
    app.decorate('queue', instrument(queue, app))
    app.addHook('onClose', () => queue.close())
  },
  {
    name: 'queue',
    dependencies: [
      'config',
      'store',
      'files',
      'outbound',
      'browser',
      'renderer',
      'metrics',
      'request-context',
      'tracing'
    ]
  }
)

/**
 * The queue with request ids, metrics, logs and spans. A job carries the id of the request that
 * added it, and so do the jobs that it adds. Failed runs are reported by the listener.
 *
 * `add` also resolves while the queue is unreachable: the pending work was written to the store
 * before, and the sweeper adds the job later (docs/decisions/0011-changes-succeed-while-the-queue-is-down.md).
 */
function instrument(queue: Queue, app: FastifyInstance): Queue {
  const { log, metrics, requestContext, tracing } = app

  async function runInstrumented<N extends JobName>(
    job: Job<N>,
    run: (job: Job<N>) => Promise<RunResult>
  ): Promise<RunResult> {
    const { name, attempt, requestId, waitMs } = job
    const jobLog = log.child({ job: name, attempt, reqId: requestId ?? undefined })
    const startedAt = performance.now()
    metrics.jobs.observeWait(name, waitMs / 1000)
    jobLog.debug({ waitMs: Math.round(waitMs) }, 'job started')
    try {
      const result = await (tracing === null ? run(job) : tracing.job(job, () => run(job)))
      metrics.jobs.countRun(name, result === 'continue' ? 'continued' : 'done')
      const responseTime = performance.now() - startedAt
      jobLog.debug({ responseTime }, result === 'continue' ? 'job continues later' : 'job completed')
      return result
    } finally {
      metrics.jobs.observeDuration(name, (performance.now() - startedAt) / 1000)
    }
  }

  return {
    ...queue,
    async add(name, payload, options = {}) {
      const requestId = options.requestId ?? requestContext.requestId() ?? undefined
      try {
        await queue.add(name, payload, { ...options, requestId })
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'unavailable') throw error
        log.warn({ err: error, job: name, reqId: requestId }, 'could not add job, the sweeper will add it')
      }
    },
    work: (name, policy, run) => {
      queue.work(name, policy, (job) => requestContext.run(job.requestId, () => runInstrumented(job, run)))
    }
  }
}
