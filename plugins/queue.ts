import fp from 'fastify-plugin'
import { openQueue } from '../ports/queue/open.ts'
import type { JobListener, Queue } from '../ports/queue/port.ts'

declare module 'fastify' { interface FastifyInstance { queue: Queue } }

/** After the store and the door, so that at the end jobs stop before these close. */
export default fp(async (app) => {
  const listener: JobListener = {
    failed ({ name, attempt, last }, error) {
      if (last) app.log.error({ err: error, job: name, attempt }, 'a job was given up')
      else app.log.warn({ err: error, job: name, attempt }, 'a job failed and is tried again')
    }
  }
  const queue = await openQueue({ redisUrl: app.config.REDIS_URL, redisPrefix: app.config.REDIS_PREFIX, listener })
  app.decorate('queue', queue)
  app.addHook('onClose', () => queue.close())
}, { name: 'queue', dependencies: ['config', 'store', 'files', 'outbound'] })
