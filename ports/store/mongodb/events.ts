import { randomUUID } from 'node:crypto'
import type { EventRecord, EventStore, NewEvent } from '../port.ts'
import type { Database } from './database.ts'
import { distinctValues } from './distinct.ts'
import { eventKey, EVENTS, RECORD_ONLY, type EventDocument } from './event-documents.ts'
import { addEvents } from './events-add.ts'
import { addProductEvent } from './events-marks.ts'
import { pendingFields, settleEvents, settleLeftEvents, type PendingEvents } from './events-pending.ts'
import { sweep } from './events-sweep.ts'

/**
 * Keeps what happened. Who asks for events first moves those that a crash left in the documents
 * whose changes they tell.
 */
export function createEvents(database: Database): EventStore {
  const events = () => database.collection<EventDocument>(EVENTS)
  const findNow = async (accountId: string, id: string) =>
    await events().findOne<EventRecord>({ _id: eventKey(accountId, id) }, { projection: RECORD_ONLY })

  return {
    add: (added) => database.act(() => addWhole(database, added)),
    addProductEvent: (event, told) => database.act(() => addProductEvent(database, event, told)),
    find: (accountId, id) =>
      database.act(async () => {
        const found = await findNow(accountId, id)
        if (found !== null) return found
        await settleLeftEvents(database, accountId)
        return await findNow(accountId, id)
      }),
    list: (accountId, { after, limit, types }) =>
      database.act(async () => {
        await settleLeftEvents(database, accountId)
        const ofTypes = types === undefined ? {} : { type: { $in: types } }
        const page = {
          projection: RECORD_ONLY,
          sort: { sequence: 1 },
          limit,
          hint: types === undefined ? 'in_order' : 'of_types'
        } as const
        return await events()
          .find<EventRecord>({ accountId, ...ofTypes, sequence: { $gt: after } }, page)
          .toArray()
      }),
    pendingFanOut: (accountId, limit) =>
      database.act(async () => {
        await settleLeftEvents(database, accountId)
        return await events()
          .find<EventRecord>(
            { fannedOut: false, accountId },
            { projection: RECORD_ONLY, sort: { sequence: 1 }, limit, hint: 'not_fanned_out' }
          )
          .toArray()
      }),
    pendingFanOutAccounts: (limit) =>
      database.act(async () => {
        await settleLeftEvents(database, null)
        return await distinctValues(database, {
          collection: EVENTS,
          field: 'accountId',
          filter: { fannedOut: false },
          index: 'not_fanned_out',
          limit
        })
      }),
    markFannedOut: (accountId, ids) =>
      database.act(async () => {
        await events().updateMany(
          { _id: { $in: ids.map((id) => eventKey(accountId, id)) }, fannedOut: false },
          { $set: { fannedOut: true } }
        )
      }),
    deleteBefore: (before, limit) => database.act(() => sweep(database, before, limit))
  }
}

/**
 * One event is a document of its own; several are kept in one first, so that all of them or none
 * outlive a crash.
 */
async function addWhole(database: Database, events: NewEvent[]): Promise<void> {
  if (events.length <= 1) return await addEvents(database, events)
  const _id = randomUUID()
  const accountId = [...new Set(events.map((event) => event.accountId))]
  await database
    .collection<PendingEvents & { _id: string; accountId: string[] }>('event_batches')
    .insertOne({ _id, accountId, ...pendingFields(events) })
  await settleEvents(database, 'event_batches', _id)
}
