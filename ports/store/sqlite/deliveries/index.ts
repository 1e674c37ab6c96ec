import type { DeliveryStore, NewDelivery } from '../../port.ts'
import type { Database } from '../database.ts'
import { createAttemptRecording } from './attempts.ts'
import { createDeliveryClaims, requeueDeliveries } from './claims.ts'
import { createDeliveryQueries } from './queries.ts'

/**
 * Inserts nothing when the webhook or the event was deleted, or when there is a delivery with this
 * id, or with this webhook and event.
 */
const INSERT = `
  INSERT INTO deliveries (id, webhook_n, event_n, event, event_at, sequence, status, next_attempt_at, created_at)
  SELECT ?, w.n, e.n, ?, ?, ifnull((SELECT last FROM delivery_counters c WHERE c.webhook_n = w.n), 0) + 1, ?, ?, ?
  FROM webhooks w JOIN events e ON e.account_id = w.account_id AND e.id = ? WHERE w.id = ? AND w.account_id = ?
  ON CONFLICT DO NOTHING RETURNING webhook_n AS webhookN, sequence`

function insertDelivery(db: Database, delivery: NewDelivery): void {
  const row = db.one<{ webhookN: number; sequence: number }>(
    INSERT,
    delivery.id,
    delivery.event,
    delivery.eventAt,
    delivery.status,
    delivery.nextAttemptAt,
    delivery.createdAt,
    delivery.eventId,
    delivery.webhookId,
    delivery.accountId
  )
  if (row !== undefined) {
    db.run('INSERT OR REPLACE INTO delivery_counters (webhook_n, last) VALUES (?, ?)', row.webhookN, row.sequence)
  }
}

export function createDeliveries(db: Database): DeliveryStore {
  const claims = createDeliveryClaims(db)
  const attempts = createAttemptRecording(db)
  const queries = createDeliveryQueries(db)

  return {
    add: async (deliveries) =>
      db.transaction(() => {
        for (const delivery of deliveries) insertDelivery(db, delivery)
      }),
    claim: claims.claim,
    recordAttempts: attempts.recordAttempts,
    release: claims.release,
    requeue: async (accountId, ids, at) => requeueDeliveries(db, accountId, { ids, at }),
    find: queries.find,
    list: queries.list,
    between: queries.between,
    dueWebhooks: queries.dueWebhooks,
    nextDueAt: queries.nextDueAt
  }
}
