import type { EventRecord, NewDelivery, Store, WebhookRecord } from '../../ports/store/port.ts'
import { newId } from '../ids.ts'
import type { DeliveryJobs } from './delivery-jobs.ts'

/** Events at once. */
const PORTION = 100

/** Makes deliveries of events. */
export function createFanOut({ store, jobs }: { store: Store; jobs: DeliveryJobs }) {
  return {
    /**
     * One delivery of each event of the account for each webhook that wants it, in the order in
     * which they happened; those for a disabled webhook are skipped.
     * What it did already, here or elsewhere, it does not do again.
     */
    async fanOut(accountId: string, signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const events = await store.events.pendingFanOut(accountId, PORTION)
        if (events.length === 0) return
        // Read after the events, so that a webhook that was there before one of them is not missed.
        const webhooks = await store.webhooks.list(accountId)
        const deliveries = events.flatMap((event) =>
          webhooks.filter((webhook) => wants(webhook, event)).map((webhook) => deliveryOf(event, webhook))
        )
        if (deliveries.length > 0) await store.deliveries.add(deliveries)
        await store.events.markFannedOut(
          accountId,
          events.map(({ id }) => id)
        )
        const toDeliver = new Set(
          deliveries.filter(({ status }) => status === 'pending').map(({ webhookId }) => webhookId)
        )
        for (const webhookId of toDeliver) await jobs.now({ accountId, webhookId })
      }
    }
  }
}

/** Whether the webhook subscribes to such events, and was there when this one happened. */
function wants(webhook: WebhookRecord, event: EventRecord): boolean {
  return (
    (webhook.events?.includes(event.type) ?? true) &&
    (webhook.projectIds?.includes(event.projectId) ?? true) &&
    event.timestamp >= webhook.createdAt
  )
}

function deliveryOf(event: EventRecord, webhook: WebhookRecord): NewDelivery {
  const now = new Date().toISOString()
  const told = {
    id: newId(),
    accountId: event.accountId,
    webhookId: webhook.id,
    eventId: event.id,
    event: event.type,
    eventAt: event.timestamp,
    createdAt: now
  }
  return webhook.disabledBy === null
    ? { ...told, status: 'pending', nextAttemptAt: now }
    : { ...told, status: 'skipped', nextAttemptAt: null }
}
