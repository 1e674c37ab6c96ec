import type { AnyBulkWriteOperation } from 'mongodb'
import type { NewEvent, ProjectRef } from '../../port.ts'
import type { Database } from '../database.ts'
import { batchIds, readResolved, waitForBatches } from '../products/batches.ts'
import { NOT_HIDDEN, NOT_IN_BATCH, productCollection, type ProductDocument } from '../products/documents.ts'
import { eventCollection, eventKey, insertProductEvent, type ProductMark } from './add.ts'

type EventId = Pick<NewEvent, 'id' | 'accountId'>

/** Events that `resolveProductMarks` reads at a time. */
const BATCH_SIZE = 100
/** Event ids per product: more than can be applied to it at the same time. */
const MAX_EVENT_IDS = 4
/** Longer than a batch can stay undecided. */
const MAX_BATCH_WAIT_MS = 60_000

/**
 * Adds an event about these products and marks them as published: see `EventStore.addProductEvent`.
 *
 * The event is stored with the marks to apply, in one document, so that a crash loses none;
 * `resolveProductMarks` applies them then. If several processes publish the same product in the
 * same version, a unique index lets one of them succeed. If a product changes between the check and
 * the event, the event describes the earlier state and `markPublished` leaves the product pending.
 * A change may therefore be published twice, but is never lost.
 */
export async function addProductEvent(database: Database, event: NewEvent, marks: ProductMark[]): Promise<boolean> {
  const existing = await eventCollection(database).findOne(
    { _id: eventKey(event.accountId, event.id) },
    { projection: { _id: 1 } }
  )
  if (existing !== null || !(await areAllPending(database, event.accountId, marks))) return false
  if (!(await insertProductEvent(database, event, marks))) return false
  await applyMarks(database, event, marks)
  return true
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
    for (const event of pending) await applyMarks(database, event, event.productMarks ?? [])
    if (pending.length < BATCH_SIZE) return
  }
}

async function applyMarks(database: Database, event: EventId, marks: ProductMark[]): Promise<void> {
  await markPublished(database, event, marks)
  await eventCollection(database).updateOne(
    { _id: eventKey(event.accountId, event.id) },
    { $unset: { productMarks: '', marksPendingSince: '' } }
  )
}

/** True when all these products of the account have an event pending and are of these versions. */
export async function areAllPending(database: Database, accountId: string, marks: ProductMark[]): Promise<boolean> {
  const ids = marks.map(({ id }) => id)
  const found = await readResolved(database, () =>
    productCollection(database)
      .find({ _id: { $in: ids }, accountId }, { projection: { version: 1, eventPendingSince: 1, 'pending.batch': 1 } })
      .toArray()
  )
  const byId = new Map(found.map((document) => [document._id, document]))
  return marks.every(
    ({ id, ifVersion }) => byId.get(id)?.version === ifVersion && byId.get(id)?.eventPendingSince !== undefined
  )
}

/**
 * Marks these products of the account as published by this event and increments their versions. A
 * product that changed since stays pending: its outputs are compared with the published ones and
 * published again. Deleted products are skipped. Repeated and concurrent calls have no effect.
 */
export async function markPublished(
  database: Database,
  { id: eventId, accountId }: EventId,
  marks: ProductMark[]
): Promise<void> {
  const toUpdate = (
    { id, digest }: ProductMark,
    version: number,
    pendingSince: string | null
  ): AnyBulkWriteOperation<ProductDocument> => ({
    updateOne: {
      filter: { _id: id, accountId, version, ...NOT_IN_BATCH },
      update: {
        $set: { publishedDigest: digest, ...(pendingSince === null ? {} : { eventPendingSince: pendingSince }) },
        $inc: { version: 1 },
        $push: { publishedEventIds: { $each: [eventId], $slice: -MAX_EVENT_IDS } },
        ...(pendingSince === null ? { $unset: { eventPendingSince: '' as const } } : {})
      }
    }
  })
  const byId = new Map(marks.map((mark) => [mark.id, mark]))
  let writes = marks.map((mark) => toUpdate(mark, mark.ifVersion, null))
  while (writes.length > 0) {
    const { matchedCount } = await productCollection(database).bulkWrite(writes, { ordered: false })
    if (matchedCount === byId.size) return
    const unmarked = await productCollection(database)
      .find(
        { _id: { $in: [...byId.keys()] }, accountId, ...NOT_HIDDEN, publishedEventIds: { $ne: eventId } },
        { projection: { version: 1, eventPendingSince: 1, 'pending.batch': 1 } }
      )
      .toArray()
    const open = batchIds(unmarked)
    if (open.length > 0) await waitForBatches(database, open, MAX_BATCH_WAIT_MS)
    const now = new Date().toISOString()
    writes = unmarked.map(({ _id, version, eventPendingSince }) => {
      const mark = byId.get(_id) as ProductMark
      return toUpdate(mark, version, version === mark.ifVersion ? null : (eventPendingSince ?? now))
    })
  }
}
