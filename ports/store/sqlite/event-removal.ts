import type { EventStore, EventTrim } from '../port.ts'
import type { Database } from './database.ts'
import { removeDeliveries } from './deliveries/removal.ts'
import { removeRows, type SizedRow } from './removal.ts'
import { forEachStep } from './steps.ts'

/** Events whose deliveries are deleted together. */
const DELETED_PER_STEP = 50
const OF_EVENTS = 'event_n IN (SELECT value FROM json_each(?))'
/* An event without a body, which only a damaged file has, must not be found again and again. */
const SIZES = `
  SELECT e.n, ifnull(octet_length(b.head) + octet_length(b.tail), 0) AS bytes
  FROM json_each(?) JOIN events e ON e.n = value LEFT JOIN event_bodies b ON b.n = e.n LIMIT ?`
const DELETE_EVENTS = 'DELETE FROM events WHERE n IN (SELECT value FROM json_each(?))'

/** Events that one step adds up. */
const ROWS_PER_STEP = 1000
const END_OF_STEP = `
  SELECT sequence FROM events WHERE account_id = ? AND sequence < ?
  ORDER BY sequence DESC LIMIT 1 OFFSET ${ROWS_PER_STEP - 1}`
const NEWEST = `
  SELECT e.sequence, octet_length(b.head) + octet_length(b.tail) AS bytes
  FROM events e CROSS JOIN event_bodies b ON b.n = e.n
  WHERE e.account_id = ? AND e.sequence < ? AND e.sequence >= ? ORDER BY e.sequence DESC`
const OLDEST = `
  SELECT n FROM events WHERE account_id = ? AND sequence <= ? AND fanned_out = 1 ORDER BY sequence LIMIT ?`

/** Removes events and their deliveries, in transactions that do not wait for the disk. */
export async function removeEvents(db: Database, ns: number[]): Promise<void> {
  for (let start = 0; start < ns.length; start += DELETED_PER_STEP) {
    const list = JSON.stringify(ns.slice(start, start + DELETED_PER_STEP))
    await removeDeliveries(db, { sql: OF_EVENTS, values: [list] })
    const left = (count: number) => db.all<SizedRow>(SIZES, list, count)
    await removeRows(db, left, (some) => db.run(DELETE_EVENTS, JSON.stringify(some)))
  }
}

/** See `EventStore.trim`. */
export async function trimEvents(
  db: Database,
  accountId: string,
  { maxBytes, upTo, limit }: EventTrim
): ReturnType<EventStore['trim']> {
  const { fitting, before } = await findFitting(db, accountId, maxBytes)
  const ns = db.all<{ n: number }>(OLDEST, accountId, Math.min(upTo, before - 1), limit).map(({ n }) => n)
  await removeEvents(db, ns)
  return { deleted: ns.length, fitting }
}

/** How many of the newest events have at most `maxBytes` together, and the sequence of the oldest of them. */
async function findFitting(
  db: Database,
  accountId: string,
  maxBytes: number
): Promise<{ fitting: number; before: number }> {
  let [fitting, bytes, before] = [0, 0, Number.MAX_SAFE_INTEGER]
  let isFull = false
  await forEachStep<number>(
    (after) => db.one<{ sequence: number }>(END_OF_STEP, accountId, after ?? before)?.sequence ?? null,
    ({ upTo }) => {
      for (const row of db.all<{ sequence: number; bytes: number }>(NEWEST, accountId, before, upTo ?? 0)) {
        bytes += row.bytes
        isFull = bytes > maxBytes
        if (isFull) break
        before = row.sequence
        fitting++
      }
      return !isFull
    }
  )
  return { fitting, before: isFull ? before : 0 }
}
