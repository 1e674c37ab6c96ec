import type { NewEvent } from '../port.ts'
import type { Database } from './database.ts'

const NEXT_SEQUENCE =
  'INSERT INTO event_counters (account_id, last) VALUES (?, 1) ON CONFLICT DO UPDATE SET last = last + 1 RETURNING last'
const INSERT =
  'INSERT INTO events (account_id, id, project_id, type, timestamp, sequence) VALUES (?, ?, ?, ?, ?, ?) RETURNING n'

/** Whether the account has the event already. */
export function hasEvent(db: Database, accountId: string, id: string): boolean {
  return db.one('SELECT n FROM events WHERE account_id = ? AND id = ?', accountId, id) !== undefined
}

/**
 * Adds those whose id the account does not have yet, in this order, each with the account's next
 * sequence. To be called inside `db.atomically`.
 */
export function addEvents(db: Database, events: NewEvent[]): void {
  for (const { id, accountId, projectId, type, timestamp, head, tail } of events) {
    if (hasEvent(db, accountId, id)) continue
    const { last } = db.one<{ last: number }>(NEXT_SEQUENCE, accountId) as { last: number }
    const { n } = db.one<{ n: number }>(INSERT, accountId, id, projectId, type, timestamp, last) as { n: number }
    db.run('INSERT INTO event_bodies (n, head, tail) VALUES (?, ?, ?)', n, head, tail)
  }
}
