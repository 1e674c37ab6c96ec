import { Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { setTimeout as wait } from 'node:timers/promises'
import type { JobName } from '../../../schemas/jobs.ts'
import type { JobData } from './data.ts'
import { backoffStrategy } from './moves.ts'
import { keyPrefix } from './places.ts'
import type { Processor } from './processor.ts'

/** Jobs that were given up are kept for two weeks, and of each name the last thousand. */
const DEAD = { count: 1000, age: 14 * 24 * 3600 }
/** A worker that Redis did not serve asks again after so many milliseconds. */
const RETRY_MS = 2_000
/** What BullMQ may need to end a worker whose runs have ended. */
const END_MS = 3_000
/**
 * How often a job's process may end without a word is a matter of its policy (processor.ts), not of
 * BullMQ.
 */
const NO_LIMIT = 1_000_000

export interface WorkerOptions {
  name: JobName
  prefix: string
  redis: Redis
  concurrency: number
  /**
   * For how many milliseconds a job belongs to a process that says nothing; others look for such
   * jobs twice in that time.
   */
  lockMs: number
  processor: Processor
  troubled: (error: unknown) => void
}

/** What works the jobs of a name in this process. */
export interface StartedWorker {
  /**
   * Takes no more jobs; the closing signal must have been given. Resolves when the running ones
   * have been moved on, or Redis is away: then others take them when their locks are over.
   */
  close: () => Promise<void>
}

/** Starts one. It goes on by itself when Redis was away or was emptied. */
export function startWorker({
  name,
  prefix,
  redis,
  concurrency,
  lockMs,
  processor,
  troubled
}: WorkerOptions): StartedWorker {
  const running = new Set<Promise<void>>()
  const worker = new Worker<JobData, void>(
    name,
    async (job, token) => {
      const run = processor(job, token)
      const kept = run.catch(() => {}).finally(() => running.delete(kept))
      running.add(kept)
      await run
    },
    {
      connection: redis,
      prefix: keyPrefix(prefix),
      concurrency,
      lockDuration: lockMs,
      lockRenewTime: lockMs / 4,
      stalledInterval: lockMs / 2,
      maxStalledCount: NO_LIMIT,
      removeOnComplete: { count: 0 },
      removeOnFail: DEAD,
      runRetryDelay: RETRY_MS,
      settings: { backoffStrategy },
      // The server was looked at when its connections were opened; BullMQ would do it once a
      // worker, and warn on the console each time.
      skipVersionCheck: true
    }
  )
  worker.on('error', troubled)
  const { blockingConnection } = worker.getBackend()
  // Without a look at the server BullMQ takes it for an old one, which waits for whole seconds
  // only.
  blockingConnection?.client.then(() => {
    blockingConnection.capabilities.canDoubleTimeout = true
  }, troubled)

  return {
    async close() {
      await worker.pause(true)
      while (running.size > 0 && redis.status === 'ready') await Promise.race([Promise.all(running), wait(100)])
      await Promise.race([worker.close(redis.status !== 'ready'), wait(END_MS)])
      // Where Redis goes away while BullMQ closes, it may never end these by itself, and the
      // process could not end.
      await worker['lockManager'].close()
      if (blockingConnection !== undefined) leaveForGood(blockingConnection['_client'] as unknown as Redis)
    }
  }
}

/** Ends a connection that what is still under way may open anew. */
function leaveForGood(redis: Redis): void {
  redis.options.retryStrategy = () => null
  redis.on('connect', () => redis.disconnect())
  redis.on('error', () => {}) // Nobody asks it for anything any more.
  redis.disconnect()
}
