import type { AnyBulkWriteOperation } from 'mongodb'
import type { Database } from './database.ts'
import { removeDeliveriesOf } from './deliveries-sweep.ts'
import { EVENT_COUNTERS, type EventCounter } from './events-add.ts'
import { EVENTS, type EventDocument } from './event-documents.ts'
import { settleMarks } from './events-marks.ts'
import { sweepRecoveries } from './recoveries-settle.ts'
import { removeLeftovers } from './webhooks-remove.ts'

type Old = Pick<EventDocument, '_id' | 'accountId' | 'id' | 'sequence'>

/**
 * Removes events that happened before this time and were fanned out, at most `limit`, with all that
 * hangs on them, recoveries that ended before it, and what is left of removed webhooks; returns how
 * many events.
 */
export async function sweep(database: Database, before: string, limit: number): Promise<number> {
  await removeLeftovers(database, limit)
  await sweepRecoveries(database, before, limit)
  // What an old event tells is marked before it goes; one that a crash left unmarked would take
  // that with it.
  await settleMarks(database, null)
  const old: Old[] = await database
    .collection<EventDocument>(EVENTS)
    .find(
      { fannedOut: true, timestamp: { $lt: before } },
      { projection: { accountId: 1, id: 1, sequence: 1 }, sort: { timestamp: 1 }, limit, hint: 'by_age' }
    )
    .toArray()
  if (old.length === 0) return 0
  // In this order a crash leaves events that are swept again, and neither deliveries without an
  // event nor a number that is given twice.
  await removeDeliveriesOf(database, old)
  await database.collection<EventCounter>(EVENT_COUNTERS).bulkWrite(counted(old), { ordered: false })
  const { deletedCount } = await database
    .collection<EventDocument>(EVENTS)
    .deleteMany({ _id: { $in: old.map(({ _id }) => _id) } })
  return deletedCount
}

/** The greatest number of each account, written down where `addEvents` goes on from. */
function counted(old: Old[]): AnyBulkWriteOperation<EventCounter>[] {
  return [...Map.groupBy(old, ({ accountId }) => accountId)].map(([accountId, events]) => ({
    updateOne: {
      filter: { _id: accountId },
      update: { $max: { swept: Math.max(...events.map(({ sequence }) => sequence)) } },
      upsert: true
    }
  }))
}
