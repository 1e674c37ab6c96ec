import type { Redis } from 'ioredis'
import { setTimeout as wait } from 'node:timers/promises'
import { type ApiError, problem } from '../../../errors.ts'

/** How long commands wait for a lost connection. A restart of Redis often takes less. */
const MAX_WAIT_MS = 1_000
/** The driver may notice a lost connection a little later than the command. */
const RETRY_DELAY_MS = 10

/**
 * Replies that mean that Redis cannot serve any command now
 * (https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors, redis.conf).
 */
const UNAVAILABLE_REPLIES = [
  'BUSY',
  'CLUSTERDOWN',
  'LOADING',
  'MASTERDOWN',
  'MISCONF',
  'NOAUTH',
  'NOPERM',
  'NOREPLICAS',
  'OOM',
  'READONLY',
  'TRYAGAIN',
  'UNKILLABLE',
  'WRONGPASS'
]

/** The driver's messages when there is no connection, or no reply in time. */
const UNAVAILABLE_MESSAGES = new RegExp(
  `^(?:${[
    'Connection is closed',
    "Stream isn't writeable",
    'Command timed out',
    'Socket timeout',
    'Command aborted due to connection close',
    'Reached the max retries per request limit',
    'connect ',
    'read ',
    'write '
  ].join('|')})`
)
const UNAVAILABLE_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH'
]

/** Whether the error is a reply of Redis. */
const isReply = (error: unknown): boolean => error instanceof Error && error.name === 'ReplyError'

/** Whether Redis cannot be reached, or replied that it cannot serve commands now. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (isReply(error)) return UNAVAILABLE_REPLIES.includes(error.message.split(' ', 1)[0] as string)
  const { code } = error as NodeJS.ErrnoException
  return UNAVAILABLE_CODES.includes(String(code)) || UNAVAILABLE_MESSAGES.test(error.message)
}

/** The error for callers of a queue that cannot be reached. */
export const unavailable = (cause?: unknown): ApiError =>
  problem('unavailable', 'The job queue is unreachable. Try again later.', { headers: { 'Retry-After': '2' }, cause })

/**
 * Runs a task that needs Redis. While Redis is unreachable, callers wait until it has been
 * unreachable for a second; then they, and later callers at once, get `unavailable`. A task that was
 * interrupted is repeated, so it must be safe to repeat.
 */
export type ConnectionGuard = <T>(task: () => Promise<T>) => Promise<T>

/** Watches the connection and returns the guard. */
export function createConnectionGuard(redis: Redis): ConnectionGuard {
  let lostAt: number | null = null
  redis.on('close', () => {
    lostAt ??= performance.now()
  })
  redis.on('ready', () => {
    lostAt = null
  })

  async function waitUntilReady(): Promise<boolean> {
    if (redis.status === 'ready') return true
    const leftMs = (lostAt ??= performance.now()) + MAX_WAIT_MS - performance.now()
    return leftMs > 0 && (await becomesReady(redis, leftMs))
  }

  return async (task) => {
    const startedAt = performance.now()
    for (;;) {
      if (!(await waitUntilReady())) throw unavailable()
      try {
        return await task()
      } catch (error) {
        if (!isUnavailable(error)) throw error
        // A reachable server that rejects the command is not asked again.
        if (isReply(error) || performance.now() - startedAt + RETRY_DELAY_MS > MAX_WAIT_MS) throw unavailable(error)
        await wait(RETRY_DELAY_MS)
      }
    }
  }
}

async function becomesReady(redis: Redis, ms: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const done = (isReady: boolean): void => {
      clearTimeout(timer)
      redis.off('ready', onReady)
      redis.off('end', giveUp)
      resolve(isReady)
    }
    const onReady = (): void => done(true)
    const giveUp = (): void => done(false)
    const timer = setTimeout(giveUp, ms)
    redis.once('ready', onReady)
    redis.once('end', giveUp)
  })
}
