import { StartError } from '../../errors.ts'
import type { Limits } from './port.ts'

/** Opens what counts requests: in this process, unless a Redis is named. Throws a StartError where the choice cannot be met. */
export async function openLimits ({ redisUrl }: { redisUrl?: string }): Promise<Limits> {
  if (redisUrl !== undefined) throw new StartError('REDIS_URL is set, but this build has no Redis adapter yet for limits. Unset it to count in the process.')
  return (await import('./memory.ts')).openMemoryLimits()
}
