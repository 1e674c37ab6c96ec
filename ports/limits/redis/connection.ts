import { Redis } from 'ioredis'
import { StartError } from '../../../errors.ts'

const START_TIMEOUT_MS = 5_000
const CONNECT_TIMEOUT_MS = 2_000
const RETRY_MS = 50
const MAX_RETRY_MS = 500

/**
 * A connection that reconnects forever. While it is down, commands fail at once.
 */
export interface Connection {
  redis: Redis
  /**
   * Increases with every lost connection. What an earlier connection returned may have been undone
   * since, for example if the server was restored from an old snapshot.
   */
  generation: () => number
  isReady: () => boolean
  /** Resolves when commands can be sent. Rejects after `timeoutMs`. */
  ready: (timeoutMs: number) => Promise<void>
  /** Replaces a connection that is stuck. */
  renew: () => void
  close: () => void
}

/**
 * Connects to Redis. Throws a StartError, which never contains the password, if the URL cannot be
 * parsed or the server does not answer within 5 seconds.
 */
export async function openConnection(url: string): Promise<Connection> {
  const redis = createClient(url)
  let generation = 0
  let lastError: Error | null = null
  redis.on('close', () => {
    generation += 1
  })
  // Callers handle a lost connection. Without a listener, ioredis would print every attempt.
  redis.on('error', (error: Error) => {
    lastError = error
  })

  const isReady = () => redis.status === 'ready'
  async function ready(timeoutMs: number): Promise<void> {
    if (isReady()) return
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        redis.off('ready', onReady)
        reject(lastError ?? new Error(`Not connected to Redis after ${timeoutMs} ms`))
      }, timeoutMs)
      const onReady = () => {
        clearTimeout(timer)
        resolve()
      }
      redis.once('ready', onReady)
    })
  }

  try {
    await ready(START_TIMEOUT_MS)
  } catch (error) {
    redis.disconnect()
    throw unusable(url, error)
  }
  return {
    redis,
    generation: () => generation,
    isReady,
    ready,
    renew: () => {
      if (redis.status === 'ready' || redis.status === 'connect') redis.disconnect(true)
    },
    close: () => redis.disconnect()
  }
}

function createClient(url: string): Redis {
  if (!/^rediss?:\/\//.test(url) || !URL.canParse(url)) {
    throw new StartError(`REDIS_URL (${masked(url)}) cannot be read: write redis://host:port, or rediss:// for TLS.`)
  }
  return new Redis(url, {
    connectionName: 'limits',
    connectTimeout: CONNECT_TIMEOUT_MS,
    enableOfflineQueue: false,
    // An unanswered command may have been executed. The caller decides; nothing is sent twice.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(RETRY_MS * 2 ** (times - 1), MAX_RETRY_MS) * (0.75 + Math.random() / 2),
    // After a failover the old primary is a replica: reconnecting by name finds the new one.
    reconnectOnError: (error) => error.message.startsWith('READONLY')
  })
}

/** The error for a Redis that does not work at startup. */
export const unusable = (url: string, cause: unknown): StartError =>
  new StartError(`The Redis of REDIS_URL (${masked(url)}) cannot be used: ${(cause as Error).message}`, { cause })

/** The URL without its password, which may contain any character. */
const masked = (url: string): string => url.replace(/^([^/]*\/\/[^:@/]*:)(.*)@/, '$1***@')
