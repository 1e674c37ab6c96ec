import type { Filter } from 'mongodb'
import type { NewEvent } from '../port.ts'
import type { Database } from './database.ts'
import { addEvents } from './events-add.ts'

/**
 * A standalone server changes one document at a time. So events come into being inside the document
 * whose change they tell, in the field
 * `pendingEvents`, and are moved into their collection afterwards: by who wrote them, or after a
 * crash by whoever asks for events next.
 * Moving twice is harmless, because an event's id is made from what happened.
 */
export interface PendingEvents {
  pendingEvents?: NewEvent[]
  /** Set as long as there are some: what an index finds them by. */
  pendingAt?: string
}
type Source = PendingEvents & { _id: string /** Or several. */; accountId?: string | string[] }

/**
 * Collections whose documents may carry pending events. The last one has those that come by
 * themselves.
 */
export type EventSource = 'blogs' | 'imports' | 'visual_checks' | 'event_batches'
const SOURCES: readonly EventSource[] = ['blogs', 'imports', 'visual_checks', 'event_batches']
/** So many documents are settled by one question about all accounts. */
const PORTION = 500
/** In the words of the partial index. */
const IS_PENDING = { pendingAt: { $gt: '' } } as const

/** The fields that a new document carries for its events; none when there are none. */
export function pendingFields(events: NewEvent[] = []): PendingEvents {
  return events.length === 0 ? {} : { pendingEvents: events, pendingAt: new Date().toISOString() }
}

/**
 * The operators that let a change of a document carry its events, to be merged into those of the
 * change; none when there are none. Keeps those that still wait.
 */
export function pendingUpdate(events: NewEvent[] = []): {
  $push?: { pendingEvents: { $each: NewEvent[] } }
  $set?: { pendingAt: string }
} {
  return events.length === 0
    ? {}
    : { $push: { pendingEvents: { $each: events } }, $set: { pendingAt: new Date().toISOString() } }
}

/** Moves the pending events of this document to where events are read. */
export async function settleEvents(database: Database, source: EventSource, id: string): Promise<void> {
  const collection = database.collection<Source>(source)
  const found = await collection.findOne({ _id: id }, { projection: { pendingEvents: 1, pendingAt: 1 } })
  if (found?.pendingAt === undefined) return
  const events = found.pendingEvents ?? []
  if (events.length > 0) await addEvents(database, events)
  await forget(
    database,
    { source, id },
    events.map((event) => event.id)
  )
}

/** Moves what a crash has left of the account's pending events, or of all accounts'. */
export async function settleLeftEvents(database: Database, accountId: string | null): Promise<void> {
  const whose: Filter<Source> = accountId === null ? IS_PENDING : { ...IS_PENDING, accountId }
  const found = await Promise.all(
    SOURCES.map((source) =>
      database
        .collection<Source>(source)
        .find(whose, { projection: { _id: 1 }, sort: { pendingAt: 1 }, limit: PORTION, hint: 'pending' })
        .toArray()
    )
  )
  for (const [at, source] of SOURCES.entries()) {
    for (const { _id } of found[at] ?? []) await settleEvents(database, source, _id)
  }
}

/** Takes these out of the document, which may have got others meanwhile. */
async function forget(
  database: Database,
  { source, id }: { source: EventSource; id: string },
  eventIds: string[]
): Promise<void> {
  const collection = database.collection<Source>(source)
  const noOthers: Filter<Source> = { _id: id, pendingEvents: { $not: { $elemMatch: { id: { $nin: eventIds } } } } }
  if (source === 'event_batches') {
    await collection.deleteOne({ _id: id })
    return
  }
  const { matchedCount } = await collection.updateOne(noOthers, { $unset: { pendingEvents: '', pendingAt: '' } })
  if (matchedCount === 0) {
    await collection.updateOne({ _id: id }, { $pull: { pendingEvents: { id: { $in: eventIds } } } } as object)
  }
}
