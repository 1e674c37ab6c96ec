import type { Redis } from 'ioredis'
import { randomUUID } from 'node:crypto'
import { slowRunLimit } from '../policy.ts'

/** How often a worker renews what it allows, and for how long that counts after its process was killed. */
const RENEW_MS = 30_000
const EXPIRES_MS = 90_000

/**
 * Adds how many runs of slow accounts a worker may have to a sorted set in Redis, whose sum limits those of all
 * processes (lua/turns.lua), until `remove` is called.
 */
export function addSlowRunLimit(
  redis: Redis,
  key: string,
  { concurrency, logError }: { concurrency: number; logError: (error: unknown) => void }
): { remove: () => void } {
  const member = `${randomUUID()}:${slowRunLimit(concurrency)}`
  const renew = (): void => {
    redis.zadd(key, Date.now() + EXPIRES_MS, member).catch(logError)
  }
  renew()
  const timer = setInterval(renew, RENEW_MS)
  timer.unref()
  return {
    remove() {
      clearInterval(timer)
      // Not awaited: Redis may not respond, and what stays there expires.
      if (redis.status === 'ready') redis.zrem(key, member).catch(logError)
    }
  }
}
