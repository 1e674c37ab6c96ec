import type { EventRecord } from '../port.ts'
import type { Database } from './database.ts'
import { EVENT_COLUMNS, eventOf, EVENTS, type EventRow } from './event-rows.ts'
import { rowsAfter, type Movers } from './transfer-mover.ts'

const SELECT = `SELECT ${EVENT_COLUMNS} FROM ${EVENTS} WHERE`
const INSERT =
  'INSERT INTO events (account_id, id, project_id, type, timestamp, sequence, fanned_out) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING n'
const COUNTER = 'SELECT account_id AS accountId, last FROM event_counters WHERE'
const RAISE =
  'INSERT INTO event_counters (account_id, last) VALUES (?, ?) ON CONFLICT DO UPDATE SET last = max(last, excluded.last)'

interface Counter {
  accountId: string
  last: number
}

/**
 * Moves events with their numbers. A counter that stands lower than the one that is moved is not in
 * its place.
 */
export function createEventMovers(db: Database): Pick<Movers, 'event' | 'eventCounter'> {
  const insert = ({ id, accountId, projectId, type, timestamp, sequence, fannedOut, head, tail }: EventRecord) => {
    const { n } = db.one<{ n: number }>(
      INSERT,
      accountId,
      id,
      projectId,
      type,
      timestamp,
      sequence,
      Number(fannedOut)
    ) as { n: number }
    return db.run('INSERT INTO event_bodies (n, head, tail) VALUES (?, ?, ?)', n, head, tail) === 1
  }

  return {
    event: {
      position: ({ accountId, sequence }) => [accountId, sequence],
      page: (after, limit) =>
        rowsAfter<EventRow>(
          db,
          { select: `${SELECT} 1`, columns: ['e.account_id', 'e.sequence'] },
          { after, limit }
        ).map(eventOf),
      near: ({ accountId, id, sequence }) =>
        db
          .all<EventRow>(`${SELECT} e.account_id = ? AND (e.id = ? OR e.sequence = ?)`, accountId, id, sequence)
          .map(eventOf),
      insert
    },
    eventCounter: {
      position: ({ accountId }) => [accountId],
      page: (after, limit) =>
        rowsAfter<Counter>(db, { select: `${COUNTER} 1`, columns: ['account_id'] }, { after, limit }).map((row) => ({
          ...row
        })),
      near: ({ accountId, last }) =>
        db.all<Counter>(`${COUNTER} account_id = ? AND last >= ?`, accountId, last).map((row) => ({ ...row })),
      insert: ({ accountId, last }) => db.run(RAISE, accountId, last) === 1
    }
  }
}
