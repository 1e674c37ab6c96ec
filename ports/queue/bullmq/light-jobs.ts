import type { Redis } from 'ioredis'

/** How often Redis is read, in milliseconds. */
const READ_MS = 100

/**
 * Whether a job of a light account waits for a run of any process (the key `last-light`, see lua/turns.lua), as read
 * since a time of `performance.now()`. Redis is read while it is asked for, so that the first answer is false.
 */
export function watchLightJobs(
  redis: Redis,
  key: string,
  logError: (error: unknown) => void
): (sinceMs: number) => boolean {
  let isWaiting = false
  let isReading = false
  let readAt = -Infinity

  async function read(): Promise<void> {
    isReading = true
    readAt = performance.now()
    try {
      isWaiting = (await redis.exists(key)) === 1
    } catch (error) {
      isWaiting = false
      logError(error)
    }
    isReading = false
  }

  return (sinceMs) => {
    if (!isReading && performance.now() - readAt >= READ_MS) read().catch(logError)
    return isWaiting && !isReading && readAt >= sinceMs
  }
}
