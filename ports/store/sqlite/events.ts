import type { EventStore } from '../port.ts'
import type { Database } from './database.ts'
import { EVENT_COLUMNS, eventOf, EVENTS, type EventRow } from './event-rows.ts'
import { addEvents, hasEvent } from './events-add.ts'
import { sweep } from './events-sweep.ts'
import { markTold } from './products-told.ts'
export { addEvents } from './events-add.ts'

/** The accounts one by one, each by one look into the index, however many events of it wait. */
const WAITING_ACCOUNTS = `
  WITH RECURSIVE waiting (account_id) AS (
    SELECT min(account_id) FROM events WHERE fanned_out = 0
    UNION ALL
    SELECT (SELECT min(e.account_id) FROM events e WHERE e.fanned_out = 0 AND e.account_id > waiting.account_id) FROM waiting WHERE waiting.account_id IS NOT NULL
  )
  SELECT account_id AS accountId FROM waiting WHERE account_id IS NOT NULL LIMIT ?`

/** Keeps what happened. */
export function createEvents(db: Database): EventStore {
  return {
    add: async (events) => db.atomically(() => addEvents(db, events)),
    addProductEvent: async (event, told) =>
      db.atomically(() => {
        if (hasEvent(db, event.accountId, event.id) || !markTold(db, event.accountId, told)) return false
        addEvents(db, [event])
        return true
      }),
    find: async (accountId, id) => {
      const row = db.one<EventRow>(
        `SELECT ${EVENT_COLUMNS} FROM ${EVENTS} WHERE e.account_id = ? AND e.id = ?`,
        accountId,
        id
      )
      return row === undefined ? null : eventOf(row)
    },
    list: async (accountId, { after, limit, types }) => {
      const ofTypes =
        types === undefined
          ? { sql: '', values: [] }
          : { sql: 'AND e.type IN (SELECT value FROM json_each(?))', values: [JSON.stringify(types)] }
      return db
        .all<EventRow>(
          `SELECT ${EVENT_COLUMNS} FROM ${EVENTS} WHERE e.account_id = ? AND e.sequence > ? ${ofTypes.sql} ORDER BY e.sequence LIMIT ?`,
          accountId,
          after,
          ...ofTypes.values,
          limit
        )
        .map(eventOf)
    },
    pendingFanOut: async (accountId, limit) =>
      db
        .all<EventRow>(
          `
      SELECT ${EVENT_COLUMNS} FROM ${EVENTS} WHERE e.account_id = ? AND e.fanned_out = 0 ORDER BY e.sequence LIMIT ?`,
          accountId,
          limit
        )
        .map(eventOf),
    pendingFanOutAccounts: async (limit) =>
      db.all<{ accountId: string }>(WAITING_ACCOUNTS, limit).map(({ accountId }) => accountId),
    markFannedOut: async (accountId, ids) => {
      db.run(
        'UPDATE events SET fanned_out = 1 WHERE account_id = ? AND id IN (SELECT value FROM json_each(?)) AND fanned_out = 0',
        accountId,
        JSON.stringify(ids)
      )
    },
    deleteBefore: async (before, limit) => sweep(db, before, limit)
  }
}
