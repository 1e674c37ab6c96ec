import type { DeliveryStore } from '../port.ts'
import type { Database } from './database.ts'

/**
 * The webhooks with pending deliveries one by one, each by a look into the index, however many of
 * them wait. What is leased is passed over, and that is not much:
 * nobody leases more than a few hundred of a webhook.
 */
const DUE_WEBHOOKS = `
  WITH RECURSIVE waiting (webhook_n) AS (
    SELECT min(webhook_n) FROM deliveries WHERE status = 'pending'
    UNION ALL
    SELECT (SELECT min(d.webhook_n) FROM deliveries d WHERE d.status = 'pending' AND d.webhook_n > waiting.webhook_n) FROM waiting WHERE waiting.webhook_n IS NOT NULL
  )
  SELECT w.account_id AS accountId, w.id AS webhookId, (
    SELECT d.next_attempt_at FROM deliveries d WHERE d.webhook_n = w.n AND d.status = 'pending' AND NOT EXISTS (SELECT 1 FROM delivery_leases l WHERE l.n = d.n AND l.until > ?)
    ORDER BY d.next_attempt_at LIMIT 1
  ) AS dueAt
  FROM waiting JOIN webhooks w ON w.n = waiting.webhook_n
  WHERE w.disabled = 0 AND ifnull(w.paused_until, '') <= ? AND dueAt <= ? ORDER BY dueAt, w.id LIMIT ?`
const NEXT_UNLEASED = `SELECT d.next_attempt_at AS dueAt FROM deliveries d
  WHERE d.webhook_n = (SELECT n FROM webhooks WHERE id = ?) AND d.status = 'pending' AND NOT EXISTS (SELECT 1 FROM delivery_leases l WHERE l.n = d.n) ORDER BY d.next_attempt_at LIMIT 1`
const NEXT_LEASED = `SELECT min(max(l.until, d.next_attempt_at)) AS dueAt FROM delivery_leases l JOIN deliveries d ON d.n = l.n
  WHERE l.webhook_n = (SELECT n FROM webhooks WHERE id = ?) AND d.status = 'pending'`

/** Tells for which webhooks there is something to do, and when. */
export function createDeliveryDue(db: Database): Pick<DeliveryStore, 'dueWebhooks' | 'nextDueAt'> {
  return {
    dueWebhooks: async (now, limit) =>
      db
        .all<{ accountId: string; webhookId: string }>(DUE_WEBHOOKS, now, now, now, limit)
        .map(({ accountId, webhookId }) => ({ accountId, webhookId })),
    nextDueAt: async (webhookId) => {
      const next = [NEXT_UNLEASED, NEXT_LEASED].map(
        (sql) => db.one<{ dueAt: string | null }>(sql, webhookId)?.dueAt ?? null
      )
      return next.filter((dueAt) => dueAt !== null).toSorted()[0] ?? null
    }
  }
}
