import type { EventRecord, TransferRecord } from '../../port.ts'
import type { Database } from '../database.ts'
import { bodyBytes, eventCollection, eventCounterCollection, eventKey, type EventDocument } from '../events/add.ts'
import { recoverPendingEvents } from '../events/pending.ts'
import { createDocumentHandler, type TransferHandlers } from './handler.ts'

type CounterRecord = TransferRecord<'eventCounter'>

/** Transfers events with their sequences. */
export function createEventHandlers(database: Database): Pick<TransferHandlers, 'event' | 'eventCounter'> {
  const handler = createDocumentHandler<EventRecord, EventDocument>({
    collection: eventCollection(database),
    order: ['accountId', 'sequence'],
    hint: 'by_sequence',
    label: ({ accountId, sequence }) => [accountId, sequence],
    toDocument: (event) => ({ _id: eventKey(event.accountId, event.id), ...event, bytes: bodyBytes(event) }),
    toRecord: ({ _id, bytes, productMarks, marksPendingSince, productVersions, ...event }) => event,
    existingFilters: (records) => [
      { _id: { $in: records.map(({ accountId, id }) => eventKey(accountId, id)) } },
      ...[...Map.groupBy(records, ({ accountId }) => accountId)].map(([accountId, group]) => ({
        accountId,
        sequence: { $in: group.map(({ sequence }) => sequence) }
      }))
    ],
    collides: (stored, { accountId, id, sequence }) =>
      stored.accountId === accountId && (stored.id === id || stored.sequence === sequence)
  })

  return {
    event: {
      label: handler.label,
      page: async (after, limit) => {
        if (after === null) await recoverPendingEvents(database, null)
        return await handler.page(after, limit)
      },
      findExisting: handler.findExisting,
      insert: handler.insert
    },
    eventCounter: createCounterHandler(database)
  }
}

/**
 * The last sequence of an account: that of its last event or of a swept event, whichever is
 * greater. A transferred counter is stored as that of a swept event.
 */
function createCounterHandler(database: Database): TransferHandlers['eventCounter'] {
  const events = eventCollection(database)
  const counters = eventCounterCollection(database)

  async function accountAfter(accountId: string): Promise<string | null> {
    const event = await events.findOne(
      { accountId: { $gt: accountId } },
      { sort: { accountId: 1, sequence: 1 }, projection: { accountId: 1 }, hint: 'by_sequence' }
    )
    const counter = await counters.findOne({ _id: { $gt: accountId } }, { sort: { _id: 1 } })
    // MongoDB compares strings by their bytes.
    const [first] = [event?.accountId, counter?._id]
      .filter((id) => id !== undefined)
      .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    return first ?? null
  }

  async function lastSequence(accountId: string): Promise<number> {
    const event = await events.findOne(
      { accountId },
      { sort: { sequence: -1 }, projection: { sequence: 1 }, hint: 'by_sequence' }
    )
    const counter = await counters.findOne({ _id: accountId })
    return Math.max(event?.sequence ?? 0, counter?.lastSweptSequence ?? 0)
  }

  return {
    label: ({ accountId }) => [accountId],
    page: async (after, limit) => {
      const records: CounterRecord[] = []
      let account = await accountAfter(after === null ? '' : String(after[0]))
      while (account !== null && records.length < limit) {
        records.push({ accountId: account, last: await lastSequence(account) })
        account = await accountAfter(account)
      }
      return { records, at: account === null ? null : [records.at(-1)!.accountId] }
    },
    findExisting: async (records) => {
      const found = await counters.find({ _id: { $in: records.map(({ accountId }) => accountId) } }).toArray()
      const swept = new Map(found.map(({ _id, lastSweptSequence }) => [_id, lastSweptSequence]))
      return records.map(({ accountId, last }) =>
        (swept.get(accountId) ?? 0) >= last ? [{ accountId, last: swept.get(accountId)! }] : []
      )
    },
    insert: async (records) => {
      await counters.bulkWrite(
        records.map(({ accountId, last }) => ({
          updateOne: { filter: { _id: accountId }, update: { $max: { lastSweptSequence: last } }, upsert: true }
        })),
        { ordered: false }
      )
      return records.map(() => 'added')
    }
  }
}
