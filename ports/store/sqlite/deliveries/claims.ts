import { createYielder } from '../../../../lib/async.ts'
import type { ClaimedDelivery, DeliveryRecord, DeliveryStore, DeliveryUpdate } from '../../port.ts'
import type { Database } from '../database.ts'
import { BODY_COLUMNS, type BodyRow } from './queries.ts'

/**
 * Up to this many due deliveries are sorted by sequence. With more, they are read in that order,
 * which passes those that wait for a later attempt.
 */
const MAX_SORTED = 1000
const MAX_ATTEMPT_RECORDS = 50
/** Attempts that are recorded in one step, in characters of their records. Takes about 4 ms. */
const MAX_STEP_LENGTH = 1_000_000

const WEBHOOK = `
  SELECT n, account_id AS accountId, (
    SELECT count(*) FROM delivery_leases l WHERE l.webhook_n = w.n AND l.until > ?
  ) AS leased
  FROM webhooks w WHERE w.id = ?`
const DUE = "d.webhook_n = ? AND d.status = 'pending' AND d.next_attempt_at <= ?"
const HAS_MANY = `
  SELECT d.n FROM deliveries d INDEXED BY deliveries_due WHERE ${DUE} LIMIT 1 OFFSET ${MAX_SORTED}`
const UNCLAIMED = 'NOT EXISTS (SELECT 1 FROM delivery_leases l WHERE l.n = d.n AND l.until > ?)'

/** The other fields of a claimed delivery are the same for all that are claimed together. */
const COLUMNS = `
  d.n, d.id, e.id AS eventId, d.event, d.event_at AS eventAt, d.sequence, d.attempts, d.round,
  d.next_attempt_at AS nextAttemptAt, d.last_status AS lastStatus, d.last_error AS lastError,
  d.created_at AS createdAt, d.delivered_at AS deliveredAt`
/** SQLite knows the size of a text without reading it. */
const selectNext = (index: string) => `
  SELECT chosen.n, octet_length(b.head) + octet_length(b.tail) AS bytes
  FROM (
    SELECT d.n, d.event_n, d.sequence FROM deliveries d INDEXED BY ${index}
    WHERE ${DUE} AND ${UNCLAIMED} ORDER BY d.sequence LIMIT ?
  ) chosen
  CROSS JOIN event_bodies b ON b.n = chosen.event_n
  ORDER BY chosen.sequence`
const READ_CHOSEN = `
  SELECT ${COLUMNS}, ${BODY_COLUMNS}
  FROM (SELECT value AS n FROM json_each(?)) chosen
  CROSS JOIN deliveries d ON d.n = chosen.n
  JOIN events e ON e.n = d.event_n
  JOIN event_bodies b ON b.n = d.event_n`
const NEXT_OF_FEW = selectNext('deliveries_due')
const NEXT_OF_MANY = selectNext('deliveries_by_status')

const CLAIM = `
  INSERT OR REPLACE INTO delivery_leases (n, webhook_n, until) SELECT value, ?, ? FROM json_each(?)`
const RELEASE = `
  DELETE FROM delivery_leases WHERE n IN (
    SELECT n FROM deliveries
    WHERE id IN (SELECT value FROM json_each(?)) AND webhook_n = (SELECT n FROM webhooks WHERE id = ?)
  )`
const RELEASE_ROWS = 'DELETE FROM delivery_leases WHERE n IN (SELECT value FROM json_each(?))'

const FIND = 'SELECT n FROM deliveries WHERE id = ? AND webhook_n = ?'
const ADD_ATTEMPT = 'INSERT OR IGNORE INTO delivery_attempts (n, record) VALUES ((? << 20) + ?, ?)'
const DELETE_OLD_ATTEMPTS = `
  DELETE FROM delivery_attempts WHERE n > ? << 20 AND n <= (
    SELECT n FROM delivery_attempts
    WHERE n < (? + 1) << 20 ORDER BY n DESC LIMIT 1 OFFSET ${MAX_ATTEMPT_RECORDS}
  )`
const UPDATE = `
  UPDATE deliveries
  SET status = ?, attempts = ?, round = ?, next_attempt_at = ?, last_status = ?, last_error = ?, delivered_at = ?
  WHERE n = ?`

const OF_ACCOUNT = `
  id IN (SELECT value FROM json_each(?)) AND webhook_n IN (SELECT n FROM webhooks WHERE account_id = ?)`
const DELETE_ENDED_LEASES = `
  DELETE FROM delivery_leases WHERE until <= ? AND n IN (SELECT n FROM deliveries WHERE ${OF_ACCOUNT})`
const REQUEUE = `
  UPDATE deliveries SET status = 'pending', round = 0, next_attempt_at = ?, delivered_at = NULL
  WHERE ${OF_ACCOUNT} AND NOT EXISTS (SELECT 1 FROM delivery_leases l WHERE l.n = deliveries.n)`

type ClaimedRow = BodyRow & { n: number } & Omit<DeliveryRecord, 'accountId' | 'webhookId' | 'status' | 'leasedUntil'>

/** Runs for every attempt. Copying field by field is three times as fast as spreading objects. */
function toClaimed(
  row: ClaimedRow,
  { accountId, webhookId, leasedUntil }: Pick<DeliveryRecord, 'accountId' | 'webhookId' | 'leasedUntil'>
): ClaimedDelivery {
  const delivery: DeliveryRecord = {
    id: row.id,
    accountId,
    webhookId,
    eventId: row.eventId,
    event: row.event,
    eventAt: row.eventAt,
    sequence: row.sequence,
    status: 'pending',
    attempts: row.attempts,
    round: row.round,
    nextAttemptAt: row.nextAttemptAt,
    leasedUntil,
    lastStatus: row.lastStatus,
    lastError: row.lastError,
    createdAt: row.createdAt,
    deliveredAt: row.deliveredAt
  }
  return { delivery, head: row.head, tail: row.tail, projectId: row.projectId }
}

/** Implements `DeliveryStore.requeue`. May be called inside a transaction. */
export function requeueDeliveries(db: Database, accountId: string, { ids, at }: { ids: string[]; at: string }): number {
  const list = JSON.stringify(ids)
  // An ended lease has no effect, so it is harmless when only this statement is executed.
  db.run(DELETE_ENDED_LEASES, at, list, accountId)
  return db.run(REQUEUE, at, list, accountId)
}

export function createDeliveryClaims(db: Database): Pick<DeliveryStore, 'claim' | 'recordAttempts' | 'release'> {
  function findNext(
    webhookN: number,
    { now, limit, maxBytes }: { now: string; limit: number; maxBytes: number }
  ): ClaimedRow[] {
    const sql = db.one(HAS_MANY, webhookN, now) === undefined ? NEXT_OF_FEW : NEXT_OF_MANY
    let bytes = 0
    const chosen = db
      .all<{ n: number; bytes: number }>(sql, webhookN, now, now, limit)
      .filter((row, index) => (bytes += row.bytes) <= maxBytes || index === 0)
    // In practice the join keeps the order of the list, but SQL does not guarantee this.
    return db
      .all<ClaimedRow>(READ_CHOSEN, JSON.stringify(chosen.map(({ n }) => n)))
      .sort((a, b) => a.sequence - b.sequence)
  }

  /**
   * Returns the delivery's row number, or null when nothing changed: the delivery was deleted, is
   * of another webhook, or has this attempt.
   */
  function recordAttempt(update: DeliveryUpdate, webhookN: number | null, record: string): number | null {
    const { id, attempt, status, attempts, round, nextAttemptAt, lastStatus, lastError, deliveredAt } = update
    const n = db.one<{ n: number }>(FIND, id, webhookN)?.n
    if (n === undefined) return null
    const isNew = db.run(ADD_ATTEMPT, n, attempt.number, record) === 1
    if (attempt.number > MAX_ATTEMPT_RECORDS) db.run(DELETE_OLD_ATTEMPTS, n, n)
    // A process whose claim had ended made the same attempt. The result that was recorded first is
    // kept, unless the second attempt delivered the event.
    if (!isNew && status !== 'delivered') return null
    db.run(UPDATE, status, attempts, round, nextAttemptAt, lastStatus, lastError, deliveredAt, n)
    return n
  }

  /** Records attempts from `start`, up to MAX_STEP_LENGTH of them. Returns where the next step starts. */
  function recordStep(updates: DeliveryUpdate[], start: number): number {
    const webhookNs = new Map<string, number | null>()
    const changed: number[] = []
    let length = 0
    let next = start
    for (; next < updates.length && length < MAX_STEP_LENGTH; next++) {
      const update = updates[next]!
      const { webhookId, attempt } = update
      if (!webhookNs.has(webhookId)) {
        webhookNs.set(webhookId, db.one<{ n: number }>('SELECT n FROM webhooks WHERE id = ?', webhookId)?.n ?? null)
      }
      const record = JSON.stringify(attempt)
      length += record.length
      const n = recordAttempt(update, webhookNs.get(webhookId)!, record)
      if (n !== null) changed.push(n)
    }
    db.run(RELEASE_ROWS, JSON.stringify(changed))
    return next
  }

  return {
    claim: async (webhookId, { now, leaseUntil, limit, maxInFlight, maxBytes = Infinity, isFirst = false }) =>
      db.relaxedTransaction(() => {
        const webhook = db.one<{ n: number; accountId: string; leased: number }>(WEBHOOK, now, webhookId)
        if (webhook === undefined || (isFirst && webhook.leased > 0)) return []
        const max = Math.min(limit, maxInFlight - webhook.leased)
        const rows = max <= 0 ? [] : findNext(webhook.n, { now, limit: max, maxBytes })
        if (rows.length > 0) db.run(CLAIM, webhook.n, leaseUntil, JSON.stringify(rows.map(({ n }) => n)))
        return rows.map((row) => toClaimed(row, { accountId: webhook.accountId, webhookId, leasedUntil: leaseUntil }))
      }),
    // In steps, because attempts may have 110 KB each. Waiting for the disk would block the event loop for each one.
    recordAttempts: async (updates) => {
      const pause = createYielder()
      for (let start = 0; start < updates.length; await pause()) {
        start = db.relaxedTransaction(() => recordStep(updates, start))
      }
    },
    release: async (webhookId, ids) => {
      db.run(RELEASE, JSON.stringify(ids), webhookId)
    }
  }
}
