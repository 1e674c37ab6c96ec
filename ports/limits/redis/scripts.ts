import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Redis } from 'ioredis'
import type { EpochKind, RateLimitRequest } from '../port.ts'

const lua = (name: string): string => readFileSync(path.join(import.meta.dirname, 'lua', `${name}.lua`), 'utf8')

/** A decision of the shared log. Times are microseconds since 1970 by the clock of Redis. */
export interface SharedDecision {
  allowed: boolean
  /** Requests in the window after this decision. */
  counted: number
  /** When the oldest of them leaves the window. */
  resetUs: number
  /** The time under which the request was recorded. */
  timeUs: number
  waitUs: number
  /** "<keys> <content>" if the request named an account. */
  epochs: string | null
}

export interface HeartbeatReply {
  /** The previous heartbeat of this process. Null if the server has none. */
  previousUs: number | null
  nowUs: number
  /** How many processes are alive. */
  alive: number
  /** How many sent a heartbeat at or after `sinceUs`. */
  fresh: number
}

/** The server-side scripts. Each call is one round trip, one script and one hash slot. */
export interface Scripts {
  consume: (request: Required<Omit<RateLimitRequest, 'account'>> & { account?: string }) => Promise<SharedDecision>
  /** Removes the newest time of the bucket, if there is one. */
  removeNewest: (bucket: string) => Promise<void>
  /** Returns both epochs of the account. */
  bumpEpoch: (account: string, kind: EpochKind) => Promise<string>
  /** Records a heartbeat if `record` is true, and reads those of all processes. */
  heartbeat: (heartbeat: {
    instance: string
    record: boolean
    lifetimeUs: number
    sinceUs: number
  }) => Promise<HeartbeatReply>
  merge: (bucket: string, timesUs: readonly number[]) => Promise<void>
  leave: (instance: string) => Promise<void>
}

interface Commands {
  consume: (...args: Array<string | number>) => Promise<[number, number, number, number, number, string?]>
  bumpEpoch: (...args: Array<string | number>) => Promise<string>
  heartbeat: (...args: Array<string | number>) => Promise<[number | '', number, number, number]>
  merge: (...args: Array<string | number>) => Promise<number>
}

/**
 * Defines the scripts on a connection. All keys of an account have one hash tag, so that Redis
 * Cluster works. With `now` (microseconds), the caller's time replaces the server's: for tests.
 */
export function createScripts(redis: Redis, { prefix, now }: { prefix: string; now?: () => number }): Scripts {
  redis.defineCommand('consume', { lua: lua('consume') })
  redis.defineCommand('bumpEpoch', { lua: lua('bump-epoch'), numberOfKeys: 1 })
  redis.defineCommand('heartbeat', { lua: lua('heartbeat'), numberOfKeys: 1 })
  redis.defineCommand('merge', { lua: lua('merge'), numberOfKeys: 1 })
  const commands = redis as unknown as Commands
  const logKey = (bucket: string) => `{${prefix}:${bucket}}:log`
  const epochsKey = (account: string) => `{${prefix}:account:${account}}:epochs`
  const heartbeatsKey = `{${prefix}:limits}:alive`
  const time = (): string => (now === undefined ? '' : String(now()))
  const corkForThisTurn = createCork(redis)

  return {
    consume({ bucket, limit, cost, account }) {
      corkForThisTurn()
      const reply =
        account === undefined
          ? commands.consume(1, logKey(bucket), limit, cost, time())
          : commands.consume(2, logKey(bucket), epochsKey(account), limit, cost, time())
      return reply.then(([allowed, counted, resetUs, timeUs, waitUs, epochs = null]) => ({
        allowed: allowed === 1,
        counted,
        resetUs,
        timeUs,
        waitUs,
        epochs
      }))
    },
    async removeNewest(bucket) {
      corkForThisTurn()
      await redis.rpop(logKey(bucket))
    },
    bumpEpoch: (account, kind) => commands.bumpEpoch(epochsKey(account), kind, time()),
    async heartbeat({ instance, record, lifetimeUs, sinceUs }) {
      const [previous, nowUs, alive, fresh] = await commands.heartbeat(
        heartbeatsKey,
        instance,
        record ? 1 : 0,
        lifetimeUs,
        sinceUs
      )
      return { previousUs: previous === '' ? null : previous, nowUs, alive, fresh }
    },
    async merge(bucket, timesUs) {
      await commands.merge(logKey(bucket), ...timesUs)
    },
    async leave(instance) {
      await redis.zrem(heartbeatsKey, instance)
    }
  }
}

/**
 * Sends the commands of one turn of the event loop in one write. This halves the time of parallel
 * requests and does not delay a single one (bench/limits-redis.ts).
 */
function createCork(redis: Redis): () => void {
  let isCorked = false
  return () => {
    const { stream } = redis
    if (isCorked || !redis.stream?.writable) return
    isCorked = true
    stream.cork()
    setImmediate(() => {
      isCorked = false
      stream.uncork()
    })
  }
}
