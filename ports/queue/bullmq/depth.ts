import type { ChainableCommander, Redis } from 'ioredis'
import { setTimeout as wait } from 'node:timers/promises'
import type { QueueDepth } from '../port.ts'
import type { JobData } from './data.ts'
import { highestDueScore, type Places } from './places.ts'
import type { Reach } from './reach.ts'

const SHORTEST_POLL_MS = 2
const LONGEST_POLL_MS = 50

/**
 * Counts the jobs of a name in all processes. A job whose time has come is due, also while there is
 * no worker that sees it.
 */
export async function depthOf(redis: Redis, { wait, active, delayed, failed, job }: Places): Promise<QueueDepth> {
  const now = Date.now()
  const [waiting, running, later, overdue, dead, first, firstOverdue] = (await results(
    redis
      .multi()
      .llen(wait)
      .llen(active)
      .zcard(delayed)
      .zcount(delayed, '-inf', highestDueScore(now))
      .zcard(failed)
      .lindex(wait, -1)
      .zrangebyscore(delayed, '-inf', highestDueScore(now), 'LIMIT', 0, 1)
  )) as [number, number, number, number, number, string | null, string[]]
  const oldest = [first, ...firstOverdue].filter((id) => id !== null)
  const ages = await Promise.all(
    oldest.map(async (id) => ageOf(await redis.hmget(job(id), 'data', 'processedOn'), now))
  )
  return { waiting: waiting + later, due: waiting + overdue, running, failed: dead, oldestMs: Math.max(0, ...ages) }
}

/** A job whose process ended without a word has been due since some time after its run began. */
function ageOf([data, processedOn]: Array<string | null | undefined>, now: number): number {
  if (data === null || data === undefined) return 0 // It was taken between the two looks.
  return now - Math.max((JSON.parse(data) as JobData).dueAt, Number(processedOn ?? 0))
}

/**
 * Resolves when nothing is due or running in any of these places, in any process; looks at all of
 * them at one moment, so that a job that adds another is not missed.
 */
export async function becomeIdle(redis: Redis, places: Places[], reach: Reach): Promise<void> {
  for (let pollMs = SHORTEST_POLL_MS; ; pollMs = Math.min(pollMs * 2, LONGEST_POLL_MS)) {
    const counts = await reach(async () => {
      const asked = redis.multi()
      for (const { wait, active, delayed } of places) {
        asked.llen(wait).llen(active).zcount(delayed, '-inf', highestDueScore(Date.now()))
      }
      return await results(asked)
    })
    if (counts.every((count) => count === 0)) return
    await wait(pollMs)
  }
}

async function results(asked: ChainableCommander): Promise<unknown[]> {
  const answers = (await asked.exec()) ?? []
  return answers.map(([error, value]) => {
    if (error !== null) throw error
    return value
  })
}
