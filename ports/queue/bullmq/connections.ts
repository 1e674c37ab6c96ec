import { Redis, type RedisOptions } from 'ioredis'
import { setTimeout as wait } from 'node:timers/promises'
import { StartError } from '../../../errors.ts'

/** Time limit for the first connection. */
const START_MS = 5_000
/** Time limit of a command on the `adding` connection. */
const COMMAND_MS = 1_000
/**
 * A worker's connection that is silent for this time is reopened. Must be longer than the 10
 * seconds for which BullMQ blocks while it waits for a job.
 */
const SILENCE_MS = 20_000
/** Longest delay between reconnects. Shorter for `adding`: its callers get errors meanwhile. */
const MAX_RETRY_MS = { adding: 500, working: 2_000 }
/** Time limit of QUIT. */
const QUIT_MS = 1_000
/** The oldest version of Redis, or of a compatible server, that BullMQ recommends. */
const MIN_VERSION = [6, 2]

/**
 * The connections of one queue. `adding` is for adding and inspecting jobs, and fails fast.
 * `working` is shared by all workers, and waits while Redis is unreachable. BullMQ opens another
 * connection for each worker, on which it waits for jobs.
 */
export interface Connections {
  adding: Redis
  working: Redis
  close: () => Promise<void>
}

/**
 * Opens both connections. Throws a StartError, without the password, when no usable Redis answers
 * within 5 seconds. `logError` gets every later error.
 */
export async function openConnections(url: string, logError: (error: Error) => void): Promise<Connections> {
  const shared: RedisOptions = {
    lazyConnect: true,
    keepAlive: 10_000,
    connectTimeout: START_MS,
    // After a failover, a replica may answer at the old address: reconnect, and resolve it again.
    reconnectOnError: (error) => error.message.startsWith('READONLY')
  }
  const retryUpTo = (maxMs: number) => (times: number) => Math.min(times * 50, maxMs)
  const adding = createRedis(url, {
    ...shared,
    retryStrategy: retryUpTo(MAX_RETRY_MS.adding),
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_MS
  })
  const working = createRedis(url, {
    ...shared,
    retryStrategy: retryUpTo(MAX_RETRY_MS.working),
    maxRetriesPerRequest: null,
    socketTimeout: SILENCE_MS
  })
  const close = async (): Promise<void> => {
    await Promise.all([quit(adding), quit(working)])
  }
  try {
    await Promise.all([connect(adding), connect(working)])
    await checkServer(adding, logError)
  } catch (error) {
    for (const redis of [adding, working]) redis.disconnect()
    throw error instanceof StartError
      ? error
      : new StartError(`The Redis of REDIS_URL cannot be used: ${maskCredentials(url)} (${(error as Error).message})`, {
          cause: error
        })
  }
  for (const redis of [adding, working]) redis.on('error', logError)
  return { adding, working, close }
}

/**
 * A connection for administration pages. It is opened by the first command, and a command is
 * retried once.
 */
export function createLazyConnection(url: string, logError: (error: Error) => void): Redis {
  const redis = createRedis(url, { lazyConnect: true, maxRetriesPerRequest: 1 })
  redis.on('error', logError)
  return redis
}

function createRedis(url: string, options: RedisOptions): Redis {
  if (!/^rediss?:\/\//.test(url) || !URL.canParse(url)) {
    throw new StartError(
      'REDIS_URL must be a URL that starts with redis:// or rediss://, such as redis://user:password@host:6379/0'
    )
  }
  return new Redis(url, options)
}

/** The URL without its user name and password. */
function maskCredentials(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

/**
 * Resolves when the connection is ready. Retries until the time limit, because Redis may be
 * starting too, but not after an authentication error.
 */
async function connect(redis: Redis): Promise<void> {
  const timer = new AbortController()
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
  let lastError = new Error(`no answer within ${START_MS / 1000} seconds`)
  const onError = (error: Error): void => {
    lastError = error
    if (/^(?:WRONGPASS|NOAUTH|NOPERM)/.test(error.message)) reject(error)
  }
  redis.on('error', onError)
  redis.once('ready', resolve)
  redis.connect().catch(onError)
  try {
    await Promise.race([
      ready,
      wait(START_MS, undefined, { signal: timer.signal }).then(() => {
        throw lastError
      })
    ])
  } finally {
    timer.abort()
    redis.off('error', onError)
  }
}

async function checkServer(redis: Redis, logError: (error: Error) => void): Promise<void> {
  const info = await redis.info()
  const version = /^redis_version:(\S+)/m.exec(info)?.[1] ?? '0'
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major < MIN_VERSION[0]! || (major === MIN_VERSION[0] && minor < MIN_VERSION[1]!)) {
    throw new Error(`its version is ${version}; the minimum is ${MIN_VERSION.join('.')}`)
  }
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'noeviction'
  if (policy !== 'noeviction') {
    logError(
      new Error(
        `Redis may evict jobs when its memory is full: its maxmemory-policy is ${policy}, but must be noeviction`
      )
    )
  }
}

async function quit(redis: Redis): Promise<void> {
  if (redis.status === 'ready') await Promise.race([redis.quit().catch(() => {}), wait(QUIT_MS)])
  redis.disconnect()
}
