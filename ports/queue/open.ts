import type { JobListener, Queue } from './port.ts'

/**
 * Opens what does things later: in this process, unless a Redis is named. `redisPrefix` begins the
 * names of all keys there. Throws a StartError where the choice cannot be met.
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
  return (await import('./in-process.ts')).openInProcessQueue({ listener })
}
