import { mapInSlices } from '../../../../lib/async.ts'
import type { DeliveryAttempt } from '../../../../schemas/webhook.ts'
import type { DeliveryFilter, DeliveryRecord, DeliveryStore } from '../../port.ts'
import type { Database } from '../database.ts'
import { and, type Condition, distinctValues, parseRecord, type RecordRow, toSweepPage } from '../sql.ts'
import { forEachStep, readPage, readRows, type OrderedRows, type Step } from '../steps.ts'

/** `d` is the delivery, `w` its webhook, `e` its event, and `l` its lease, if there is one. */
export const DELIVERY_TABLES = `
  deliveries d
  JOIN webhooks w ON w.n = d.webhook_n
  JOIN events e ON e.n = d.event_n
  LEFT JOIN delivery_leases l ON l.n = d.n`
/** The fields of a DeliveryRecord. */
export const DELIVERY_COLUMNS = `
  d.id, w.account_id AS accountId, w.id AS webhookId, e.id AS eventId, d.event, d.event_at AS eventAt,
  d.sequence, d.status, d.attempts, d.round, d.next_attempt_at AS nextAttemptAt, l.until AS leasedUntil,
  d.last_status AS lastStatus, d.last_error AS lastError, d.created_at AS createdAt, d.delivered_at AS deliveredAt`

/** The parts of the event's body; `b` is its row in `event_bodies`. */
export interface BodyRow {
  head: string
  tail: string
  projectId: string
}
export const BODY_COLUMNS = 'b.head, b.tail, e.project_id AS projectId'

/** Index entries that one step reads. */
const ENTRIES_PER_STEP = 10_000

const FIND = `
  SELECT d.n, ${DELIVERY_COLUMNS}, ${BODY_COLUMNS}
  FROM ${DELIVERY_TABLES} JOIN event_bodies b ON b.n = d.event_n WHERE d.id = ? AND w.account_id = ?`
const FIND_BY_N = `SELECT ${DELIVERY_COLUMNS} FROM ${DELIVERY_TABLES} WHERE d.n = ?`
const ATTEMPTS = 'SELECT n FROM delivery_attempts WHERE n > ? << 20 AND n < (? + 1) << 20 ORDER BY n'
const ATTEMPT = 'SELECT record FROM delivery_attempts WHERE n = ?'
const FILTERS = { event: 'd.event = ?', since: 'd.event_at >= ?' } as const
const BETWEEN = `
  SELECT d.n FROM deliveries d INDEXED BY deliveries_in_order
  WHERE d.webhook_n = ? AND d.sequence > ? AND d.sequence <= ? AND d.event_at >= ? AND d.event_at < ?
  ORDER BY d.sequence LIMIT ?`
const NEXT_SEQUENCE = `
  SELECT d.sequence FROM deliveries d WHERE d.webhook_n = ? AND d.sequence > ?
  ORDER BY d.sequence LIMIT 1 OFFSET ${ENTRIES_PER_STEP - 1}`

/** Skips claimed deliveries one by one, but a webhook has at most a few hundred of them. */
const PENDING_WEBHOOKS = `
  WITH RECURSIVE ${distinctValues('deliveries', 'webhook_n', "status = 'pending'")}
  SELECT value AS n, w.account_id AS accountId, w.id AS webhookId, CASE
    WHEN w.disabled = 0 AND ifnull(w.paused_until, '') <= ? THEN (
      SELECT d.next_attempt_at FROM deliveries d
      WHERE d.webhook_n = w.n AND d.status = 'pending'
        AND NOT EXISTS (SELECT 1 FROM delivery_leases l WHERE l.n = d.n AND l.until > ?)
      ORDER BY d.next_attempt_at LIMIT 1
    )
  END AS dueAt
  FROM pending JOIN webhooks w ON w.n = value`
const NEXT_UNCLAIMED = `
  SELECT d.next_attempt_at AS dueAt FROM deliveries d
  WHERE d.webhook_n = (SELECT n FROM webhooks WHERE id = ?) AND d.status = 'pending'
    AND NOT EXISTS (SELECT 1 FROM delivery_leases l WHERE l.n = d.n)
  ORDER BY d.next_attempt_at LIMIT 1`
const NEXT_CLAIMED = `
  SELECT min(max(l.until, d.next_attempt_at)) AS dueAt
  FROM delivery_leases l JOIN deliveries d ON d.n = l.n
  WHERE l.webhook_n = (SELECT n FROM webhooks WHERE id = ?) AND d.status = 'pending'`

/** The row number of the webhook, and the conditions for its deliveries. */
function toConditions(db: Database, { accountId, webhookId, status, ...others }: DeliveryFilter) {
  const webhook = db.one<{ n: number }>('SELECT n FROM webhooks WHERE id = ? AND account_id = ?', webhookId, accountId)
  const conditions: Condition[] = []
  for (const [name, sql] of Object.entries(FILTERS) as [keyof typeof FILTERS, string][]) {
    const value = others[name]
    if (value !== undefined) conditions.push({ sql, values: [value] })
  }
  return { webhookN: webhook?.n ?? null, status, conditions }
}

/** The row numbers of the attempts of a delivery, oldest first. */
const findAttemptRows = (db: Database, n: number) => db.all<{ n: number }>(ATTEMPTS, n, n)

/** An attempt has up to 110 KB of JSON: headers and the beginning of a response, with escaped characters. */
const readAttempt = (db: Database, n: number) => parseRecord<DeliveryAttempt>(db.one<RecordRow>(ATTEMPT, n)) ?? []

/** The attempts of the delivery with this row number, oldest first. */
export const findAttempts = (db: Database, n: number): DeliveryAttempt[] =>
  findAttemptRows(db, n).flatMap((row) => readAttempt(db, row.n))

type Methods = 'find' | 'list' | 'between' | 'dueWebhooks' | 'nextDueAt'

export function createDeliveryQueries(db: Database): Pick<DeliveryStore, Methods> {
  const findByN = ({ n }: { n: number }) => ({ ...(db.one<DeliveryRecord>(FIND_BY_N, n) as DeliveryRecord) })

  /** Reads only row numbers, from an index alone: it contains the columns of all filters. */
  function newestFirst(filter: DeliveryFilter): OrderedRows<number> {
    const { webhookN, status, conditions } = toConditions(db, filter)
    const [index, columns] =
      status === undefined
        ? ['deliveries_in_order', { sql: 'd.webhook_n = ?', values: [webhookN] }]
        : ['deliveries_by_status', { sql: 'd.webhook_n = ? AND d.status = ?', values: [webhookN, status] }]
    const from = `FROM deliveries d INDEXED BY ${index}`
    const inStep = ({ after, upTo }: Step<number>) =>
      and([
        columns,
        { sql: 'd.sequence < ? AND d.sequence >= ?', values: [after ?? Number.MAX_SAFE_INTEGER, upTo ?? 0] },
        ...conditions
      ])
    return {
      endOfStep: (after) =>
        db.one<{ sequence: number }>(
          `SELECT d.sequence ${from} WHERE ${columns.sql} AND d.sequence < ?
           ORDER BY d.sequence DESC LIMIT 1 OFFSET ${ENTRIES_PER_STEP - 1}`,
          ...columns.values,
          after ?? Number.MAX_SAFE_INTEGER
        )?.sequence ?? null,
      ...readRows(db, { n: 'd.n', from, order: 'd.sequence DESC', inStep })
    }
  }

  return {
    find: async (accountId, id) => {
      const row = db.one<{ n: number } & DeliveryRecord & BodyRow>(FIND, id, accountId)
      if (row === undefined) return null
      const { n, head, tail, projectId, ...delivery } = row
      const attempts = await mapInSlices(findAttemptRows(db, n), (attempt) => readAttempt(db, attempt.n))
      return { delivery, attemptLog: attempts.flat(), head, tail }
    },
    list: async (filter, { page, pageSize }) => {
      const slice = { skip: (page - 1) * pageSize, limit: pageSize }
      const { ns, totalCount } = await readPage(newestFirst(filter), slice)
      return { deliveries: ns.map((n) => findByN({ n })), totalCount }
    },
    between: async (webhookId, { since, until, afterSequence, limit }) => {
      const webhook = db.one<{ n: number }>('SELECT n FROM webhooks WHERE id = ?', webhookId)
      if (webhook === undefined) return []
      const rows: { n: number }[] = []
      await forEachStep<number>(
        (after) => db.one<{ sequence: number }>(NEXT_SEQUENCE, webhook.n, after ?? afterSequence)?.sequence ?? null,
        ({ after, upTo }) => {
          const span = [after ?? afterSequence, upTo ?? Number.MAX_SAFE_INTEGER, since, until]
          for (const row of db.all<{ n: number }>(BETWEEN, webhook.n, ...span, limit - rows.length)) rows.push(row)
          return rows.length < limit
        }
      )
      return rows.map(findByN)
    },
    dueWebhooks: async (now, { after, limit }) => {
      const rows = db.all<{ n: number; accountId: string; webhookId: string; dueAt: string | null }>(
        PENDING_WEBHOOKS,
        Number(after ?? 0),
        limit,
        now,
        now
      )
      const { items, next } = toSweepPage(rows, limit, { keyOf: ({ n }) => String(n), toItem: (row) => row })
      const due = items.filter(({ dueAt }) => dueAt !== null && dueAt <= now)
      return { items: due.map(({ accountId, webhookId }) => ({ accountId, webhookId })), next }
    },
    nextDueAt: async (webhookId) => {
      const next = [NEXT_UNCLAIMED, NEXT_CLAIMED].map(
        (sql) => db.one<{ dueAt: string | null }>(sql, webhookId)?.dueAt ?? null
      )
      return next.filter((dueAt) => dueAt !== null).toSorted()[0] ?? null
    }
  }
}
