import type { AnyBulkWriteOperation } from 'mongodb'
import type { EventStore, EventTrim } from '../../port.ts'
import { commandSizesOf } from '../command-sizes.ts'
import type { Database } from '../database.ts'
import { deleteDeliveriesOf } from '../deliveries/add.ts'
import { REPLY_SIZE } from '../slices.ts'
import { eventCollection, eventCounterCollection, type EventCounter, type EventDocument } from './add.ts'
import { recoverPendingEvents } from './pending.ts'
import { resolveProductMarks } from './product-events.ts'

export type StoredEvent = Pick<EventDocument, '_id' | 'accountId' | 'id' | 'sequence'>

/** Sequences whose sizes one command adds up. */
const SEQUENCES_PER_COMMAND = 1_500

/** Deletes events with their deliveries, in commands of few documents. Returns how many. */
export async function deleteEvents(database: Database, deleted: StoredEvent[]): Promise<number> {
  if (deleted.length === 0) return 0
  // In this order a crash leaves events that are deleted again, but no delivery without its event and
  // no sequence that is assigned twice.
  await deleteDeliveriesOf(database, deleted)
  await eventCounterCollection(database).bulkWrite(toCounterUpdates(deleted), { ordered: false })
  let count = 0
  await commandSizesOf(database, 'events').inParts(deleted, async (part) => {
    const ids = part.map(({ _id }) => _id)
    count += (await eventCollection(database).deleteMany({ _id: { $in: ids } })).deletedCount
  })
  return count
}

/** Stores the greatest sequence of each account, from which `addEvents` continues. */
function toCounterUpdates(deleted: StoredEvent[]): AnyBulkWriteOperation<EventCounter>[] {
  return [...Map.groupBy(deleted, ({ accountId }) => accountId)].map(([accountId, events]) => ({
    updateOne: {
      filter: { _id: accountId },
      update: { $max: { lastSweptSequence: Math.max(...events.map(({ sequence }) => sequence)) } },
      upsert: true
    }
  }))
}

/**
 * See `EventStore.trim`. Events that a previous version has stored have no size and count as empty; they are the first
 * to be deleted. Reads ranges of sequences, without naming an index, because some servers read all events if one is
 * named.
 */
export async function trimEvents(
  database: Database,
  accountId: string,
  { maxBytes, upTo, limit }: EventTrim
): ReturnType<EventStore['trim']> {
  const ends = {
    first: await outermostSequence(database, accountId, { order: 1 }),
    last: await outermostSequence(database, accountId, { order: -1 })
  }
  const { fitting, full } = await findFitting(database, accountId, { ...ends, maxBytes })
  const last = Math.min(upTo, full)
  if (last < ends.first) return { deleted: 0, fitting }
  // What a crash left pending: events that may be deleted must not be added again, nor their products be published.
  await recoverPendingEvents(database, accountId)
  await resolveProductMarks(database, null)
  let deleted = 0
  for (let from = ends.first; from <= last && deleted < limit; ) {
    const count = Math.min(commandSizesOf(database, 'events').size(), limit - deleted)
    const to = Math.min(last, from + count - 1)
    const oldest = await eventCollection(database)
      .find<StoredEvent & { fannedOut: boolean }>(
        { accountId, sequence: { $gte: from, $lte: to } },
        { projection: { accountId: 1, id: 1, sequence: 1, fannedOut: 1 }, batchSize: REPLY_SIZE }
      )
      .toArray()
    deleted += await deleteEvents(
      database,
      oldest.filter(({ fannedOut }) => fannedOut)
    )
    from = oldest.length > 0 ? to + 1 : await outermostSequence(database, accountId, { order: 1, from: to + 1 })
  }
  return { deleted, fitting }
}

/** The first (`order` 1) or last sequence of the account, from `from` on. Without one: Infinity or 0. */
async function outermostSequence(
  database: Database,
  accountId: string,
  { order, from = 1 }: { order: 1 | -1; from?: number }
): Promise<number> {
  const found = await eventCollection(database).findOne(
    { accountId, sequence: { $gte: from } },
    { sort: { sequence: order }, projection: { _id: 0, sequence: 1 }, hint: 'by_sequence' }
  )
  return found?.sequence ?? (order === 1 ? Infinity : 0)
}

/**
 * How many of the newest events have at most `maxBytes` together, and the sequence of the event before them; 0 if
 * all events have. Adds up the sizes in their index, from the newest range of sequences to the oldest.
 */
async function findFitting(
  database: Database,
  accountId: string,
  { first, last, maxBytes }: { first: number; last: number; maxBytes: number }
): Promise<{ fitting: number; full: number }> {
  const events = eventCollection(database)
  let [fitting, bytes] = [0, 0]
  for (let end = last; end >= first; end -= SEQUENCES_PER_COMMAND) {
    const range = { accountId, sequence: { $gt: end - SEQUENCES_PER_COMMAND, $lte: end } }
    const [sum] = await events
      .aggregate<{ bytes: number; events: number }>([
        { $match: range },
        { $group: { _id: null, bytes: { $sum: '$bytes' }, events: { $sum: 1 } } }
      ])
      .toArray()
    if (sum === undefined) continue
    if (bytes + Number(sum.bytes) > maxBytes) {
      const newest = await events
        .find<Pick<EventDocument, 'sequence' | 'bytes'>>(range, {
          projection: { _id: 0, sequence: 1, bytes: 1 },
          sort: { sequence: -1 },
          batchSize: REPLY_SIZE
        })
        .toArray()
      const index = newest.findIndex((event) => (bytes += event.bytes ?? 0) > maxBytes)
      // Otherwise some were deleted meanwhile.
      if (index >= 0) return { fitting: fitting + index, full: newest[index]!.sequence }
      fitting += newest.length
    } else {
      bytes += Number(sum.bytes)
      fitting += sum.events
    }
  }
  return { fitting, full: 0 }
}
