import type { DeliveryStore, NewDelivery } from '../../port.ts'
import type { Database } from '../database.ts'
import { createAttemptRecording } from './attempts.ts'
import { createDeliveryClaims, requeueDeliveries } from './claims.ts'
import { createDeliveryQueries } from './queries.ts'

const WEBHOOK = `
  SELECT w.n, ifnull(c.last, 0) AS last FROM webhooks w LEFT JOIN delivery_counters c ON c.webhook_n = w.n
  WHERE w.id = ? AND w.account_id = ?`
const EVENT = 'SELECT n FROM events WHERE account_id = ? AND id = ?'
const INSERT = `
  INSERT INTO deliveries (id, webhook_n, event_n, event, event_at, sequence, status, next_attempt_at, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`

/**
 * Adds deliveries with the next sequences of their webhooks. Adds none when the webhook or the event was deleted, or
 * when there is a delivery with this id, or with this webhook and event. Each webhook and event is looked up once: an
 * event has a delivery to each webhook. Call inside a transaction.
 */
function addDeliveries(db: Database, deliveries: NewDelivery[]): void {
  const webhooks = new Map<string, { n: number; last: number } | undefined>()
  const events = new Map<string, number | undefined>()
  for (const delivery of deliveries) {
    const { accountId, webhookId, eventId } = delivery
    const [webhookKey, eventKey] = [`${accountId} ${webhookId}`, `${accountId} ${eventId}`]
    if (!webhooks.has(webhookKey)) webhooks.set(webhookKey, db.one(WEBHOOK, webhookId, accountId))
    if (!events.has(eventKey)) events.set(eventKey, db.one<{ n: number }>(EVENT, accountId, eventId)?.n)
    const [webhook, eventN] = [webhooks.get(webhookKey), events.get(eventKey)]
    if (webhook !== undefined && eventN !== undefined) webhook.last += insertDelivery(db, delivery, { webhook, eventN })
  }
  for (const webhook of webhooks.values()) {
    if (webhook === undefined) continue
    db.run('INSERT OR REPLACE INTO delivery_counters (webhook_n, last) VALUES (?, ?)', webhook.n, webhook.last)
  }
}

/** Returns how many deliveries were added: 0 or 1. */
function insertDelivery(
  db: Database,
  { id, event, eventAt, status, nextAttemptAt, createdAt }: NewDelivery,
  { webhook: { n, last }, eventN }: { webhook: { n: number; last: number }; eventN: number }
): number {
  return db.run(INSERT, id, n, eventN, event, eventAt, last + 1, status, nextAttemptAt, createdAt)
}

export function createDeliveries(db: Database): DeliveryStore {
  const claims = createDeliveryClaims(db)
  const attempts = createAttemptRecording(db)
  const queries = createDeliveryQueries(db)

  return {
    add: async (deliveries) => db.transaction(() => addDeliveries(db, deliveries)),
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
