import { createYielder } from '../../lib/async.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { Store } from '../../ports/store/port.ts'
import { EVENT_DAYS } from '../../schemas/event.ts'
import { readSweepPages } from '../sweep-pages.ts'
import type { createEventTrimmer } from './event-trimmer.ts'

export interface WebhookRef {
  accountId: string
  webhookId: string
}
export type DeliveryJobs = ReturnType<typeof createDeliveryJobs>

/** Delayed jobs are rounded up to steps of this length, so that many deliveries share one job. */
const STEP_MS = 100
const DAY_MS = 24 * 3_600_000
/** Events that are deleted at once. */
const DELETED_AT_ONCE = 1000

/** Adds `deliver-webhooks` jobs. Delayed jobs have other keys, so that they never block immediate ones. */
export function createDeliveryJobs(queue: Queue) {
  const enqueue = async ({ accountId, webhookId }: WebhookRef): Promise<void> =>
    await queue.add('deliver-webhooks', { accountId, webhookId }, { key: webhookId })

  return {
    enqueue,
    /** Runs at `atMs` (Unix time in milliseconds), or up to 100 ms later. */
    async enqueueAt({ accountId, webhookId }: WebhookRef, atMs: number): Promise<void> {
      const step = Math.ceil(atMs / STEP_MS)
      const delayMs = step * STEP_MS - Date.now()
      if (delayMs <= 0) return await enqueue({ accountId, webhookId })
      await queue.add('deliver-webhooks', { accountId, webhookId }, { key: `${webhookId} ${step}`, delayMs })
    }
  }
}

interface SweepDependencies {
  store: Store
  queue: Queue
  jobs: DeliveryJobs
  trimmer: Pick<ReturnType<typeof createEventTrimmer>, 'sweep'>
}

/** Finds work that is pending in the store but has no job. */
export function createSweep({ store, queue, jobs, trimmer }: SweepDependencies) {
  return {
    /**
     * Adds jobs for events without deliveries, for due deliveries and for unfinished recoveries.
     * Deletes events that are older than 30 days, and those of logs that are too large.
     */
    async sweep(signal: AbortSignal): Promise<void> {
      for await (const accountId of readSweepPages(store.events.pendingFanOutAccounts, signal)) {
        await queue.add('fan-out-events', { accountId }, { key: accountId })
      }
      const now = new Date().toISOString()
      const due = readSweepPages((page) => store.deliveries.dueWebhooks(now, page), signal)
      for await (const webhook of due) await jobs.enqueue(webhook)
      for await (const { accountId, id } of readSweepPages(store.recoveries.unfinished, signal)) {
        await queue.add('recover-deliveries', { accountId, recoveryId: id }, { key: id })
      }
      const before = new Date(Date.now() - EVENT_DAYS * DAY_MS).toISOString()
      const pause = createYielder()
      while (!signal.aborted && (await store.events.deleteBefore(before, DELETED_AT_ONCE)) === DELETED_AT_ONCE) {
        await pause()
      }
      await trimmer.sweep(signal)
    }
  }
}
