import type { DeliveryAttempt } from '../../../schemas/webhook.ts'
import type { DeliveryFilter, DeliveryStore } from '../port.ts'
import { allOf, type Condition } from './conditions.ts'
import type { Database } from './database.ts'
import {
  BYTES_COLUMNS,
  DELIVERIES,
  DELIVERY_COLUMNS,
  deliveryOf,
  WHOLE_DELIVERIES,
  type BytesRow,
  type DeliveryRow
} from './delivery-rows.ts'
import type { RecordRow } from './records.ts'

const FIND = `SELECT d.n, ${DELIVERY_COLUMNS}, ${BYTES_COLUMNS} FROM ${WHOLE_DELIVERIES} WHERE d.id = ? AND w.account_id = ?`
const ATTEMPTS = 'SELECT record FROM delivery_attempts WHERE n > ? << 20 AND n < (? + 1) << 20 ORDER BY n'
const ONE = `SELECT ${DELIVERY_COLUMNS} FROM ${DELIVERIES} WHERE d.n = ?`
const CONDITIONS = { status: 'd.status = ?', event: 'd.event = ?', since: 'd.event_at >= ?' } as const
const BETWEEN = `SELECT d.n FROM deliveries d
  WHERE d.webhook_n = (SELECT n FROM webhooks WHERE id = ?) AND d.sequence > ? AND d.event_at >= ? AND d.event_at < ? ORDER BY d.sequence LIMIT ?`

function conditionOf(filter: DeliveryFilter): Condition {
  const conditions: Condition[] = [
    {
      sql: 'd.webhook_n = (SELECT n FROM webhooks WHERE id = ? AND account_id = ?)',
      values: [filter.webhookId, filter.accountId]
    }
  ]
  for (const [name, sql] of Object.entries(CONDITIONS) as [keyof typeof CONDITIONS, string][]) {
    const value = filter[name]
    if (value !== undefined) conditions.push({ sql, values: [value] })
  }
  return allOf(conditions)
}

/** Reads deliveries, one by its id or many of a webhook. */
export function createDeliveryReads(db: Database): Pick<DeliveryStore, 'find' | 'list' | 'between'> {
  const one = ({ n }: { n: number }) => deliveryOf(db.one<DeliveryRow>(ONE, n) as DeliveryRow)

  return {
    find: async (accountId, id) => {
      const row = db.one<{ n: number } & DeliveryRow & BytesRow>(FIND, id, accountId)
      if (row === undefined) return null
      const { n, head, tail, projectId, ...delivery } = row
      return {
        delivery,
        attemptLog: db.all<RecordRow>(ATTEMPTS, n, n).map(({ record }) => JSON.parse(record) as DeliveryAttempt),
        head,
        tail
      }
    },
    list: async (filter, { page, pageSize }) => {
      const { sql, values } = conditionOf(filter)
      const total = db.one<{ count: number }>(`SELECT count(*) AS count FROM deliveries d WHERE ${sql}`, ...values)
      // Only the numbers are read in order, from the index alone, so that what a deep page skips
      // costs little.
      const rows = db.all<{ n: number }>(
        `SELECT d.n FROM deliveries d WHERE ${sql} ORDER BY d.sequence DESC LIMIT ? OFFSET ?`,
        ...values,
        pageSize,
        (page - 1) * pageSize
      )
      return { deliveries: rows.map(one), totalCount: total?.count ?? 0 }
    },
    between: async (webhookId, { since, until, afterSequence, limit }) =>
      db.all<{ n: number }>(BETWEEN, webhookId, afterSequence, since, until, limit).map(one)
  }
}
