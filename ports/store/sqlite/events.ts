import type { EventType } from '../../../schemas/event.ts'
import { createYielder, mapInSlices } from '../../../lib/async.ts'
import type { EventRecord, EventStore, NewEvent, PendingFanOut } from '../port.ts'
import type { Database } from './database.ts'
import { removeEvents, trimEvents } from './event-removal.ts'
import { markPublished } from './products/pending.ts'
import { distinctValues, toSweepPage } from './sql.ts'
import { forEachStep } from './steps.ts'
import { deleteRemainsOfWebhooks } from './webhooks.ts'

export interface EventRow {
  id: string
  accountId: string
  projectId: string
  type: EventType
  timestamp: string
  sequence: number
  fannedOut: number
  head: string
  tail: string
}

/** The tables of complete events, for a FROM clause. `e` is the event. */
export const EVENT_TABLES = 'events e JOIN event_bodies USING (n)'
export const EVENT_COLUMNS = `
  e.id, e.account_id AS accountId, e.project_id AS projectId, e.type, e.timestamp, e.sequence,
  e.fanned_out AS fannedOut, head, tail`

export function toEvent(row: EventRow): EventRecord {
  return { ...row, fannedOut: row.fannedOut === 1 }
}

const NEXT_SEQUENCE = `
  INSERT INTO event_counters (account_id, last) VALUES (?, 1)
  ON CONFLICT DO UPDATE SET last = last + 1 RETURNING last`
const INSERT = `
  INSERT INTO events (account_id, id, project_id, type, timestamp, sequence) VALUES (?, ?, ?, ?, ?, ?)
  RETURNING n`

const PENDING_ACCOUNTS = `
  WITH RECURSIVE ${distinctValues('events', 'account_id', 'fanned_out = 0')}
  SELECT value AS accountId FROM pending WHERE value IS NOT NULL`
const PENDING_FAN_OUT = `
  SELECT id, account_id AS accountId, project_id AS projectId, type, timestamp, sequence FROM events
  WHERE account_id = ? AND fanned_out = 0 ORDER BY sequence LIMIT ?`

const DELETE_RECOVERIES = `
  DELETE FROM recoveries WHERE id IN (
    SELECT id FROM recoveries WHERE status = 'done' AND finished_at < ? ORDER BY finished_at LIMIT ?
  )`
const DELETABLE = 'SELECT n FROM events WHERE fanned_out = 1 AND timestamp < ? ORDER BY timestamp LIMIT ?'

function hasEvent(db: Database, accountId: string, id: string): boolean {
  return db.one('SELECT n FROM events WHERE account_id = ? AND id = ?', accountId, id) !== undefined
}

/**
 * Adds events in this order, each with its account's next sequence. Skips ids that exist. Call
 * inside a transaction.
 */
export function addEvents(db: Database, events: NewEvent[]): void {
  for (const { id, accountId, projectId, type, timestamp, head, tail } of events) {
    if (hasEvent(db, accountId, id)) continue
    const { last } = db.one<{ last: number }>(NEXT_SEQUENCE, accountId) as { last: number }
    const { n } = db.one<{ n: number }>(INSERT, accountId, id, projectId, type, timestamp, last) as { n: number }
    db.run('INSERT INTO event_bodies (n, head, tail) VALUES (?, ?, ?)', n, head, tail)
  }
}

/** Events that one step reads when it looks for some types. */
const ROWS_PER_STEP = 4000

export function createEvents(db: Database): EventStore {
  /** Reads events one by one with pauses, because each may have hundreds of kilobytes. */
  async function readEach(ns: number[]): Promise<EventRecord[]> {
    const pause = createYielder()
    const events: EventRecord[] = []
    for (const n of ns) {
      const row = db.one<EventRow>(`SELECT ${EVENT_COLUMNS} FROM ${EVENT_TABLES} WHERE e.n = ?`, n)
      if (row !== undefined) events.push(toEvent(row))
      await pause()
    }
    return events
  }

  return {
    add: async (events) => db.transaction(() => addEvents(db, events)),
    addProductEvents: async (added) =>
      await mapInSlices(added, ({ event, products }) =>
        db.transaction(() => {
          if (hasEvent(db, event.accountId, event.id) || !markPublished(db, event.accountId, products)) return false
          addEvents(db, [event])
          return true
        })
      ),
    find: async (accountId, id) => {
      const row = db.one<EventRow>(
        `SELECT ${EVENT_COLUMNS} FROM ${EVENT_TABLES} WHERE e.account_id = ? AND e.id = ?`,
        accountId,
        id
      )
      return row === undefined ? null : toEvent(row)
    },
    list: async (accountId, { after, limit, types }) => {
      const typeFilter = types === undefined ? '' : 'AND type IN (SELECT value FROM json_each(?))'
      const ns: number[] = []
      await forEachStep<number>(
        (start) =>
          db.one<{ sequence: number }>(
            `SELECT sequence FROM events WHERE account_id = ? AND sequence > ?
             ORDER BY sequence LIMIT 1 OFFSET ${ROWS_PER_STEP - 1}`,
            accountId,
            start ?? after
          )?.sequence ?? null,
        (step) => {
          const rows = db.all<{ n: number }>(
            `SELECT n FROM events WHERE account_id = ? AND sequence > ? AND sequence <= ? ${typeFilter}
             ORDER BY sequence LIMIT ?`,
            accountId,
            step.after ?? after,
            step.upTo ?? Number.MAX_SAFE_INTEGER,
            ...(types === undefined ? [] : [JSON.stringify(types)]),
            limit - ns.length
          )
          for (const { n } of rows) ns.push(n)
          return ns.length < limit
        }
      )
      return await readEach(ns)
    },
    pendingFanOut: async (accountId, limit) =>
      db.all<PendingFanOut>(PENDING_FAN_OUT, accountId, limit).map((row) => ({ ...row })),
    pendingFanOutAccounts: async ({ after, limit }) => {
      const rows = db.all<{ accountId: string }>(PENDING_ACCOUNTS, after ?? '', limit)
      return toSweepPage(rows, limit, { keyOf: ({ accountId }) => accountId, toItem: ({ accountId }) => accountId })
    },
    markFannedOut: async (accountId, ids) => {
      db.run(
        `UPDATE events SET fanned_out = 1
         WHERE account_id = ? AND id IN (SELECT value FROM json_each(?)) AND fanned_out = 0`,
        accountId,
        JSON.stringify(ids)
      )
    },
    // Also deletes recoveries that ended before this time, and remains of deleted webhooks. In steps that do not wait
    // for the disk: what a crash of the machine restores is deleted again.
    deleteBefore: async (before, limit) => {
      await deleteRemainsOfWebhooks(db, limit)
      db.relaxedTransaction(() => db.run(DELETE_RECOVERIES, before, limit))
      const ns = db.all<{ n: number }>(DELETABLE, before, limit).map(({ n }) => n)
      await removeEvents(db, ns)
      return ns.length
    },
    trim: async (accountId, trim) => await trimEvents(db, accountId, trim)
  }
}
