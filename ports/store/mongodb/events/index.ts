import { randomUUID } from 'node:crypto'
import type { EventRecord, EventStore, NewEvent, PendingFanOut } from '../../port.ts'
import type { Database } from '../database.ts'
import { distinctValues } from '../documents.ts'
import { readInSlices } from '../slices.ts'
import { sweepRecoveries } from '../recoveries.ts'
import { purgeNextDeleted } from '../webhooks/index.ts'
import { addEvents, eventCollection, eventKey, RECORD_ONLY } from './add.ts'
import { movePendingEvents, pendingFields, recoverPendingEvents, type PendingEvents } from './pending.ts'
import { addProductEvents, resolveProductMarks } from './product-events.ts'
import { deleteEvents, trimEvents, type StoredEvent } from './removal.ts'

const FAN_OUT_FIELDS = { _id: 0, id: 1, accountId: 1, projectId: 1, type: 1, timestamp: 1, sequence: 1 } as const

/**
 * Events. Readers first move pending events. The fan-out moves those of blogs, whose writers leave that to
 * it; what a crash left behind in other documents, it moves once in a sweep, for all accounts.
 */
export function createEvents(database: Database): EventStore {
  const events = eventCollection(database)
  const findStored = async (accountId: string, id: string) =>
    await events.findOne<EventRecord>({ _id: eventKey(accountId, id) }, { projection: RECORD_ONLY })

  return {
    add: (added) => database.run(() => addAtomically(database, added)),
    addProductEvents: (added) =>
      database.run(async () => {
        const [first] = added
        if (first === undefined) return []
        const events = added.map(({ event, products }) => ({ event, marks: products }))
        const inserted = new Set(await addProductEvents(database, first.event.accountId, events))
        return events.map((event) => inserted.has(event))
      }),
    find: (accountId, id) =>
      database.run(async () => {
        const found = await findStored(accountId, id)
        if (found !== null) return found
        await recoverPendingEvents(database, accountId)
        return await findStored(accountId, id)
      }),
    list: (accountId, { after, limit, types }) =>
      database.run(async () => {
        await recoverPendingEvents(database, accountId)
        const ofTypes = types === undefined ? {} : { type: { $in: types } }
        const options = {
          projection: RECORD_ONLY,
          sort: { sequence: 1 },
          limit,
          hint: types === undefined ? 'by_sequence' : 'by_type'
        } as const
        return await readInSlices(
          events.find<EventRecord>({ accountId, ...ofTypes, sequence: { $gt: after } }, options)
        )
      }),
    pendingFanOut: (accountId, limit) =>
      database.run(async () => {
        await recoverPendingEvents(database, accountId, ['blogs'])
        return await readInSlices(
          events.find<PendingFanOut>(
            { fannedOut: false, accountId },
            { projection: FAN_OUT_FIELDS, sort: { sequence: 1 }, limit, hint: 'fan_out_pending' }
          )
        )
      }),
    pendingFanOutAccounts: ({ after, limit }) =>
      database.run(async () => {
        if (after === null) await recoverPendingEvents(database, null)
        return await distinctValues(database, {
          collection: 'events',
          field: 'accountId',
          filter: { fannedOut: false },
          index: 'fan_out_pending',
          after,
          limit
        })
      }),
    markFannedOut: (accountId, ids) =>
      database.run(async () => {
        await events.updateMany(
          { _id: { $in: ids.map((id) => eventKey(accountId, id)) }, fannedOut: false },
          { $set: { fannedOut: true } }
        )
      }),
    deleteBefore: (before, limit) => database.run(() => deleteExpired(database, before, limit)),
    trim: (accountId, trim) => database.run(() => trimEvents(database, accountId, trim))
  }
}

/** Several events are first stored in one document, so that all or none of them survive a crash. */
async function addAtomically(database: Database, events: NewEvent[]): Promise<void> {
  if (events.length <= 1) return await addEvents(database, events)
  const _id = randomUUID()
  const accountId = [...new Set(events.map((event) => event.accountId))]
  await database
    .collection<PendingEvents & { _id: string; accountId: string[] }>('event_batches')
    .insertOne({ _id, accountId, ...pendingFields(events) })
  await movePendingEvents(database, 'event_batches', _id)
}

/**
 * Deletes fanned-out events before this time with their deliveries, at most `limit`. Also deletes
 * recoveries that ended before this time, and remaining data of deleted webhooks. Returns the
 * number of deleted events.
 */
async function deleteExpired(database: Database, before: string, limit: number): Promise<number> {
  await purgeNextDeleted(database, limit)
  await sweepRecoveries(database, before, limit)
  // Product marks that a crash left pending are stored in their event: apply them first.
  await resolveProductMarks(database, null)
  const expired: StoredEvent[] = await eventCollection(database)
    .find(
      { fannedOut: true, timestamp: { $lt: before } },
      { projection: { accountId: 1, id: 1, sequence: 1 }, sort: { timestamp: 1 }, limit, hint: 'by_age' }
    )
    .toArray()
  return await deleteEvents(database, expired)
}
