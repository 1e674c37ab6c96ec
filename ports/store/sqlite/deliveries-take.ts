import type { DeliveryStore, TakenDelivery } from '../port.ts'
import type { Database } from './database.ts'
import { BYTES_COLUMNS, DELIVERY_COLUMNS, WHOLE_DELIVERIES, type BytesRow, type DeliveryRow } from './delivery-rows.ts'

const WEBHOOK = 'SELECT n, (SELECT count(*) FROM deliveries d WHERE d.webhook_n = w.n AND d.leased_until > ?) AS leased FROM webhooks w WHERE w.id = ?'
const DUE = 'd.webhook_n = ? AND d.due_at <= ?'
/** Up to so many that are due are sorted by sequence. When there are more, they are read in that order, past the ones that wait for a later attempt. */
const SORTED_AT_MOST = 1000
const MANY = `SELECT d.n FROM deliveries d INDEXED BY deliveries_due WHERE ${DUE} LIMIT 1 OFFSET ${SORTED_AT_MOST}`
const NEXT_OF_FEW = `SELECT d.n FROM deliveries d INDEXED BY deliveries_due WHERE ${DUE} ORDER BY d.sequence LIMIT ?`
const NEXT_OF_MANY = `SELECT d.n FROM deliveries d INDEXED BY deliveries_by_status WHERE ${DUE} AND d.status = 'pending' ORDER BY d.sequence LIMIT ?`
const LEASE = 'UPDATE deliveries SET leased_until = ? WHERE n = ?'
const TAKEN = `SELECT ${DELIVERY_COLUMNS}, ${BYTES_COLUMNS} FROM ${WHOLE_DELIVERIES} WHERE d.n = ?`

/** Hands out deliveries that are to be tried, and takes back those that were not. */
export function createDeliveryTaking (db: Database): Pick<DeliveryStore, 'take' | 'release'> {
  /** The numbers of those that are next. */
  const next = (webhookN: number, now: string, most: number) => {
    const sql = db.one(MANY, webhookN, now) === undefined ? NEXT_OF_FEW : NEXT_OF_MANY
    return db.all<{ n: number }>(sql, webhookN, now, most).map(({ n }) => n)
  }
  const lease = (n: number, leaseUntil: string): TakenDelivery => {
    db.run(LEASE, leaseUntil, n)
    const { head, tail, projectId, ...delivery } = db.one<DeliveryRow & BytesRow>(TAKEN, n) as DeliveryRow & BytesRow
    return { delivery, head, tail, projectId }
  }

  return {
    take: async (webhookId, { now, leaseUntil, limit, inFlight }) => db.atomically(() => {
      const webhook = db.one<{ n: number, leased: number }>(WEBHOOK, now, webhookId)
      if (webhook === undefined) return []
      const most = Math.min(limit, inFlight - webhook.leased)
      return most <= 0 ? [] : next(webhook.n, now, most).map((n) => lease(n, leaseUntil))
    }),
    release: async (webhookId, ids) => {
      db.run('UPDATE deliveries SET leased_until = NULL WHERE id IN (SELECT value FROM json_each(?)) AND webhook_n = (SELECT n FROM webhooks WHERE id = ?)', JSON.stringify(ids), webhookId)
    }
  }
}
