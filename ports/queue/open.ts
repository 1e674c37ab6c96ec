import { StartError } from '../../errors.ts'
import type { JobListener, Queue } from './port.ts'

/** Opens what does things later: in this process, unless a Redis is named. Throws a StartError where the choice cannot be met. */
export async function openQueue ({ redisUrl, listener }: { redisUrl?: string, listener?: JobListener }): Promise<Queue> {
  if (redisUrl !== undefined) throw new StartError('REDIS_URL is set, but this build has no Redis adapter yet for the queue. Unset it to work in the process.')
  return (await import('./in-process.ts')).openInProcessQueue({ listener })
}
