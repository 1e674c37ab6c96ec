import type { Limits } from './port.ts'

/** Opens what counts requests: in this process, unless a Redis is named. `redisPrefix` begins the names of all keys there. Throws a StartError where the choice cannot be met. */
export async function openLimits ({ redisUrl, redisPrefix = 'svc' }: { redisUrl?: string, redisPrefix?: string }): Promise<Limits> {
  if (redisUrl !== undefined) return await (await import('./redis/index.ts')).openRedisLimits({ url: redisUrl, prefix: redisPrefix })
  return (await import('./memory.ts')).openMemoryLimits()
}
