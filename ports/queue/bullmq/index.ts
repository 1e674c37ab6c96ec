import { Queue as StoredQueueOf } from 'bullmq'
import { randomUUID } from 'node:crypto'
import { Jobs, type JobName, type JobPayload } from '../../../schemas/jobs.ts'
import { checkDelay, checkPolicy } from '../policy.ts'
import type { JobListener, Queue } from '../port.ts'
import { warningListener } from '../warnings.ts'
import { openConnections } from './connections.ts'
import type { JobData } from './data.ts'
import { deadJobs, retryDead, type StoredQueue } from './dead.ts'
import { becomeIdle, depthOf } from './depth.ts'
import { away } from './errors.ts'
import { createMoves } from './moves.ts'
import { keyPrefix, placesOf } from './places.ts'
import { createProcessor } from './processor.ts'
import { createReach } from './reach.ts'
import { createTrouble } from './trouble.ts'
import { startWorker, type StartedWorker } from './worker.ts'

const GRACE_MS = 10_000
const LOCK_MS = 20_000
/** BullMQ keeps a log of what became of jobs, which nothing here reads; so many lines of it. */
const EVENTS = 1000
const NAMES = Object.keys(Jobs) as JobName[]

export interface BullmqQueueOptions {
  /** As in `redis://user:password@host:6379/0`; `rediss:` for TLS. */
  url: string
  /** Begins the names of all keys: services that share a Redis have one each. */
  prefix: string
  listener?: JobListener
  /** Milliseconds that a run may go on after its signal. Default 10,000. */
  graceMs?: number
  /**
   * Milliseconds after which a job is taken from a process that says nothing any more; others may
   * take half as long again to see it. Default 20,000.
   */
  lockMs?: number
}

/**
 * Opens a queue in a Redis (6.2 or newer, or what speaks its protocol), which many processes may
 * use at a time; `concurrency` is that of one process. A job is worked by one of them; when its
 * process is
 * killed another takes it within 40 seconds, so it may run twice. Methods reject with `unavailable`
 * when Redis has been away for a second; workers wait until it is back.
 * Throws a StartError when it cannot be reached within 5 seconds.
 */
export async function openBullmqQueue({
  url,
  prefix,
  listener = warningListener,
  graceMs = GRACE_MS,
  lockMs = LOCK_MS
}: BullmqQueueOptions): Promise<Queue> {
  const troubled = createTrouble(
    listener.queueError ??
      ((error) => {
        process.emitWarning(`The queue is in trouble: ${error.message}`)
      })
  )
  const { adding, working, close: disconnect } = await openConnections(url, troubled)
  const reachRedis = createReach(adding)
  const closing = new AbortController()
  const queues = new Map<JobName, StoredQueue>()
  const workers = new Map<JobName, StartedWorker>()
  let closed: Promise<void> | undefined

  async function reach<T>(act: () => Promise<T>): Promise<T> {
    if (closing.signal.aborted) throw away('The queue is closing.')
    return await reachRedis(act)
  }

  function queueOf(name: JobName): StoredQueue {
    let queue = queues.get(name)
    if (queue === undefined) {
      queue = new StoredQueueOf<JobData, void, string>(name, {
        connection: adding,
        prefix: keyPrefix(prefix),
        streams: { events: { maxLen: EVENTS } },
        // How often a job is tried is decided by the policy of who works it, which who adds it does
        // not know.
        defaultJobOptions: { attempts: Number.MAX_SAFE_INTEGER, backoff: { type: 'policy' }, stackTraceLimit: 3 },
        skipVersionCheck: true,
        skipWaitingForReady: true
      })
      queue.on('error', troubled)
      queues.set(name, queue)
    }
    return queue
  }

  async function add(name: JobName, data: JobData, key: string | undefined): Promise<void> {
    const jobId = randomUUID() // Added twice, because an answer was lost, it is one job.
    const deduplication = key === undefined ? undefined : { id: key }
    await reach(() =>
      queueOf(name).add(name, data, { jobId, deduplication, delay: Math.max(0, Math.ceil(data.dueAt - Date.now())) })
    )
  }

  async function close(): Promise<void> {
    closing.abort(new DOMException('The queue is closing', 'AbortError'))
    await Promise.all([...workers.values()].map((worker) => worker.close()))
    await Promise.all([...queues.values()].map((queue) => queue.close()))
    await disconnect()
  }

  return {
    async add(name, payload, { key, delayMs = 0, requestId = null } = {}) {
      checkDelay(name, delayMs)
      const data = {
        payload: structuredClone(payload) as JobPayload<JobName>,
        requestId,
        dueAt: Date.now() + Math.max(0, delayMs)
      }
      await add(name, data, key)
    },
    work(name, policy, run) {
      if (workers.has(name)) throw new Error(`The job ${name} has a worker already`)
      checkPolicy(name, policy)
      const { deduplication } = placesOf(prefix, name)
      const moves = createMoves({
        redis: working,
        keyOf: ({ deduplicationId }) => (deduplicationId === undefined ? null : deduplication(deduplicationId)),
        troubled
      })
      const processor = createProcessor({ name, policy, run, moves, listener, closing: closing.signal, graceMs })
      workers.set(
        name,
        startWorker({ name, prefix, redis: working, concurrency: policy.concurrency, lockMs, processor, troubled })
      )
    },
    depth: (name) => reach(() => depthOf(adding, placesOf(prefix, name))),
    dead: (name, limit) => reach(() => deadJobs(queueOf(name), limit)),
    retry: (name, id) =>
      reach(() =>
        retryDead(queueOf(name), id, ({ data: { payload, requestId }, deduplicationId }) =>
          add(name, { payload, requestId, dueAt: Date.now() }, deduplicationId)
        )
      ),
    idle: () =>
      becomeIdle(
        adding,
        NAMES.map((name) => placesOf(prefix, name)),
        reach
      ),
    async ping() {
      await reach(() => adding.ping())
    },
    async close() {
      closed ??= close()
      await closed
    }
  }
}
