import { createYielder } from '../../../../lib/async.ts'
import type { Database } from '../database.ts'
import { removeRows, ROWS_PER_STEP, takeWithinBytes, type SizedRow } from '../removal.ts'

const ATTEMPTS = `
  SELECT a.n, octet_length(a.record) AS bytes
  FROM json_each(?) CROSS JOIN delivery_attempts a ON a.n > value << 20 AND a.n < (value + 1) << 20 LIMIT ?`
const DELETE_ATTEMPTS = 'DELETE FROM delivery_attempts WHERE n IN (SELECT value FROM json_each(?))'
/** A trigger deletes attempts that are left. */
const DELETE = 'DELETE FROM deliveries WHERE n IN (SELECT value FROM json_each(?))'
/** Deliveries that are removed together. Each may have 50 attempts of 110 KB. */
const AT_ONCE = 50

/** Removes the deliveries of this condition, about `limit` at most. Returns their number: below it if none is left. */
export async function removeDeliveries(
  db: Database,
  { sql, values }: { sql: string; values: (string | number)[] },
  limit = Infinity
): Promise<number> {
  const pause = createYielder()
  for (let removed = 0; ; await pause()) {
    const deliveries = db.all<{ n: number }>(`SELECT n FROM deliveries WHERE ${sql} LIMIT ${AT_ONCE}`, ...values)
    const list = JSON.stringify(deliveries.map(({ n }) => n))
    const longAttempts = (count: number): SizedRow[] => {
      const rows = db.all<SizedRow>(ATTEMPTS, list, count)
      return rows.length < ROWS_PER_STEP && takeWithinBytes(rows).length === rows.length ? [] : rows
    }
    await removeRows(db, longAttempts, (ns) => db.run(DELETE_ATTEMPTS, JSON.stringify(ns)))
    db.relaxedTransaction(() => db.run(DELETE, list))
    removed += deliveries.length
    if (deliveries.length < AT_ONCE || removed >= limit) return removed
  }
}
