import type { Limits, LimitsListener } from './port.ts'

/**
 * Opens what counts requests: in this process, unless a Redis is named. `redisPrefix` begins the
 * names of all keys there; without `onChange` the process warns when it counts alone. Throws a
 * StartError where the choice cannot be met.
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
