import type { Redis } from 'ioredis'
import { setTimeout as wait } from 'node:timers/promises'
import { away, isAway, isReply } from './errors.ts'

/**
 * So long a Redis that went away is waited for: a restart often takes less, and nobody notices it
 * then.
 */
const PATIENCE_MS = 1_000
/** The driver may hear a little later than the command that the connection is gone. */
const PAUSE_MS = 10

/**
 * Does what needs Redis. While it is away, callers wait until it has been away for a second, and
 * are then refused as `unavailable`, at once while it stays away.
 * What broke off in the middle is done again, so an act must be harmless when it is done twice.
 */
export type Reach = <T>(act: () => Promise<T>) => Promise<T>

/** Watches the connection, and returns what does acts over it. */
export function createReach(redis: Redis): Reach {
  let awaySince: number | null = null
  redis.on('close', () => {
    awaySince ??= performance.now()
  })
  redis.on('ready', () => {
    awaySince = null
  })

  async function isReady(): Promise<boolean> {
    if (redis.status === 'ready') return true
    const leftMs = (awaySince ??= performance.now()) + PATIENCE_MS - performance.now()
    return leftMs > 0 && (await readyWithin(redis, leftMs))
  }

  return async (act) => {
    const began = performance.now()
    for (;;) {
      if (!(await isReady())) throw away()
      try {
        return await act()
      } catch (error) {
        if (!isAway(error)) throw error
        // A server that is there and says no is not asked again and again.
        if (isReply(error) || performance.now() - began + PAUSE_MS > PATIENCE_MS) throw away(error)
        await wait(PAUSE_MS)
      }
    }
  }
}

async function readyWithin(redis: Redis, ms: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const done = (ready: boolean): void => {
      clearTimeout(timer)
      redis.off('ready', hear)
      redis.off('end', stop)
      resolve(ready)
    }
    const hear = (): void => done(true)
    const stop = (): void => done(false)
    const timer = setTimeout(stop, ms)
    redis.once('ready', hear)
    redis.once('end', stop)
  })
}
