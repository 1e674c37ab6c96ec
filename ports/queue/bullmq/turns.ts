import type { Redis } from 'ioredis'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { accountOf } from '../policy.ts'
import type { JobData, StoredJob } from './job-transitions.ts'
import type { KeyNames } from './key-names.ts'

/** Means that an account has no limit. */
const UNLIMITED = 1_000_000_000

/** The part of a job that decides about its turn. */
type TurnJob = Pick<StoredJob, 'id' | 'data' | 'deduplicationId'>

/**
 * The turns of accounts in one queue, by a script in Redis (lua/turns.lua). The state of an account
 * corrects itself with every call for that account, so that a lost call delays jobs but loses none:
 * the sweeper adds jobs for all pending work.
 */
export interface Turns {
  /**
   * To be called after a job was added with a delay of `ADMIT_MS`, or was not added because of its
   * key: starts the job as soon as it is its turn.
   */
  admit: (job: TurnJob) => Promise<void>
  /**
   * To be called before a run. Returns false when it is not the turn of the job: the job then waits
   * again and must not run. If `isCrowded`, only an account with nothing running has its turn. Releases the key of
   * a job that may run.
   */
  start: (job: TurnJob, token: string, isCrowded?: boolean) => Promise<boolean>
  /** To be called after a run. */
  finish: (job: TurnJob) => Promise<void>
  /**
   * Puts a running job behind the waiting jobs of its account. Returns false when another job of its
   * key is waiting: the caller then completes the job.
   */
  continue: (job: TurnJob, token: string, data: JobData) => Promise<boolean>
  /** Puts a started job before all waiting jobs. */
  giveBack: (job: TurnJob, token: string, data: JobData) => Promise<void>
}

/**
 * A job is added with this delay, in milliseconds, and `admit` ends it. If the process dies in
 * between, BullMQ starts the job after the delay.
 */
export const ADMIT_MS = 30_000

/**
 * Defines the script on a connection. `accountConcurrency` limits the runs of one account in all
 * processes; processes without a worker pass `null`, and the last worker's limit applies.
 */
export function createTurns(
  redis: Redis,
  keys: KeyNames,
  { accountConcurrency }: { accountConcurrency: number | null | undefined }
): Turns {
  const turns = defineTurns(redis)
  /** When the runs in progress started. */
  const started = new WeakMap<TurnJob, number>()
  const limit = accountConcurrency === null ? '' : String(accountConcurrency ?? UNLIMITED)

  async function call(operation: string, job: TurnJob, ...rest: string[]): Promise<number> {
    const id = job.id!
    const account = accountOf(job.data.payload)
    const names = [
      keys.wait,
      keys.active,
      keys.delayed,
      keys.failed,
      keys.marker,
      keys.stalled,
      keys.accountLimit,
      keys.lastIdle,
      keys.lastLight,
      keys.mostUsed,
      keys.longestOfAll,
      keys.starts,
      keys.started,
      keys.held,
      keys.workers,
      keys.account(account, 'parked'),
      keys.account(account, 'running'),
      keys.account(account, 'next'),
      keys.account(account, 'used'),
      keys.account(account, 'longest'),
      keys.account(account, 'slow'),
      keys.job(id),
      keys.lock(id),
      ...(job.deduplicationId === undefined ? [] : [keys.deduplication(job.deduplicationId)])
    ]
    const startedMs = started.get(job)
    const tookMs = startedMs === undefined ? 0 : performance.now() - startedMs
    const reply = await turns(names.length, ...names, operation, id, limit, Date.now(), tookMs, ...rest)
    if (reply === -1) throw new Error(`Could not move job ${id}: its lock was lost`)
    return reply
  }

  return {
    async admit(job) {
      await call('admit', job)
    },
    async start(job, token, isCrowded = false) {
      const isTurn = (await call('start', job, token, ...(isCrowded ? ['crowded'] : []))) === 1
      if (isTurn) started.set(job, performance.now())
      return isTurn
    },
    async finish(job) {
      await call('finish', job)
    },
    continue: async (job, token, data) => (await call('continue', job, token, JSON.stringify(data))) === 1,
    async giveBack(job, token, data) {
      await call('give-back', job, token, JSON.stringify(data))
    }
  }
}

type TurnsCommand = (...args: Array<string | number>) => Promise<number>

const SCRIPT = readFileSync(path.join(import.meta.dirname, 'lua/turns.lua'), 'utf8')

/** Defines the command once for each connection. */
function defineTurns(redis: Redis): TurnsCommand {
  const connection = redis as unknown as { turns?: TurnsCommand }
  if (connection.turns === undefined) redis.defineCommand('turns', { lua: SCRIPT })
  return (...args) => connection.turns!(...args)
}
