import type { DeliveryStore } from '../port.ts'
import type { Database } from './database.ts'

/** The webhooks with pending deliveries one by one, each by one look into the index, however many of them wait. */
const DUE_WEBHOOKS = `
  WITH RECURSIVE waiting (webhook_n) AS (
    SELECT min(webhook_n) FROM deliveries WHERE due_at IS NOT NULL
    UNION ALL
    SELECT (SELECT min(d.webhook_n) FROM deliveries d WHERE d.due_at IS NOT NULL AND d.webhook_n > waiting.webhook_n) FROM waiting WHERE waiting.webhook_n IS NOT NULL
  )
  SELECT w.account_id AS accountId, w.id AS webhookId, (SELECT min(d.due_at) FROM deliveries d WHERE d.webhook_n = w.n AND d.due_at IS NOT NULL) AS dueAt
  FROM waiting JOIN webhooks w ON w.n = waiting.webhook_n WHERE w.disabled = 0 AND dueAt <= ? ORDER BY dueAt, w.id LIMIT ?`
const NEXT_DUE = 'SELECT min(d.due_at) AS dueAt FROM deliveries d WHERE d.webhook_n = (SELECT n FROM webhooks WHERE id = ?) AND d.due_at IS NOT NULL'

/** Tells for which webhooks there is something to do, and when. */
export function createDeliveryDue (db: Database): Pick<DeliveryStore, 'dueWebhooks' | 'nextDueAt'> {
  return {
    dueWebhooks: async (now, limit) => db.all<{ accountId: string, webhookId: string }>(DUE_WEBHOOKS, now, limit).map(({ accountId, webhookId }) => ({ accountId, webhookId })),
    nextDueAt: async (webhookId) => db.one<{ dueAt: string | null }>(NEXT_DUE, webhookId)?.dueAt ?? null
  }
}
