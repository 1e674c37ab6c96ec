import { Redis, type RedisOptions } from 'ioredis'
import { setTimeout as wait } from 'node:timers/promises'
import { StartError } from '../../../errors.ts'

/** How long a Redis may take to answer at the start. */
const START_MS = 5_000
/** A command of who adds jobs is given up after so many milliseconds. */
const COMMAND_MS = 1_000
/**
 * A connection of a worker that says nothing for so long is opened anew; it must be longer than the
 * 10 seconds for which BullMQ waits for a job.
 */
const SILENCE_MS = 20_000
/** Who adds jobs is refused until the connection is there again, so it is tried again sooner. */
const LONGEST_RETRY_MS = { adding: 500, working: 2_000 }
/** A Redis that does not say goodbye is left after so many milliseconds. */
const END_MS = 1_000
/** Of Redis, or of what speaks its protocol: the oldest that BullMQ recommends. */
const OLDEST = [6, 2]

/**
 * The connections of one queue: one of all who add and look, which fails soon, and one of all
 * workers, which waits for a Redis that is away. BullMQ adds one a worker, on which it waits for
 * jobs.
 */
export interface Connections {
  adding: Redis
  working: Redis
  close: () => Promise<void>
}

/**
 * Opens both. Throws a StartError, without the password, when no Redis that serves answers within 5
 * seconds. `troubled` is told of every error afterwards.
 */
export async function openConnections(url: string, troubled: (error: Error) => void): Promise<Connections> {
  const shared: RedisOptions = {
    lazyConnect: true,
    keepAlive: 10_000,
    connectTimeout: START_MS,
    // After a failover a replica may answer at the old address: then it is looked up anew.
    reconnectOnError: (error) => error.message.startsWith('READONLY')
  }
  const retryWithin = (longestMs: number) => (times: number) => Math.min(times * 50, longestMs)
  const adding = connection(url, {
    ...shared,
    retryStrategy: retryWithin(LONGEST_RETRY_MS.adding),
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_MS
  })
  const working = connection(url, {
    ...shared,
    retryStrategy: retryWithin(LONGEST_RETRY_MS.working),
    maxRetriesPerRequest: null,
    socketTimeout: SILENCE_MS
  })
  const close = async (): Promise<void> => {
    await Promise.all([end(adding), end(working)])
  }
  try {
    await Promise.all([reached(adding), reached(working)])
    await checkServer(adding, troubled)
  } catch (error) {
    for (const redis of [adding, working]) redis.disconnect()
    throw error instanceof StartError
      ? error
      : new StartError(`The Redis of REDIS_URL cannot be used: ${masked(url)} (${(error as Error).message})`, {
          cause: error
        })
  }
  for (const redis of [adding, working]) redis.on('error', troubled)
  return { adding, working, close }
}

function connection(url: string, options: RedisOptions): Redis {
  if (!/^rediss?:\/\//.test(url) || !URL.canParse(url)) {
    throw new StartError(
      'REDIS_URL cannot be read: it begins with redis:// or rediss://, as in redis://user:password@host:6379/0'
    )
  }
  return new Redis(url, options)
}

/** The address without what is secret in it. */
export function masked(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

/**
 * Resolves when the connection can be used; tries again until the time is over, as a Redis may be
 * starting too, but not with a password that is refused.
 */
async function reached(redis: Redis): Promise<void> {
  const given = new AbortController()
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
  let last = new Error(`no answer within ${START_MS / 1000} seconds`)
  const heard = (error: Error): void => {
    last = error
    if (/^(?:WRONGPASS|NOAUTH|NOPERM)/.test(error.message)) reject(error)
  }
  redis.on('error', heard)
  redis.once('ready', resolve)
  redis.connect().catch(heard)
  try {
    await Promise.race([
      ready,
      wait(START_MS, undefined, { signal: given.signal }).then(() => {
        throw last
      })
    ])
  } finally {
    given.abort()
    redis.off('error', heard)
  }
}

async function checkServer(redis: Redis, troubled: (error: Error) => void): Promise<void> {
  const info = await redis.info()
  const version = /^redis_version:(\S+)/m.exec(info)?.[1] ?? '0'
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major < OLDEST[0]! || (major === OLDEST[0] && minor < OLDEST[1]!)) {
    throw new Error(`it is of version ${version}, and ${OLDEST.join('.')} is the oldest that serves`)
  }
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'noeviction'
  if (policy !== 'noeviction') {
    troubled(
      new Error(
        `The Redis of the queue may throw jobs away when its memory is full: its maxmemory-policy is ${policy}, and should be noeviction`
      )
    )
  }
}

async function end(redis: Redis): Promise<void> {
  if (redis.status === 'ready') await Promise.race([redis.quit().catch(() => {}), wait(END_MS)])
  redis.disconnect()
}
