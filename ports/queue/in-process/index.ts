import { problem } from '../../../errors.ts'
import type { JobName, JobPayload } from '../../../schemas/jobs.ts'
import { accountOf, checkDelay, checkPolicy, startSlice, warningListener } from '../policy.ts'
import type { JobListener, Queue } from '../port.ts'
import { createJobRunner, type JobRunner } from './job-runner.ts'

const GRACE_MS = 10_000

export interface InProcessQueueOptions {
  /** Default: process warnings, so that failures are never silent. */
  listener?: JobListener
  /** How long an aborted run may take before its slot is free. Default 10,000. */
  graceMs?: number
}

/**
 * Opens a queue in the memory of this process. It keeps the last 100 dead jobs of each name. A job
 * that waits for its next attempt is pending, so another job of its key is not added. A run that
 * timed out keeps its slot until it ends, but no longer than `graceMs`.
 *
 * `add` rejects with `unavailable` when the queue is closing, and with a RangeError for an invalid
 * delay. `work` throws for a second worker of a name and for an invalid policy.
 */
export function openInProcessQueue({
  listener = warningListener,
  graceMs = GRACE_MS
}: InProcessQueueOptions = {}): Queue {
  const closing = new AbortController()
  const runners = new Map<JobName, JobRunner>()
  const working = new Set<JobName>()
  const idleListeners: Array<() => void> = []
  let closed: Promise<void> | undefined

  function getRunner(name: JobName): JobRunner {
    let runner = runners.get(name)
    if (runner === undefined) {
      runner = createJobRunner({
        closing: closing.signal,
        graceMs,
        onFailed: ({ attempt, requestId }, isLast, error) =>
          listener.failed({ name, attempt, isLast, requestId }, error),
        onEnded: notifyIdle
      })
      runners.set(name, runner)
    }
    return runner
  }

  function assertOpen(): void {
    if (closing.signal.aborted) throw problem('unavailable', 'The queue is closing and takes no more jobs.')
  }

  const isIdle = (): boolean => [...runners.values()].every((runner) => runner.isIdle())

  function notifyIdle(): void {
    if (idleListeners.length === 0 || !isIdle()) return
    for (const resolve of idleListeners.splice(0)) resolve()
  }

  async function closeRunners(): Promise<void> {
    closing.abort(new DOMException('The queue is closing', 'AbortError'))
    await Promise.all([...runners.values()].map((runner) => runner.close()))
    notifyIdle()
  }

  return {
    async add(name, payload, { key, delayMs = 0, requestId = null } = {}) {
      assertOpen()
      checkDelay(name, delayMs)
      getRunner(name).add({ account: accountOf(payload), payload: JSON.stringify(payload), key, requestId, delayMs })
    },
    work(name, policy, run) {
      if (working.has(name)) throw new Error(`The job ${name} already has a worker`)
      checkPolicy(name, policy)
      working.add(name)
      type Payload = JobPayload<typeof name>
      const runner = getRunner(name)
      runner.work({
        policy,
        run: ({ job: { payload, attempt, requestId }, waitMs }, signal) =>
          run({
            name,
            payload: JSON.parse(payload) as Payload,
            attempt,
            signal,
            isSliceOver: startSlice(policy, runner.isLightWaiting),
            waitMs,
            requestId
          })
      })
    },
    depth: async (name) => getRunner(name).depth(),
    dead: async (name, limit) =>
      getRunner(name)
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
      assertOpen()
      return getRunner(name).retry(id)
    },
    ping: async () => assertOpen(),
    async idle() {
      if (isIdle()) return
      await new Promise<void>((resolve) => {
        idleListeners.push(resolve)
      })
    },
    async close() {
      closed ??= closeRunners()
      await closed
    }
  }
}
