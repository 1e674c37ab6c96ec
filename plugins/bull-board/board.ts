import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { FastifyAdapter } from '@bull-board/fastify'
import { Queue } from 'bullmq'
import type { FastifyPluginCallback } from 'fastify'
import { createThrottledLog } from '../../lib/async.ts'
import { createLazyConnection } from '../../ports/queue/bullmq/connections.ts'
import { keyPrefix } from '../../ports/queue/bullmq/key-names.ts'
import { Jobs } from '../../schemas/jobs.ts'

export interface BoardOptions {
  url: string
  prefix: string
  basePath: string
  /** Receives connection errors, throttled. */
  onError: (error: Error) => void
}

/**
 * Bull Board for the queues of all jobs. It has a Redis connection of its own, opened by the first
 * request.
 */
export function openBoard({ url, prefix, basePath, onError }: BoardOptions): {
  routes: FastifyPluginCallback
  close: () => Promise<void>
} {
  const logError = createThrottledLog(onError)
  const redis = createLazyConnection(url, logError)
  const queues = Object.keys(Jobs).map(
    (name) =>
      new Queue(name, {
        connection: redis,
        prefix: keyPrefix(prefix),
        skipVersionCheck: true,
        skipWaitingForReady: true
      })
  )
  for (const queue of queues) queue.on('error', logError)
  const adapter = new FastifyAdapter()
  adapter.setBasePath(basePath)
  // The types of the adapter are those of another copy of @bull-board/api.
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
