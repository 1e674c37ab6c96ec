import type { DeliveryRecord, DeliveryStore, ClaimedDelivery } from '../port.ts'
import type { Database } from './database.ts'
import { BYTES_COLUMNS, type BytesRow } from './delivery-rows.ts'

const WEBHOOK =
  'SELECT n, account_id AS accountId, (SELECT count(*) FROM delivery_leases l WHERE l.webhook_n = w.n AND l.until > ?) AS leased FROM webhooks w WHERE w.id = ?'
const DUE = "d.webhook_n = ? AND d.status = 'pending' AND d.next_attempt_at <= ?"
/**
 * Up to so many that are due are sorted by sequence. When there are more, they are read in that
 * order, past the ones that wait for a later attempt.
 */
const SORTED_AT_MOST = 1000
const MANY = `SELECT d.n FROM deliveries d INDEXED BY deliveries_due WHERE ${DUE} LIMIT 1 OFFSET ${SORTED_AT_MOST}`
const FREE = 'NOT EXISTS (SELECT 1 FROM delivery_leases l WHERE l.n = d.n AND l.until > ?)'
const next = (index: string) =>
  `SELECT d.n FROM deliveries d INDEXED BY ${index} WHERE ${DUE} AND ${FREE} ORDER BY d.sequence LIMIT ?`
/** The columns of a delivery that is taken; the others are the same for all that are. */
const COLUMNS = `d.n, d.id, e.id AS eventId, d.event, d.event_at AS eventAt, d.sequence, d.attempts, d.round,
  d.next_attempt_at AS nextAttemptAt, d.last_status AS lastStatus, d.last_error AS lastError, d.created_at AS createdAt, d.delivered_at AS deliveredAt`
const taken = (index: string) => `SELECT ${COLUMNS}, ${BYTES_COLUMNS}
  FROM (${next(index)}) chosen CROSS JOIN deliveries d ON d.n = chosen.n JOIN events e ON e.n = d.event_n JOIN event_bodies b ON b.n = d.event_n`
const NEXT_OF_FEW = taken('deliveries_due')
const NEXT_OF_MANY = taken('deliveries_by_status')
const LEASE = 'INSERT OR REPLACE INTO delivery_leases (n, webhook_n, until) SELECT value, ?, ? FROM json_each(?)'
const RELEASE =
  'DELETE FROM delivery_leases WHERE n IN (SELECT n FROM deliveries WHERE id IN (SELECT value FROM json_each(?)) AND webhook_n = (SELECT n FROM webhooks WHERE id = ?))'

type TakenRow = BytesRow & { n: number } & Omit<DeliveryRecord, 'accountId' | 'webhookId' | 'status' | 'leasedUntil'>

/**
 * Field by field, because this is done for every attempt: copying objects whole takes three times
 * as long.
 */
function takenOf(
  row: TakenRow,
  { accountId, webhookId, leasedUntil }: Pick<DeliveryRecord, 'accountId' | 'webhookId' | 'leasedUntil'>
): ClaimedDelivery {
  const {
    id,
    eventId,
    event,
    eventAt,
    sequence,
    attempts,
    round,
    nextAttemptAt,
    lastStatus,
    lastError,
    createdAt,
    deliveredAt,
    head,
    tail,
    projectId
  } = row
  const delivery: DeliveryRecord = {
    id,
    accountId,
    webhookId,
    eventId,
    event,
    eventAt,
    sequence,
    status: 'pending',
    attempts,
    round,
    nextAttemptAt,
    leasedUntil,
    lastStatus,
    lastError,
    createdAt,
    deliveredAt
  }
  return { delivery, head, tail, projectId }
}

/** Hands out deliveries that are to be tried, and takes back those that were not. */
export function createDeliveryTaking(db: Database): Pick<DeliveryStore, 'claim' | 'release'> {
  const chosen = (webhookN: number, now: string, most: number) => {
    const sql = db.one(MANY, webhookN, now) === undefined ? NEXT_OF_FEW : NEXT_OF_MANY
    // The join keeps the order, but does not promise it.
    return db.all<TakenRow>(sql, webhookN, now, now, most).sort((a, b) => a.sequence - b.sequence)
  }

  return {
    claim: async (webhookId, { now, leaseUntil, limit, maxInFlight }) =>
      db.atomicallySoon(() => {
        const webhook = db.one<{ n: number; accountId: string; leased: number }>(WEBHOOK, now, webhookId)
        if (webhook === undefined) return []
        const most = Math.min(limit, maxInFlight - webhook.leased)
        const rows = most <= 0 ? [] : chosen(webhook.n, now, most)
        if (rows.length > 0) db.run(LEASE, webhook.n, leaseUntil, JSON.stringify(rows.map(({ n }) => n)))
        return rows.map((row) => takenOf(row, { accountId: webhook.accountId, webhookId, leasedUntil: leaseUntil }))
      }),
    release: async (webhookId, ids) => {
      db.run(RELEASE, JSON.stringify(ids), webhookId)
    }
  }
}
