import type { Filter } from 'mongodb'
import type { NewEvent } from '../../port.ts'
import type { Database } from '../database.ts'
import { addEvents } from './add.ts'

/**
 * Events that are stored in the document whose change they describe (transactional outbox), because
 * a standalone server changes one document atomically. Afterwards the writer, or the next reader of
 * events, moves them to the events collection. Moving them twice is harmless: event ids are
 * deterministic.
 */
export interface PendingEvents {
  pendingEvents?: NewEvent[]
  /** Set while there are pending events, for the index `events_pending`. */
  eventsPendingSince?: string
}

/** A document of `event_batches` may hold events of several accounts. */
type SourceDocument = PendingEvents & { _id: string; accountId?: string | string[] }

/**
 * Collections whose documents may hold pending events. `event_batches` holds events that are added
 * without a change.
 */
export type EventSource = 'blogs' | 'imports' | 'visual_checks' | 'event_batches'
const SOURCES: readonly EventSource[] = ['blogs', 'imports', 'visual_checks', 'event_batches']

/** Documents per source that `recoverPendingEvents` reads at a time. */
const BATCH_SIZE = 500
/** The same condition as in the partial index. */
const HAS_PENDING = { eventsPendingSince: { $gt: '' } } as const

/** Fields to add to a new document. Empty when there are no events. */
export function pendingFields(events: NewEvent[] = []): PendingEvents {
  return events.length === 0 ? {} : { pendingEvents: events, eventsPendingSince: new Date().toISOString() }
}

/**
 * Update operators to merge into a change of a document. Empty when there are no events. Events
 * that are pending already stay.
 */
export function pendingUpdate(events: NewEvent[] = []): {
  $push?: { pendingEvents: { $each: NewEvent[] } }
  $set?: { eventsPendingSince: string }
} {
  return events.length === 0
    ? {}
    : { $push: { pendingEvents: { $each: events } }, $set: { eventsPendingSince: new Date().toISOString() } }
}

/** Moves the pending events of a document to the events collection. */
export async function movePendingEvents(database: Database, source: EventSource, id: string): Promise<void> {
  const collection = database.collection<SourceDocument>(source)
  const pending = await collection.findOne({ _id: id }, { projection: { pendingEvents: 1, eventsPendingSince: 1 } })
  if (pending?.eventsPendingSince === undefined) return
  const events = pending.pendingEvents ?? []
  if (events.length > 0) await addEvents(database, events)
  const eventIds = events.map((event) => event.id)
  await clearPendingEvents(database, { source, id }, eventIds)
}

/**
 * Moves pending events, of the account or (null) of all accounts: those of blogs, which their writers do not
 * move, and those that a crash left behind. The oldest 500 changes of each source are moved at once.
 */
export async function recoverPendingEvents(
  database: Database,
  accountId: string | null,
  sources: readonly EventSource[] = SOURCES
): Promise<void> {
  const filter: Filter<SourceDocument> = accountId === null ? HAS_PENDING : { ...HAS_PENDING, accountId }
  const found = await Promise.all(
    sources.map((source) =>
      database
        .collection<SourceDocument>(source)
        .find(filter, {
          projection: { pendingEvents: 1, eventsPendingSince: 1 },
          sort: { eventsPendingSince: 1 },
          limit: BATCH_SIZE,
          hint: accountId === null ? 'events_pending' : 'account_events_pending'
        })
        .toArray()
    )
  )
  for (const [index, source] of sources.entries()) {
    const documents = found[index] ?? []
    if (documents.length === 0) continue
    const events = documents.flatMap(({ pendingEvents = [] }) => pendingEvents)
    if (events.length > 0) await addEvents(database, events)
    await clearMovedEvents(database, source, documents)
  }
}

/** Removes the events of these documents from them. The documents may have got others meanwhile. */
async function clearMovedEvents(database: Database, source: EventSource, documents: SourceDocument[]): Promise<void> {
  const collection = database.collection<SourceDocument>(source)
  if (source === 'event_batches') {
    await collection.deleteMany({ _id: { $in: documents.map(({ _id }) => _id) } })
    return
  }
  const moved = documents.map(({ _id, pendingEvents = [] }) => ({ _id, ids: pendingEvents.map(({ id }) => id) }))
  const { matchedCount } = await collection.bulkWrite(
    moved.map(({ _id, ids }) => ({
      updateOne: {
        filter: { _id, pendingEvents: { $not: { $elemMatch: { id: { $nin: ids } } } } },
        update: { $unset: { pendingEvents: '' as const, eventsPendingSince: '' as const } }
      }
    })),
    { ordered: false }
  )
  if (matchedCount === moved.length) return
  await collection.bulkWrite(
    moved.map(({ _id, ids }) => ({
      updateOne: { filter: { _id }, update: { $pull: { pendingEvents: { id: { $in: ids } } } } as object }
    })),
    { ordered: false }
  )
}

/** Removes these events from the document, which may have got others meanwhile. */
async function clearPendingEvents(
  database: Database,
  { source, id }: { source: EventSource; id: string },
  eventIds: string[]
): Promise<void> {
  const collection = database.collection<SourceDocument>(source)
  if (source === 'event_batches') {
    await collection.deleteOne({ _id: id })
    return
  }
  const withoutOthers: Filter<SourceDocument> = {
    _id: id,
    pendingEvents: { $not: { $elemMatch: { id: { $nin: eventIds } } } }
  }
  const { matchedCount } = await collection.updateOne(withoutOthers, {
    $unset: { pendingEvents: '', eventsPendingSince: '' }
  })
  if (matchedCount === 0) {
    await collection.updateOne({ _id: id }, { $pull: { pendingEvents: { id: { $in: eventIds } } } } as object)
  }
}
