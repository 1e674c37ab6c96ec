import { Redis } from 'ioredis'
import { StartError } from '../../../errors.ts'

const START_MS = 5_000
const CONNECT_MS = 2_000
const RETRY_MS = 50
const MAX_RETRY_MS = 500

/**
 * A connection that comes back by itself, however long the server is away. Commands fail at once
 * while it is not there.
 */
export interface Connection {
  redis: Redis
  /**
   * A number of this very connection: what was told over an earlier one may have been undone since,
   * as when the server was restored from an old snapshot.
   */
  generation: () => number
  isReady: () => boolean
  /** Resolves when commands can be sent, rejects when that takes longer. */
  ready: (withinMs: number) => Promise<void>
  /** Begins a new connection where the present one is stuck. */
  renew: () => void
  close: () => void
}

/**
 * Connects. Throws a StartError, without the password, when the URL cannot be read or the server is
 * not there within 5 seconds.
 */
export async function openConnection(url: string): Promise<Connection> {
  const redis = createClient(url)
  let generation = 0
  let lastError: Error | null = null
  redis.on('close', () => {
    generation += 1
  })
  // Being away is met by whoever asks; without a listener every attempt would be printed.
  redis.on('error', (error: Error) => {
    lastError = error
  })

  const isReady = () => redis.status === 'ready'
  async function ready(withinMs: number): Promise<void> {
    if (isReady()) return
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        redis.off('ready', begin)
        reject(lastError ?? new Error('The connection is not there'))
      }, withinMs)
      const begin = () => {
        clearTimeout(timer)
        resolve()
      }
      redis.once('ready', begin)
    })
  }

  try {
    await ready(START_MS)
  } catch (error) {
    redis.disconnect()
    throw new StartError(`The Redis of REDIS_URL (${masked(url)}) cannot be used: ${(error as Error).message}`, {
      cause: error
    })
  }
  return {
    redis,
    generation: () => generation,
    isReady,
    ready,
    renew: () => {
      if (redis.status === 'ready' || redis.status === 'connect') redis.disconnect(true)
    },
    close: () => {
      redis.disconnect()
    }
  }
}

function createClient(url: string): Redis {
  if (!/^rediss?:\/\//.test(url) || !URL.canParse(url)) {
    throw new StartError(`REDIS_URL (${masked(url)}) cannot be read: write redis://host:port, or rediss:// for TLS.`)
  }
  return new Redis(url, {
    connectionName: 'limits',
    connectTimeout: CONNECT_MS,
    enableOfflineQueue: false,
    // What was sent and not answered may have been done: whoever asked decides, nothing is sent
    // twice.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(RETRY_MS * 2 ** (times - 1), MAX_RETRY_MS) * (0.75 + Math.random() / 2),
    // A master that became a replica: the name leads to the new one.
    reconnectOnError: (error) => error.message.startsWith('READONLY')
  })
}

/** The URL without its password, which may hold anything. */
export const masked = (url: string): string => url.replace(/^([^/]*\/\/[^:@/]*:)(.*)@/, '$1***@')
