import type { EventType } from '../../../schemas/event.ts'
import type { EventRecord } from '../port.ts'

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

/** The tables of a whole event, for a FROM clause; `e` is the event. */
export const EVENTS = 'events e JOIN event_bodies USING (n)'
export const EVENT_COLUMNS =
  'e.id, e.account_id AS accountId, e.project_id AS projectId, e.type, e.timestamp, e.sequence, e.fanned_out AS fannedOut, head, tail'

export function eventOf(row: EventRow): EventRecord {
  return { ...row, fannedOut: row.fannedOut === 1 }
}
