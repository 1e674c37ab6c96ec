import type { DeliveryStore, NewDelivery } from '../port.ts'
import type { Database } from './database.ts'

/**
 * Nothing is added where the webhook or the event is gone, or the webhook has a delivery of the
 * event, or one of this id.
 */
const INSERT = `
  INSERT INTO deliveries (id, webhook_n, event_n, event, event_at, sequence, status, next_attempt_at, created_at)
  SELECT ?, w.n, e.n, ?, ?, ifnull((SELECT last FROM delivery_counters c WHERE c.webhook_n = w.n), 0) + 1, ?, ?, ?
  FROM webhooks w JOIN events e ON e.account_id = w.account_id AND e.id = ? WHERE w.id = ? AND w.account_id = ?
  ON CONFLICT DO NOTHING RETURNING webhook_n AS webhookN, sequence`

/** Adds deliveries. */
export function createDeliveryAdding(db: Database): Pick<DeliveryStore, 'add'> {
  const add = ({
    id,
    accountId,
    webhookId,
    eventId,
    event,
    eventAt,
    status,
    nextAttemptAt,
    createdAt
  }: NewDelivery) => {
    const row = db.one<{ webhookN: number; sequence: number }>(
      INSERT,
      id,
      event,
      eventAt,
      status,
      nextAttemptAt,
      createdAt,
      eventId,
      webhookId,
      accountId
    )
    if (row !== undefined) {
      db.run('INSERT OR REPLACE INTO delivery_counters (webhook_n, last) VALUES (?, ?)', row.webhookN, row.sequence)
    }
  }

  return {
    add: async (deliveries) =>
      db.atomically(() => {
        for (const delivery of deliveries) add(delivery)
      })
  }
}
