import type { JobListener, Queue } from './port.ts'

/**
 * Opens the job queue: in this process, or in Redis if `redisUrl` is set. `redisPrefix` starts the
 * names of all keys in Redis. Throws a StartError when Redis cannot be used.
 */
export async function openQueue({
  redisUrl,
  redisPrefix = 'svc',
  listener
}: {
  redisUrl?: string
  redisPrefix?: string
  listener?: JobListener
}): Promise<Queue> {
  if (redisUrl !== undefined) {
    return await (await import('./bullmq/index.ts')).openBullmqQueue({ url: redisUrl, prefix: redisPrefix, listener })
  }
  return (await import('./in-process/index.ts')).openInProcessQueue({ listener })
}
