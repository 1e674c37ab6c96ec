import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { FastifyAdapter } from '@bull-board/fastify'
import { Queue } from 'bullmq'
import type { FastifyPluginCallback } from 'fastify'
import { Redis } from 'ioredis'
import { keyPrefix } from '../../ports/queue/bullmq/places.ts'
import { createTrouble } from '../../ports/queue/bullmq/trouble.ts'
import { Jobs } from '../../schemas/jobs.ts'

export interface BoardOptions {
  url: string
  prefix: string
  basePath: string /** Told when Redis cannot be reached: the first time, and then now and then. */
  failed: (error: Error) => void
}

/**
 * The pages of Bull Board over the queues of all jobs, by a connection of their own that is opened
 * by the first who looks.
 */
export function openBoard({ url, prefix, basePath, failed }: BoardOptions): {
  routes: FastifyPluginCallback
  close: () => Promise<void>
} {
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 1 })
  const troubled = createTrouble(failed)
  redis.on('error', troubled)
  const queues = Object.keys(Jobs).map(
    (name) =>
      new Queue(name, {
        connection: redis,
        prefix: keyPrefix(prefix),
        skipVersionCheck: true,
        skipWaitingForReady: true
      })
  )
  for (const queue of queues) queue.on('error', troubled)
  const adapter = new FastifyAdapter()
  adapter.setBasePath(basePath)
  // The adapter's package brings a copy of Bull Board's own types.
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue, { allowRetries: true })),
    serverAdapter: adapter as never,
    options: { uiConfig: { boardTitle: 'Queues' } }
  })
  return {
    routes: adapter.registerPlugin() as unknown as FastifyPluginCallback,
    async close() {
      await Promise.all(queues.map((queue) => queue.close()))
      redis.disconnect()
    }
  }
}
