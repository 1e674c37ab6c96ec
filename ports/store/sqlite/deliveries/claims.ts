import type { ClaimedDelivery, DeliveryRecord, DeliveryStore } from '../../port.ts'
import type { Database } from '../database.ts'
import { BODY_COLUMNS } from './queries.ts'

/**
 * Up to this many due deliveries are sorted by sequence. With more, they are read in that order,
 * which passes those that wait for a later attempt.
 */
const MAX_SORTED = 1000

const WEBHOOK = `
  SELECT n, account_id AS accountId, (
    SELECT count(*) FROM delivery_leases l WHERE l.webhook_n = w.n AND l.until > ?
  ) AS leased
  FROM webhooks w WHERE w.id = ?`
const DUE = "d.webhook_n = ? AND d.status = 'pending' AND d.next_attempt_at <= ?"
const HAS_MANY = `
  SELECT d.n FROM deliveries d INDEXED BY deliveries_due WHERE ${DUE} LIMIT 1 OFFSET ${MAX_SORTED}`
const UNCLAIMED = 'NOT EXISTS (SELECT 1 FROM delivery_leases l WHERE l.n = d.n AND l.until > ?)'

/** The other fields of a claimed delivery are the same for all that are claimed together. See `toClaimed`. */
const COLUMNS = `
  d.n, d.id, e.id AS eventId, d.event, d.event_at AS eventAt, d.sequence, d.attempts, d.round,
  d.next_attempt_at AS nextAttemptAt, d.last_status AS lastStatus, d.last_error AS lastError,
  d.created_at AS createdAt, d.delivered_at AS deliveredAt`
/** Rows are read one by one, so that no body is read after the one that exceeds the limit. */
const selectNext = (index: string) => `
  SELECT octet_length(b.head) + octet_length(b.tail), ${COLUMNS}, ${BODY_COLUMNS}
  FROM (
    SELECT d.n, d.sequence FROM deliveries d INDEXED BY ${index}
    WHERE ${DUE} AND ${UNCLAIMED} ORDER BY d.sequence LIMIT ?
  ) chosen
  CROSS JOIN deliveries d ON d.n = chosen.n
  CROSS JOIN events e ON e.n = d.event_n
  CROSS JOIN event_bodies b ON b.n = d.event_n
  ORDER BY chosen.sequence`
const NEXT_OF_FEW = selectNext('deliveries_due')
const NEXT_OF_MANY = selectNext('deliveries_by_status')

/** Run as a change that must be durable, so that nothing is sent of an event that is not on the disk yet. */
const CLAIM = `
  INSERT OR REPLACE INTO delivery_leases (n, webhook_n, until) SELECT value, ?, ? FROM json_each(?)`
const RELEASE = `
  DELETE FROM delivery_leases WHERE n IN (
    SELECT n FROM deliveries
    WHERE id IN (SELECT value FROM json_each(?)) AND webhook_n = (SELECT n FROM webhooks WHERE id = ?)
  )`
const OF_ACCOUNT = `
  id IN (SELECT value FROM json_each(?)) AND webhook_n IN (SELECT n FROM webhooks WHERE account_id = ?)`
const DELETE_ENDED_LEASES = `
  DELETE FROM delivery_leases WHERE until <= ? AND n IN (SELECT n FROM deliveries WHERE ${OF_ACCOUNT})`
const REQUEUE = `
  UPDATE deliveries SET status = 'pending', round = 0, next_attempt_at = ?, delivered_at = NULL
  WHERE ${OF_ACCOUNT} AND NOT EXISTS (SELECT 1 FROM delivery_leases l WHERE l.n = deliveries.n)`

/** The columns of `selectNext`. */
type ClaimedColumns = [
  bytes: number,
  n: number,
  id: string,
  eventId: string,
  event: DeliveryRecord['event'],
  eventAt: string,
  sequence: number,
  attempts: number,
  round: number,
  nextAttemptAt: string | null,
  lastStatus: number | null,
  lastError: DeliveryRecord['lastError'],
  createdAt: string,
  deliveredAt: string | null,
  head: string,
  tail: string,
  projectId: string
]

/** Runs for every attempt: objects for rows, and spreading them, would take several times as long. */
function toClaimed(
  row: ClaimedColumns,
  { accountId, webhookId, leasedUntil }: Pick<DeliveryRecord, 'accountId' | 'webhookId' | 'leasedUntil'>
): ClaimedDelivery {
  const delivery: DeliveryRecord = {
    id: row[2],
    accountId,
    webhookId,
    eventId: row[3],
    event: row[4],
    eventAt: row[5],
    sequence: row[6],
    status: 'pending',
    attempts: row[7],
    round: row[8],
    nextAttemptAt: row[9],
    leasedUntil,
    lastStatus: row[10],
    lastError: row[11],
    createdAt: row[12],
    deliveredAt: row[13]
  }
  return { delivery, head: row[14], tail: row[15], projectId: row[16], row: row[1] }
}

/** Implements `DeliveryStore.requeue`. May be called inside a transaction. */
export function requeueDeliveries(db: Database, accountId: string, { ids, at }: { ids: string[]; at: string }): number {
  const list = JSON.stringify(ids)
  // An ended lease has no effect, so it is harmless when only this statement is executed.
  db.run(DELETE_ENDED_LEASES, at, list, accountId)
  return db.run(REQUEUE, at, list, accountId)
}

export function createDeliveryClaims(db: Database): Pick<DeliveryStore, 'claim' | 'release'> {
  function findNext(
    webhookN: number,
    { now, limit, maxBytes }: { now: string; limit: number; maxBytes: number }
  ): ClaimedColumns[] {
    const sql = db.one(HAS_MANY, webhookN, now) === undefined ? NEXT_OF_FEW : NEXT_OF_MANY
    const rows: ClaimedColumns[] = []
    let bytes = 0
    db.takeColumns(sql, [webhookN, now, now, limit], (columns) => {
      const row = columns as ClaimedColumns
      bytes += row[0]
      if (bytes > maxBytes && rows.length > 0) return false
      rows.push(row)
      return true
    })
    return rows
  }

  return {
    // No transaction, because nothing is written to the file: claims are in memory.
    claim: async (webhookId, { now, leaseUntil, limit, maxInFlight, maxBytes = Infinity, isFirst = false }) => {
      const webhook = db.one<{ n: number; accountId: string; leased: number }>(WEBHOOK, now, webhookId)
      if (webhook === undefined || (isFirst && webhook.leased > 0)) return []
      const max = Math.min(limit, maxInFlight - webhook.leased)
      const rows = max <= 0 ? [] : findNext(webhook.n, { now, limit: max, maxBytes })
      if (rows.length > 0) db.run(CLAIM, webhook.n, leaseUntil, JSON.stringify(rows.map((row) => row[1])))
      return rows.map((row) => toClaimed(row, { accountId: webhook.accountId, webhookId, leasedUntil: leaseUntil }))
    },
    release: async (webhookId, ids) => {
      db.run(RELEASE, JSON.stringify(ids), webhookId)
    }
  }
}
