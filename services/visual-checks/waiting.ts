import { setTimeout as pause } from 'node:timers/promises'
import { problem } from '../../errors.ts'
import type { KeyedSignals } from '../../lib/async.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { Store, VisualCheckRecord } from '../../ports/store/port.ts'

export interface WaitOptions {
  /** How long the check may stay in the queue, in milliseconds. */
  startMs: number
  /** How long to wait in total, in milliseconds. */
  totalMs: number
  /** Ends the wait, for example when the service shuts down. */
  isAborted?: () => boolean
}

interface Dependencies {
  store: Store
  queue: Queue
  /** Notified with the id of a check that this process has finished. */
  finished: KeyedSignals
  /** Fails a check that no worker has started. */
  abandon: (check: VisualCheckRecord, reason: string) => Promise<void>
  /** How often a check is read that another process may have finished. */
  pollIntervalMs: number
}

/** Between two looks for a running job: a worker may be between two jobs. */
const WORKER_CHECK_MS = 1_000
const NO_WORKER = 'No worker has started the check.'

/** Waits for checks that run in the background, in this process or in another one. */
export function createCheckWaiter({ store, queue, finished, abandon, pollIntervalMs }: Dependencies) {
  async function find({ accountId, id }: Pick<VisualCheckRecord, 'accountId' | 'id'>): Promise<VisualCheckRecord> {
    const check = await store.visualChecks.find(accountId, id)
    if (check === null) throw problem('visual_check_not_found', `The visual check ${id} was removed.`)
    return check
  }

  /** Whether any worker runs checks. A queue without workers is not long: nothing takes its jobs. */
  async function isWorked(): Promise<boolean> {
    if ((await queue.depth('run-visual-check')).running > 0) return true
    await pause(Math.min(WORKER_CHECK_MS, pollIntervalMs))
    return (await queue.depth('run-visual-check')).running > 0
  }

  /** A check behind others goes on. One that no worker takes is ended. */
  async function giveUp(check: VisualCheckRecord): Promise<VisualCheckRecord> {
    if (await isWorked()) return check
    await abandon(check, NO_WORKER)
    return await find(check)
  }

  return {
    /**
     * Resolves with the check when it has finished, with the unfinished check after `totalMs`, and if
     * it is still behind other checks after `startMs`. A check that no worker takes is ended as failed.
     */
    async wait(
      asked: Pick<VisualCheckRecord, 'accountId' | 'id'>,
      { startMs, totalMs, isAborted = () => false }: WaitOptions
    ): Promise<VisualCheckRecord> {
      const startedMs = performance.now()
      const subscription = finished.subscribe(asked.id)
      try {
        for (;;) {
          const check = await find(asked)
          if (check.finishedAt !== null || isAborted()) return check
          const isStarted = check.attempts > 0
          const leftMs = startedMs + (isStarted ? totalMs : Math.min(startMs, totalMs)) - performance.now()
          if (leftMs > 0) await subscription.wait(Math.min(leftMs, pollIntervalMs))
          else return isStarted || totalMs <= startMs ? check : await giveUp(check)
        }
      } finally {
        subscription.close()
      }
    }
  }
}
