import type { DeliveryAttempt } from '../../../schemas/webhook.ts'
import type { RecoveryRecord, TransferRecord, WebhookRecord } from '../port.ts'
import type { Database } from './database.ts'
import { DELIVERIES, DELIVERY_COLUMNS, type DeliveryRow } from './delivery-rows.ts'
import type { RecordRow } from './records.ts'
import { rowsAfter, type Movers } from './transfer-mover.ts'

type MovedDelivery = TransferRecord<'delivery'>
type Counter = TransferRecord<'deliveryCounter'>

/** What is left of webhooks that were removed has no id, and stays behind. */
const WEBHOOK = 'SELECT record FROM webhooks WHERE id IS NOT NULL'
const ADD_WEBHOOK =
  'INSERT INTO webhooks (id, account_id, version, disabled, paused_until, created_at, record) VALUES (?, ?, ?, ?, ?, ?, ?)'
const DELIVERY = `SELECT d.n, ${DELIVERY_COLUMNS} FROM ${DELIVERIES} WHERE w.id IS NOT NULL`
const ATTEMPTS = 'SELECT record FROM delivery_attempts WHERE n > ? << 20 AND n < (? + 1) << 20 ORDER BY n'
const SAME_EVENT =
  'd.webhook_n = (SELECT n FROM webhooks WHERE id = ?) AND d.event_n = (SELECT n FROM events WHERE account_id = ? AND id = ?)'
const SAME_SEQUENCE = 'd.webhook_n = (SELECT n FROM webhooks WHERE id = ?) AND d.sequence = ?'
const ADD_DELIVERY = `
  INSERT INTO deliveries (id, webhook_n, event_n, event, event_at, sequence, status, attempts, round, next_attempt_at, last_status, last_error, created_at, delivered_at)
  SELECT ?, w.n, e.n, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
  FROM webhooks w JOIN events e ON e.account_id = w.account_id AND e.id = ? WHERE w.id = ? AND w.account_id = ? RETURNING n`
const ADD_ATTEMPT = 'INSERT INTO delivery_attempts (n, record) VALUES ((? << 20) + ?, ?)'
const COUNTER =
  'SELECT w.account_id AS accountId, w.id AS webhookId, c.last FROM delivery_counters c JOIN webhooks w ON w.n = c.webhook_n WHERE w.id IS NOT NULL'
const RAISE = `INSERT INTO delivery_counters (webhook_n, last) SELECT n, ? FROM webhooks WHERE id = ? AND account_id = ?
  ON CONFLICT DO UPDATE SET last = max(last, excluded.last)`
const ADD_RECOVERY = `INSERT INTO recoveries (id, account_id, webhook_n, status, after_sequence, created_at, finished_at, record)
  SELECT ?, account_id, n, ?, ?, ?, ?, ? FROM webhooks WHERE id = ? AND account_id = ?`

/**
 * Moves webhooks and what is sent to them, with its numbers. Who had leased a delivery is not there
 * any more, so leases are left out.
 */
export function createWebhookMovers(
  db: Database
): Pick<Movers, 'webhook' | 'delivery' | 'deliveryCounter' | 'recovery'> {
  const webhookOf = ({ record }: RecordRow) => JSON.parse(record) as WebhookRecord
  const recoveryOf = ({ record }: RecordRow) => JSON.parse(record) as RecoveryRecord
  const counterOf = (row: Counter) => ({ ...row })
  const deliveryOf = ({ n, ...delivery }: DeliveryRow & { n: number }): MovedDelivery => ({
    ...delivery,
    leasedUntil: null,
    attemptLog: db.all<RecordRow>(ATTEMPTS, n, n).map(({ record }) => JSON.parse(record) as DeliveryAttempt)
  })
  const deliveries = (where: string, ...values: (string | number)[]) =>
    db.all<DeliveryRow & { n: number }>(`${DELIVERY} AND ${where}`, ...values).map(deliveryOf)

  function addDelivery(delivery: MovedDelivery): boolean {
    const {
      id,
      accountId,
      webhookId,
      eventId,
      event,
      eventAt,
      sequence,
      status,
      attempts,
      round,
      nextAttemptAt,
      lastStatus,
      lastError,
      createdAt,
      deliveredAt
    } = delivery
    const row = db.one<{ n: number }>(
      ADD_DELIVERY,
      id,
      event,
      eventAt,
      sequence,
      status,
      attempts,
      round,
      nextAttemptAt,
      lastStatus,
      lastError,
      createdAt,
      deliveredAt,
      eventId,
      webhookId,
      accountId
    )
    for (const attempt of row === undefined ? [] : delivery.attemptLog) {
      db.run(ADD_ATTEMPT, row!.n, attempt.number, JSON.stringify(attempt))
    }
    return row !== undefined
  }

  return {
    webhook: {
      position: ({ id }) => [id],
      page: (after, limit) =>
        rowsAfter<RecordRow>(db, { select: WEBHOOK, columns: ['id'] }, { after, limit }).map(webhookOf),
      near: ({ id }) => db.all<RecordRow>(`${WEBHOOK} AND id = ?`, id).map(webhookOf),
      insert: (webhook) =>
        db.run(
          ADD_WEBHOOK,
          webhook.id,
          webhook.accountId,
          webhook.version,
          Number(webhook.disabledBy !== null),
          webhook.health.pausedUntil,
          webhook.createdAt,
          JSON.stringify(webhook)
        ) === 1
    },
    delivery: {
      position: ({ id }) => [id],
      page: (after, limit) =>
        rowsAfter<DeliveryRow & { n: number }>(db, { select: DELIVERY, columns: ['d.id'] }, { after, limit }).map(
          deliveryOf
        ),
      near: ({ id, accountId, webhookId, eventId, sequence }) => [
        ...deliveries('d.id = ?', id),
        ...deliveries(`d.id <> ? AND (${SAME_EVENT})`, id, webhookId, accountId, eventId),
        ...deliveries(`d.id <> ? AND (${SAME_SEQUENCE})`, id, webhookId, sequence)
      ],
      insert: addDelivery
    },
    deliveryCounter: {
      position: ({ webhookId }) => [webhookId],
      page: (after, limit) =>
        rowsAfter<Counter>(db, { select: COUNTER, columns: ['w.id'] }, { after, limit }).map(counterOf),
      near: ({ webhookId, last }) =>
        db.all<Counter>(`${COUNTER} AND w.id = ? AND c.last >= ?`, webhookId, last).map(counterOf),
      insert: ({ accountId, webhookId, last }) => db.run(RAISE, last, webhookId, accountId) === 1
    },
    recovery: {
      position: ({ id }) => [id],
      page: (after, limit) =>
        rowsAfter<RecordRow>(
          db,
          { select: 'SELECT record FROM recoveries WHERE 1', columns: ['id'] },
          { after, limit }
        ).map(recoveryOf),
      near: ({ id }) => db.all<RecordRow>('SELECT record FROM recoveries WHERE id = ?', id).map(recoveryOf),
      insert: (recovery) => {
        const { id, accountId, webhookId, status, afterSequence, createdAt, finishedAt } = recovery
        return (
          db.run(
            ADD_RECOVERY,
            id,
            status,
            afterSequence,
            createdAt,
            finishedAt,
            JSON.stringify(recovery),
            webhookId,
            accountId
          ) === 1
        )
      }
    }
  }
}
