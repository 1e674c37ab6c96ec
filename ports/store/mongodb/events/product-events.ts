import type { AnyBulkWriteOperation } from 'mongodb'
import type { NewEvent, ProjectRef } from '../../port.ts'
import type { Database } from '../database.ts'
import { BY_ID } from '../documents.ts'
import { batchIds, readResolved, waitForBatches } from '../products/batches.ts'
import { NOT_HIDDEN, NOT_IN_BATCH, productCollection, type ProductDocument } from '../products/documents.ts'
import { REPLY_SIZE } from '../slices.ts'
import { eventCollection, eventKey, insertProductEvents, type ProductEvent, type ProductMark } from './add.ts'

type EventId = Pick<NewEvent, 'id' | 'accountId'>

/** Events that `resolveProductMarks` reads at a time. */
const BATCH_SIZE = 100
/** Event ids per product: more than can be applied to it at the same time. */
const MAX_EVENT_IDS = 4
/** Longer than a batch can stay undecided. */
const MAX_BATCH_WAIT_MS = 60_000

/**
 * Adds events about products and marks the products as published: see `EventStore.addProductEvents`.
 * However many events there are, one command checks the products, one stores the events, and two
 * mark the products.
 *
 * An event is stored with the marks to apply, in one document, so that a crash loses none;
 * `resolveProductMarks` applies them then. If several processes publish the same product in the
 * same version, a unique index lets one of them succeed. If a product changes between the check and
 * the event, the event describes the earlier state and `markPublished` leaves the product pending.
 * A change may therefore be published twice, but is never lost.
 */
export async function addProductEvents(
  database: Database,
  accountId: string,
  added: ProductEvent[]
): Promise<ProductEvent[]> {
  const inserted = await insertProductEvents(database, accountId, await findUnchanged(database, accountId, added))
  if (inserted.length > 0) {
    await applyMarks(
      database,
      inserted.map(({ event, marks }) => ({ event, marks }))
    )
  }
  return inserted
}

/** Applies the marks that a crash left pending, of this project or (null) of all projects. */
export async function resolveProductMarks(database: Database, place: ProjectRef | null): Promise<void> {
  const ofProject = place === null ? {} : { accountId: place.accountId, projectId: place.projectId }
  for (;;) {
    const pending = await eventCollection(database)
      .find(
        { marksPendingSince: { $gt: '' }, ...ofProject },
        {
          projection: { id: 1, accountId: 1, productMarks: 1 },
          sort: { marksPendingSince: 1 },
          limit: BATCH_SIZE,
          hint: 'marks_pending'
        }
      )
      .toArray()
    if (pending.length > 0) {
      await applyMarks(
        database,
        pending.map((event) => ({ event, marks: event.productMarks ?? [] }))
      )
    }
    if (pending.length < BATCH_SIZE) return
  }
}

interface MarkedEvent {
  event: EventId
  marks: ProductMark[]
}

/** Marks the products of all these events at once, and one event after the other where one changed. */
async function applyMarks(database: Database, events: MarkedEvent[]): Promise<void> {
  const writes = events.flatMap(({ event, marks }) => marks.map((mark) => toUpdate(event, mark)))
  const matched =
    writes.length === 0 ? 0 : (await productCollection(database).bulkWrite(writes, { ordered: false })).matchedCount
  if (matched < writes.length) for (const { event, marks } of events) await markPublished(database, event, marks)
  await eventCollection(database).updateMany(
    { _id: { $in: events.map(({ event }) => eventKey(event.accountId, event.id)) } },
    { $unset: { productMarks: '', marksPendingSince: '' } }
  )
}

/** The events whose products all have an event pending and are of the versions in the marks. */
export async function findUnchanged<Added extends { marks: ProductMark[] }>(
  database: Database,
  accountId: string,
  events: Added[]
): Promise<Added[]> {
  const ids = events.flatMap(({ marks }) => marks.map(({ id }) => id))
  if (ids.length === 0) return events
  const found = await readResolved(database, () =>
    productCollection(database)
      .find(
        { _id: { $in: ids }, accountId },
        {
          projection: { version: 1, eventPendingSince: 1, 'pending.batch': 1 },
          batchSize: REPLY_SIZE,
          ...BY_ID
        }
      )
      .toArray()
  )
  const byId = new Map(found.map((document) => [document._id, document]))
  return events.filter(({ marks }) =>
    marks.every(
      ({ id, ifVersion }) => byId.get(id)?.version === ifVersion && byId.get(id)?.eventPendingSince !== undefined
    )
  )
}

/** Marks a product of the version of the mark, or of `version`. With `pendingSince`, it stays pending. */
function toUpdate(
  { id: eventId, accountId }: EventId,
  { id, ifVersion, digest }: ProductMark,
  { version, pendingSince }: { version: number; pendingSince: string | null } = {
    version: ifVersion,
    pendingSince: null
  }
): AnyBulkWriteOperation<ProductDocument> {
  return {
    updateOne: {
      filter: { _id: id, accountId, version, ...NOT_IN_BATCH },
      update: {
        $set: { publishedDigest: digest, ...(pendingSince === null ? {} : { eventPendingSince: pendingSince }) },
        $inc: { version: 1 },
        $push: { publishedEventIds: { $each: [eventId], $slice: -MAX_EVENT_IDS } },
        ...(pendingSince === null ? { $unset: { eventPendingSince: '' as const } } : {})
      }
    }
  }
}

/**
 * Marks these products of the account as published by this event and increments their versions. A
 * product that changed since stays pending: its outputs are compared with the published ones and
 * published again. Deleted products are skipped. Repeated and concurrent calls have no effect.
 */
export async function markPublished(database: Database, event: EventId, marks: ProductMark[]): Promise<void> {
  const { id: eventId, accountId } = event
  const byId = new Map(marks.map((mark) => [mark.id, mark]))
  let writes = marks.map((mark) => toUpdate(event, mark))
  while (writes.length > 0) {
    const { matchedCount } = await productCollection(database).bulkWrite(writes, { ordered: false })
    if (matchedCount === byId.size) return
    const unmarked = await productCollection(database)
      .find(
        { _id: { $in: [...byId.keys()] }, accountId, ...NOT_HIDDEN, publishedEventIds: { $ne: eventId } },
        { projection: { version: 1, eventPendingSince: 1, 'pending.batch': 1 }, ...BY_ID }
      )
      .toArray()
    const open = batchIds(unmarked)
    if (open.length > 0) await waitForBatches(database, open, MAX_BATCH_WAIT_MS)
    const now = new Date().toISOString()
    writes = unmarked.map(({ _id, version, eventPendingSince }) => {
      const mark = byId.get(_id) as ProductMark
      const pendingSince = version === mark.ifVersion ? null : (eventPendingSince ?? now)
      return toUpdate(event, mark, { version, pendingSince })
    })
  }
}
