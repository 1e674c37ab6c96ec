import fp from 'fastify-plugin'
import { openQueue } from '../ports/queue/open.ts'
import type { JobListener, Queue } from '../ports/queue/port.ts'
import { watchedQueue } from './jobs/watched-queue.ts'

declare module 'fastify' {
  interface FastifyInstance {
    queue: Queue
  }
}

/** After the store and the door, so that at the end jobs stop before these close. */
export default fp(
  async (app) => {
    const { config, log, metrics, requestContext: context, tracing } = app
    const listener: JobListener = {
      failed({ name, attempt, last, requestId }, error) {
        metrics.jobs.ended(name, last ? 'dead' : 'failed')
        const line = { err: error, job: name, attempt, requestId: requestId ?? undefined }
        if (last) log.error(line, 'a job was given up')
        else log.warn(line, 'a job failed and is tried again')
      },
      troubled(error) {
        log.warn({ err: error }, 'the queue is in trouble')
      }
    }
    const queue = await openQueue({ redisUrl: config.REDIS_URL, redisPrefix: config.REDIS_PREFIX, listener })
    app.decorate('queue', watchedQueue(queue, { context, log, metrics: metrics.jobs, tracing }))
    app.addHook('onClose', () => queue.close())
  },
  {
    name: 'queue',
    dependencies: ['config', 'store', 'files', 'outbound', 'browser', 'metrics', 'request-context', 'tracing']
  }
)
