import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Redis } from 'ioredis'
import type { EpochKind } from '../port.ts'

const text = (name: string): string => readFileSync(path.join(import.meta.dirname, `${name}.lua`), 'utf8')

/** What the shared log decided. Times are microseconds since 1970 by its clock. */
export interface Told {
  admitted: boolean
  /** How many count after this. */
  counted: number
  /** When the oldest that counts leaves. */
  resetUs: number
  /** The time that it was recorded under. */
  timeUs: number
  waitUs: number
  /** "<keys> <content>" where an account was named. */
  epochs: string | null
}

export interface Ask {
  bucket: string
  limit: number
  cost: number
  account?: string
}
export interface Sign {
  /** When the sign before this one was given; null where the server knows of none. */
  beforeUs: number | null
  nowUs: number
  alive: number /** How many gave one since the time that was asked. */
  fresh: number
}

/** What is asked of the server: each is one round trip, one script, and one hash slot. */
export interface Scripts {
  admit: (ask: Ask) => Promise<Told>
  /** Answers the account's epochs. */
  bumpEpoch: (account: string, kind: EpochKind) => Promise<string>
  /** Gives a sign of life, or only looks. */
  beat: (sign: { instance: string; gives: boolean; goodForUs: number; sinceUs: number }) => Promise<Sign>
  merge: (bucket: string, timesUs: readonly number[]) => Promise<void>
  leave: (instance: string) => Promise<void>
}

interface Commands {
  admit: (...words: Array<string | number>) => Promise<[number, number, number, number, number, string?]>
  bumpEpoch: (...words: Array<string | number>) => Promise<string>
  beat: (...words: Array<string | number>) => Promise<[number | '', number, number, number]>
  merge: (...words: Array<string | number>) => Promise<number>
}

/**
 * The scripts over a connection. Everything of one account lies under one hash tag, so a cluster
 * serves it too. With `now` (microseconds) the time is
 * told by the caller instead of the server, so that tests need no hours.
 */
export function createScripts(redis: Redis, { prefix, now }: { prefix: string; now?: () => number }): Scripts {
  redis.defineCommand('admit', { lua: text('admit') })
  redis.defineCommand('bumpEpoch', { lua: text('bump-epoch'), numberOfKeys: 1 })
  redis.defineCommand('beat', { lua: text('beat'), numberOfKeys: 1 })
  redis.defineCommand('merge', { lua: text('merge'), numberOfKeys: 1 })
  const commands = redis as unknown as Commands
  const logOf = (bucket: string) => `{${prefix}:${bucket}}:log`
  const epochsOf = (account: string) => `{${prefix}:account:${account}}:epochs`
  const signs = `{${prefix}:limits}:alive`
  const time = (): string => (now === undefined ? '' : String(now()))
  const gather = createGatherer(redis)

  return {
    admit({ bucket, limit, cost, account }) {
      gather()
      const asked =
        account === undefined
          ? commands.admit(1, logOf(bucket), limit, cost, time())
          : commands.admit(2, logOf(bucket), epochsOf(account), limit, cost, time())
      return asked.then(([admitted, counted, resetUs, timeUs, waitUs, epochs = null]) => ({
        admitted: admitted === 1,
        counted,
        resetUs,
        timeUs,
        waitUs,
        epochs
      }))
    },
    bumpEpoch: (account, kind) => commands.bumpEpoch(epochsOf(account), kind, time()),
    async beat({ instance, gives, goodForUs, sinceUs }) {
      const [before, nowUs, alive, fresh] = await commands.beat(signs, instance, gives ? 1 : 0, goodForUs, sinceUs)
      return { beforeUs: before === '' ? null : before, nowUs, alive, fresh }
    },
    async merge(bucket, timesUs) {
      await commands.merge(logOf(bucket), ...timesUs)
    },
    async leave(instance) {
      await redis.zrem(signs, instance)
    }
  }
}

/**
 * What is asked in one turn of the event loop leaves in one write; that takes the others half the
 * time, and one alone no longer (bench/limits-redis.ts).
 */
function createGatherer(redis: Redis): () => void {
  let gathering = false
  return () => {
    const { stream } = redis
    if (gathering || !redis.stream?.writable) return
    gathering = true
    stream.cork()
    setImmediate(() => {
      gathering = false
      stream.uncork()
    })
  }
}
