import type { EventRecord, NewEvent } from '../port.ts'
import { compoundId } from './records-changed.ts'

/** What becomes of a product by an event that tells it. */
export interface Mark {
  id: string
  ifVersion: number
  digest: string
}

/** An event as it is stored. */
export interface EventDocument extends EventRecord {
  _id: string
  /** Products that it tells and that are not marked yet, and since when they wait for that. */
  marks?: Mark[]
  marksAt?: string
  /** What it tells, `<product> <version>`: no two events of an account tell the same. */
  tells?: string[]
}

export const EVENTS = 'events'
/** So that a reader gets the record alone. */
export const RECORD_ONLY = { _id: 0, marks: 0, marksAt: 0, tells: 0 } as const

export const eventKey = (accountId: string, id: string): string => compoundId(accountId, id)

export function documentOf({
  id,
  accountId,
  projectId,
  type,
  timestamp,
  head,
  tail
}: NewEvent): Omit<EventDocument, 'sequence'> {
  return { _id: eventKey(accountId, id), id, accountId, projectId, type, timestamp, head, tail, fannedOut: false }
}
