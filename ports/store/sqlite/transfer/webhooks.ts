import type { DeliveryRecord, EventRecord, RecoveryRecord, TransferRecord, WebhookRecord } from '../../port.ts'
import type { Database } from '../database.ts'
import { DELIVERY_COLUMNS, DELIVERY_TABLES, findAttempts } from '../deliveries/queries.ts'
import { EVENT_COLUMNS, EVENT_TABLES, toEvent, type EventRow } from '../events.ts'
import { HAS_WEBHOOK, insertRecovery } from '../recoveries.ts'
import type { RecordRow } from '../sql.ts'
import { insertWebhook } from '../webhooks.ts'
import { findAfter, type KindTransfers } from './kind.ts'

type WebhookKinds = 'event' | 'eventCounter' | 'webhook' | 'delivery' | 'deliveryCounter' | 'recovery'
type EventCounter = TransferRecord<'eventCounter'>
type Delivery = TransferRecord<'delivery'>
type DeliveryCounter = TransferRecord<'deliveryCounter'>
type DeliveryRow = DeliveryRecord & { n: number }

const SELECT_EVENT = `SELECT ${EVENT_COLUMNS} FROM ${EVENT_TABLES} WHERE`
const INSERT_EVENT = `
  INSERT INTO events (account_id, id, project_id, type, timestamp, sequence, fanned_out)
  VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING n`
const SELECT_EVENT_COUNTER = 'SELECT account_id AS accountId, last FROM event_counters WHERE'
const RAISE_EVENT_COUNTER = `
  INSERT INTO event_counters (account_id, last) VALUES (?, ?)
  ON CONFLICT DO UPDATE SET last = max(last, excluded.last)`

/** Deleted webhooks whose deliveries are not deleted yet have no id. They are not transferred. */
const SELECT_WEBHOOK = 'SELECT record FROM webhooks WHERE id IS NOT NULL'
const SELECT_DELIVERY = `SELECT d.n, ${DELIVERY_COLUMNS} FROM ${DELIVERY_TABLES} WHERE w.id IS NOT NULL`
const SAME_EVENT = `
  d.webhook_n = (SELECT n FROM webhooks WHERE id = ?)
  AND d.event_n = (SELECT n FROM events WHERE account_id = ? AND id = ?)`
const SAME_SEQUENCE = 'd.webhook_n = (SELECT n FROM webhooks WHERE id = ?) AND d.sequence = ?'
const INSERT_DELIVERY = `
  INSERT INTO deliveries (
    id, webhook_n, event_n, event, event_at, sequence, status, attempts, round,
    next_attempt_at, last_status, last_error, created_at, delivered_at
  )
  SELECT ?, w.n, e.n, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
  FROM webhooks w JOIN events e ON e.account_id = w.account_id AND e.id = ?
  WHERE w.id = ? AND w.account_id = ? RETURNING n`
const INSERT_ATTEMPT = 'INSERT INTO delivery_attempts (n, record) VALUES ((? << 20) + ?, ?)'
const SELECT_DELIVERY_COUNTER = `
  SELECT w.account_id AS accountId, w.id AS webhookId, c.last
  FROM delivery_counters c JOIN webhooks w ON w.n = c.webhook_n WHERE w.id IS NOT NULL`
const RAISE_DELIVERY_COUNTER = `
  INSERT INTO delivery_counters (webhook_n, last) SELECT n, ? FROM webhooks WHERE id = ? AND account_id = ?
  ON CONFLICT DO UPDATE SET last = max(last, excluded.last)`
const SELECT_RECOVERY = `SELECT record FROM recoveries WHERE ${HAS_WEBHOOK} AND`

/**
 * Events, webhooks and deliveries, with their sequences. A counter exists in the target only when
 * it is at least as high, so that a lower one is raised. Claims of deliveries are left out.
 */
export function createWebhookTransfers(db: Database): Pick<KindTransfers, WebhookKinds> {
  const toWebhook = ({ record }: RecordRow) => JSON.parse(record) as WebhookRecord
  const toRecovery = ({ record }: RecordRow) => JSON.parse(record) as RecoveryRecord
  const toDelivery = ({ n, ...delivery }: DeliveryRow): Delivery => ({
    ...delivery,
    leasedUntil: null,
    attemptLog: findAttempts(db, n)
  })
  const findDeliveries = (condition: string, ...values: (string | number)[]) =>
    db.all<DeliveryRow>(`${SELECT_DELIVERY} AND ${condition}`, ...values).map(toDelivery)

  function insertEvent(event: EventRecord): boolean {
    const { n } = db.one<{ n: number }>(
      INSERT_EVENT,
      event.accountId,
      event.id,
      event.projectId,
      event.type,
      event.timestamp,
      event.sequence,
      Number(event.fannedOut)
    ) as { n: number }
    return db.run('INSERT INTO event_bodies (n, head, tail) VALUES (?, ?, ?)', n, event.head, event.tail) === 1
  }

  function insertDelivery(delivery: Delivery): boolean {
    const row = db.one<{ n: number }>(
      INSERT_DELIVERY,
      delivery.id,
      delivery.event,
      delivery.eventAt,
      delivery.sequence,
      delivery.status,
      delivery.attempts,
      delivery.round,
      delivery.nextAttemptAt,
      delivery.lastStatus,
      delivery.lastError,
      delivery.createdAt,
      delivery.deliveredAt,
      delivery.eventId,
      delivery.webhookId,
      delivery.accountId
    )
    if (row === undefined) return false
    for (const attempt of delivery.attemptLog) {
      db.run(INSERT_ATTEMPT, row.n, attempt.number, JSON.stringify(attempt))
    }
    return true
  }

  return {
    event: {
      position: ({ accountId, sequence }) => [accountId, sequence],
      page: (after, limit) => {
        const select = { select: `${SELECT_EVENT} 1`, columns: ['e.account_id', 'e.sequence'] }
        return findAfter<EventRow>(db, select, { after, limit }).map(toEvent)
      },
      findExisting: ({ accountId, id, sequence }) =>
        db
          .all<EventRow>(`${SELECT_EVENT} e.account_id = ? AND (e.id = ? OR e.sequence = ?)`, accountId, id, sequence)
          .map(toEvent),
      insert: insertEvent
    },
    eventCounter: {
      position: ({ accountId }) => [accountId],
      page: (after, limit) => {
        const select = { select: `${SELECT_EVENT_COUNTER} 1`, columns: ['account_id'] }
        return findAfter<EventCounter>(db, select, { after, limit }).map((row) => ({ ...row }))
      },
      findExisting: ({ accountId, last }) =>
        db
          .all<EventCounter>(`${SELECT_EVENT_COUNTER} account_id = ? AND last >= ?`, accountId, last)
          .map((row) => ({ ...row })),
      insert: ({ accountId, last }) => db.run(RAISE_EVENT_COUNTER, accountId, last) === 1
    },
    webhook: {
      position: ({ id }) => [id],
      page: (after, limit) =>
        findAfter<RecordRow>(db, { select: SELECT_WEBHOOK, columns: ['id'] }, { after, limit }).map(toWebhook),
      findExisting: ({ id }) => db.all<RecordRow>(`${SELECT_WEBHOOK} AND id = ?`, id).map(toWebhook),
      insert: (webhook) => insertWebhook(db, webhook)
    },
    delivery: {
      position: ({ id }) => [id],
      page: (after, limit) =>
        findAfter<DeliveryRow>(db, { select: SELECT_DELIVERY, columns: ['d.id'] }, { after, limit }).map(toDelivery),
      findExisting: ({ id, accountId, webhookId, eventId, sequence }) => [
        ...findDeliveries('d.id = ?', id),
        ...findDeliveries(`d.id <> ? AND (${SAME_EVENT})`, id, webhookId, accountId, eventId),
        ...findDeliveries(`d.id <> ? AND (${SAME_SEQUENCE})`, id, webhookId, sequence)
      ],
      insert: insertDelivery
    },
    deliveryCounter: {
      position: ({ webhookId }) => [webhookId],
      page: (after, limit) => {
        const select = { select: SELECT_DELIVERY_COUNTER, columns: ['w.id'] }
        return findAfter<DeliveryCounter>(db, select, { after, limit }).map((row) => ({ ...row }))
      },
      findExisting: ({ webhookId, last }) =>
        db
          .all<DeliveryCounter>(`${SELECT_DELIVERY_COUNTER} AND w.id = ? AND c.last >= ?`, webhookId, last)
          .map((row) => ({ ...row })),
      insert: ({ accountId, webhookId, last }) => db.run(RAISE_DELIVERY_COUNTER, last, webhookId, accountId) === 1
    },
    recovery: {
      position: ({ id }) => [id],
      page: (after, limit) =>
        findAfter<RecordRow>(db, { select: `${SELECT_RECOVERY} 1`, columns: ['id'] }, { after, limit }).map(toRecovery),
      findExisting: ({ id }) => db.all<RecordRow>(`${SELECT_RECOVERY} id = ?`, id).map(toRecovery),
      insert: (recovery) => insertRecovery(db, recovery)
    }
  }
}
