import { Queue as BullmqQueue } from 'bullmq'
import { randomUUID } from 'node:crypto'
import { createThrottledLog } from '../../../lib/async.ts'
import { type JobName, type JobPayload, Jobs } from '../../../schemas/jobs.ts'
import { checkDelay, checkPolicy, warningListener } from '../policy.ts'
import type { JobListener, Queue } from '../port.ts'
import { createConnectionGuard, unavailable } from './connection-guard.ts'
import { openConnections } from './connections.ts'
import { listDead, readDepth, retryDead, type StoredQueue, waitUntilIdle } from './inspection.ts'
import { createJobTransitions, type JobData } from './job-transitions.ts'
import { keyNames, keyPrefix } from './key-names.ts'
import { watchLightJobs } from './light-jobs.ts'
import { ADMIT_MS, createTurns } from './turns.ts'
import { createProcessor, type StartedWorker, startWorker } from './worker.ts'

const GRACE_MS = 10_000
const LOCK_MS = 20_000
/** Length of BullMQ's stream of job events, which this service does not read. */
const MAX_EVENTS = 1000
const NAMES = Object.keys(Jobs) as JobName[]

export interface BullmqQueueOptions {
  /** For example `redis://user:password@host:6379/0`; `rediss:` for TLS. */
  url: string
  /** Starts the names of all keys. Services that share a Redis need different prefixes. */
  prefix: string
  listener?: JobListener
  /** How long an aborted run may take to end. Default 10,000. */
  graceMs?: number
  /**
   * How long a job stays locked by a process that died; other processes may take half as long again
   * to notice. Default 20,000.
   */
  lockMs?: number
}

/**
 * Opens a queue in Redis 6.2 or newer, or a compatible server. Many processes may use it;
 * `concurrency` counts for each process, `accountConcurrency` for all of them, and should be equal in
 * all of them. Each job is run by one process. When that process is killed, another one takes the job
 * within 40 seconds, so jobs may run twice. Methods reject with `unavailable` when Redis has been
 * unreachable for a second; workers wait until it is back.
 *
 * Throws a StartError when Redis cannot be reached within 5 seconds.
 */
export async function openBullmqQueue({
  url,
  prefix,
  listener = warningListener,
  graceMs = GRACE_MS,
  lockMs = LOCK_MS
}: BullmqQueueOptions): Promise<Queue> {
  const onError =
    listener.queueError ??
    ((error: Error) => {
      process.emitWarning(`Job queue error: ${error.message}`)
    })
  // Errors that differ only by a job id are of one kind.
  const logError = createThrottledLog(onError, (message) => message.replace(/\bjob \S+/i, 'job'))
  const { adding, working, close: disconnect } = await openConnections(url, logError)
  const guardConnection = createConnectionGuard(adding)
  const closing = new AbortController()
  const queues = new Map<JobName, StoredQueue>()
  const workers = new Map<JobName, StartedWorker>()
  let closed: Promise<void> | undefined

  async function guard<T>(task: () => Promise<T>): Promise<T> {
    if (closing.signal.aborted) throw unavailable('The queue is closing.')
    return await guardConnection(task)
  }

  function getQueue(name: JobName): StoredQueue {
    let queue = queues.get(name)
    if (queue === undefined) {
      queue = new BullmqQueue<JobData, void, string>(name, {
        connection: adding,
        prefix: keyPrefix(prefix),
        streams: { events: { maxLen: MAX_EVENTS } },
        // The number of attempts is limited by the worker's policy, which the process that adds the
        // job does not know.
        defaultJobOptions: { attempts: Number.MAX_SAFE_INTEGER, backoff: { type: 'policy' }, stackTraceLimit: 3 },
        skipVersionCheck: true,
        skipWaitingForReady: true
      })
      queue.on('error', logError)
      queues.set(name, queue)
    }
    return queue
  }

  async function add(name: JobName, data: JobData, key: string | undefined): Promise<void> {
    const jobId = randomUUID() // Added twice, because a reply was lost, it is still one job.
    const deduplication = key === undefined ? undefined : { id: key }
    const delay = Math.max(0, Math.ceil(data.dueAt - Date.now()))
    await guard(() => getQueue(name).add(name, data, { jobId, deduplication, delay: delay === 0 ? ADMIT_MS : delay }))
    if (delay > 0) return
    const turns = createTurns(adding, keyNames(prefix, name), { accountConcurrency: null })
    await guard(() => turns.admit({ id: jobId, data, deduplicationId: key }))
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
      if (workers.has(name)) throw new Error(`The job ${name} already has a worker`)
      checkPolicy(name, policy)
      const keys = keyNames(prefix, name)
      const { concurrency, accountConcurrency } = policy
      const transitions = createJobTransitions({
        redis: working,
        turns: createTurns(working, keys, { accountConcurrency }),
        keyOf: ({ deduplicationId }) => (deduplicationId === undefined ? null : keys.deduplication(deduplicationId)),
        logError
      })
      const processor = createProcessor({
        name,
        policy,
        run,
        transitions,
        isLightWaiting: watchLightJobs(working, keys.lastLight, logError),
        listener,
        closing: closing.signal,
        graceMs
      })
      workers.set(name, startWorker({ name, prefix, redis: working, concurrency, lockMs, processor, logError }))
    },
    depth: (name) => guard(() => readDepth(adding, keyNames(prefix, name))),
    dead: (name, limit) => guard(() => listDead(getQueue(name), limit)),
    retry: (name, id) =>
      guard(() =>
        retryDead(getQueue(name), id, ({ data: { payload, requestId }, deduplicationId }) =>
          add(name, { payload, requestId, dueAt: Date.now() }, deduplicationId)
        )
      ),
    idle: () =>
      waitUntilIdle(
        adding,
        NAMES.map((name) => keyNames(prefix, name)),
        guard
      ),
    async ping() {
      await guard(() => adding.ping())
    },
    async close() {
      closed ??= close()
      await closed
    }
  }
}
