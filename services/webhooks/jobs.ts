import type { Queue } from '../../ports/queue/port.ts'
import type { Store } from '../../ports/store/port.ts'
import { EVENT_DAYS } from '../../schemas/event.ts'

export interface WebhookRef {
  accountId: string
  webhookId: string
}
export type DeliveryJobs = ReturnType<typeof createDeliveryJobs>

/** Delayed jobs are rounded up to steps of this length, so that many deliveries share one job. */
const STEP_MS = 100
const DAY_MS = 24 * 3_600_000
/** Of each kind in one sweep; the next sweep continues. */
const SWEEP_BATCH = 1000

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

/** Finds work that is pending in the store but has no job. */
export function createSweep({ store, queue, jobs }: { store: Store; queue: Queue; jobs: DeliveryJobs }) {
  return {
    /**
     * Adds jobs for events without deliveries, for due deliveries and for unfinished recoveries.
     * Deletes events that are older than 30 days.
     */
    async sweep(signal: AbortSignal): Promise<void> {
      for (const accountId of await store.events.pendingFanOutAccounts(SWEEP_BATCH)) {
        await queue.add('fan-out-events', { accountId }, { key: accountId })
      }
      const now = new Date().toISOString()
      for (const webhook of await store.deliveries.dueWebhooks(now, SWEEP_BATCH)) await jobs.enqueue(webhook)
      for (const { accountId, id } of await store.recoveries.unfinished(SWEEP_BATCH)) {
        await queue.add('recover-deliveries', { accountId, recoveryId: id }, { key: id })
      }
      const before = new Date(Date.now() - EVENT_DAYS * DAY_MS).toISOString()
      while (!signal.aborted && (await store.events.deleteBefore(before, SWEEP_BATCH)) === SWEEP_BATCH);
    }
  }
}
