import { problem } from '../../errors.ts'
import type { JobName, JobPayload } from '../../schemas/jobs.ts'
import { openLane } from './lane.ts'
import type { Lane } from './lane.ts'
import { checkDelay, checkPolicy } from './policy.ts'
import type { JobListener, Queue } from './port.ts'
import { warningListener } from './warnings.ts'

/** Time for a run that was told to stop, before its slot is given to others: ten seconds. */
const GRACE_MS = 10_000

export interface InProcessQueueOptions {
  /** Told of every failed attempt; without one the process warns, as no failure is silent. */
  listener?: JobListener
  /** Milliseconds that a run may go on after its signal. Default 10,000. */
  graceMs?: number
}

/**
 * Opens a queue that lives and dies with the process; it keeps the last 100 jobs of a name that
 * were given up. A job that waits for its next attempt is waiting, so another of its key is not
 * added.
 * A run that was given up after `timeoutMs` keeps its slot until it ends, but no longer than
 * `graceMs`. `add` rejects with `unavailable` once the
 * queue is closing, and with a RangeError for a delay that is no number; `work` throws for a second
 * worker of a name and for a policy that makes no sense.
 */
export function openInProcessQueue({
  listener = warningListener,
  graceMs = GRACE_MS
}: InProcessQueueOptions = {}): Queue {
  const closing = new AbortController()
  const lanes = new Map<JobName, Lane>()
  const working = new Set<JobName>()
  const idlers: Array<() => void> = []
  let closed: Promise<void> | undefined

  function laneOf(name: JobName): Lane {
    let lane = lanes.get(name)
    if (lane === undefined) {
      lane = openLane({
        closing: closing.signal,
        graceMs,
        failed: ({ attempt, requestId }, last, error) =>
          listener.failed({ name, attempt, isLast: last, requestId }, error),
        ended: tellIdlers
      })
      lanes.set(name, lane)
    }
    return lane
  }

  function refuseClosed(): void {
    if (closing.signal.aborted) throw problem('unavailable', 'The queue is closing and takes no more jobs.')
  }

  const isIdle = (): boolean => [...lanes.values()].every((lane) => lane.idle())

  function tellIdlers(): void {
    if (idlers.length === 0 || !isIdle()) return
    for (const tell of idlers.splice(0)) tell()
  }

  async function closeLanes(): Promise<void> {
    closing.abort(new DOMException('The queue is closing', 'AbortError'))
    await Promise.all([...lanes.values()].map((lane) => lane.close()))
    tellIdlers()
  }

  return {
    async add(name, payload, { key, delayMs = 0, requestId = null } = {}) {
      refuseClosed()
      checkDelay(name, delayMs)
      laneOf(name).add({ payload: JSON.stringify(payload), key, requestId, delayMs })
    },
    work(name, policy, run) {
      if (working.has(name)) throw new Error(`The job ${name} has a worker already`)
      checkPolicy(name, policy)
      working.add(name)
      type Payload = JobPayload<typeof name>
      laneOf(name).work({
        policy,
        run: ({ payload, attempt, requestId }, signal) =>
          run({ name, payload: JSON.parse(payload) as Payload, attempt, signal, requestId })
      })
    },
    depth: async (name) => laneOf(name).depth(),
    dead: async (name, limit) =>
      laneOf(name)
        .dead(limit)
        .map(({ id, job, reason, failedAt }) => ({
          id,
          name,
          payload: JSON.parse(job.payload) as JobPayload<JobName>,
          attempts: job.attempt,
          reason,
          failedAt,
          requestId: job.requestId
        })),
    async retry(name, id) {
      refuseClosed()
      return laneOf(name).retry(id)
    },
    ping: async () => refuseClosed(),
    async idle() {
      if (isIdle()) return
      await new Promise<void>((resolve) => {
        idlers.push(resolve)
      })
    },
    async close() {
      closed ??= closeLanes()
      await closed
    }
  }
}
