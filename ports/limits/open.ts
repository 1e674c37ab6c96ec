import type { Limits, LimitsListener } from './port.ts'

/**
 * Opens the rate limits: in Redis if `redisUrl` is set, otherwise in this process. `redisPrefix`
 * starts the names of all Redis keys. Without `onChange`, the process emits a warning when it loses
 * Redis. Throws a StartError if Redis cannot be used.
 */
export async function openLimits({
  redisUrl,
  redisPrefix = 'svc',
  onChange
}: {
  redisUrl?: string
  redisPrefix?: string
  onChange?: LimitsListener
}): Promise<Limits> {
  if (redisUrl !== undefined) {
    return await (await import('./redis/index.ts')).openRedisLimits({ url: redisUrl, prefix: redisPrefix, onChange })
  }
  return (await import('./memory.ts')).openMemoryLimits()
}
