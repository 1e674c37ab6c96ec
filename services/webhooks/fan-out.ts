import type { RunResult } from '../../ports/queue/port.ts'
import type { NewDelivery, PendingFanOut, Store, WebhookRecord } from '../../ports/store/port.ts'
import { newId } from '../ids.ts'
import { batchSizes, createPacer } from '../pacing.ts'
import type { createEventTrimmer } from './event-trimmer.ts'
import type { DeliveryJobs } from './jobs.ts'

/** Events in one batch. */
const BATCH_SIZE = { local: { min: 10, max: 100 }, remote: { min: 20, max: 500, first: 500 } }

interface Dependencies {
  store: Store
  jobs: DeliveryJobs
  trimmer: ReturnType<typeof createEventTrimmer>
}

/** Creates deliveries for events. */
export function createFanOut({ store, jobs, trimmer }: Dependencies) {
  return {
    /**
     * Creates one delivery for each event of the account and each subscribed webhook, in the order
     * of the events. Deliveries to disabled webhooks are skipped. Deletes the oldest events if the
     * account has too many bytes of them. Safe to repeat. Resolves with `continue` if the slice ended
     * before the work.
     */
    async fanOut(accountId: string, signal: AbortSignal, isSliceOver = () => false): Promise<RunResult> {
      const pacer = createPacer({ accountId, ...batchSizes(store, BATCH_SIZE) })
      while (!signal.aborted) {
        const size = pacer.size()
        const events = await store.events.pendingFanOut(accountId, size)
        if (events.length === 0) return
        // Read after the events, so that a webhook that existed before one of them is not missed.
        const webhooks = await store.webhooks.list(accountId)
        // By webhook, so that deliveries that are sent and recorded together are stored together.
        const deliveries = webhooks.flatMap((webhook) =>
          events.filter((event) => isSubscribed(webhook, event)).map((event) => newDelivery(event, webhook))
        )
        if (deliveries.length > 0) await store.deliveries.add(deliveries)
        await store.events.markFannedOut(
          accountId,
          events.map(({ id }) => id)
        )
        const pending = deliveries.filter(({ status }) => status === 'pending')
        for (const webhookId of new Set(pending.map(({ webhookId }) => webhookId))) {
          await jobs.enqueue({ accountId, webhookId })
        }
        await trimmer.trim(accountId, events.at(-1)!.sequence)
        // An event that was added meanwhile has a job of its own.
        if (events.length < size) return
        await pacer.rest()
        if (isSliceOver()) return 'continue'
      }
    }
  }
}

/** Whether the webhook subscribes to the event and existed when the event happened. */
function isSubscribed(webhook: WebhookRecord, event: PendingFanOut): boolean {
  return (
    (webhook.events?.includes(event.type) ?? true) &&
    (webhook.projectIds?.includes(event.projectId) ?? true) &&
    event.timestamp >= webhook.createdAt
  )
}

function newDelivery(event: PendingFanOut, webhook: WebhookRecord): NewDelivery {
  const now = new Date().toISOString()
  const delivery = {
    id: newId(),
    accountId: event.accountId,
    webhookId: webhook.id,
    eventId: event.id,
    event: event.type,
    eventAt: event.timestamp,
    createdAt: now
  }
  return webhook.disabledBy === null
    ? { ...delivery, status: 'pending', nextAttemptAt: now }
    : { ...delivery, status: 'skipped', nextAttemptAt: null }
}
