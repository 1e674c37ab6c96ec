import type { EventRecord, TransferRecord } from '../port.ts'
import type { Database } from './database.ts'
import { eventKey, EVENTS, type EventDocument } from './event-documents.ts'
import { EVENT_COUNTERS, type EventCounter } from './events-add.ts'
import { settleLeftEvents } from './events-pending.ts'
import { documentMover, type Movers } from './transfer-mover.ts'

type Counter = TransferRecord<'eventCounter'>

/** Moves events with their numbers. */
export function createEventMovers(database: Database): Pick<Movers, 'event' | 'eventCounter'> {
  const events = documentMover<EventRecord, EventDocument>({
    collection: database.collection<EventDocument>(EVENTS),
    order: ['accountId', 'sequence'],
    hint: 'in_order',
    name: ({ accountId, sequence }) => [accountId, sequence],
    documentOf: (event) => ({ _id: eventKey(event.accountId, event.id), ...event }),
    recordOf: ({ _id, marks, marksAt, tells, ...event }) => event,
    places: (records) => [
      { _id: { $in: records.map(({ accountId, id }) => eventKey(accountId, id)) } },
      ...[...Map.groupBy(records, ({ accountId }) => accountId)].map(([accountId, theirs]) => ({
        accountId,
        sequence: { $in: theirs.map(({ sequence }) => sequence) }
      }))
    ],
    concerns: (found, { accountId, id, sequence }) =>
      found.accountId === accountId && (found.id === id || found.sequence === sequence)
  })

  return {
    event: {
      ...events,
      page: async (after, limit) => {
        if (after === null) await settleLeftEvents(database, null)
        return await events.page(after, limit)
      }
    },
    eventCounter: counterMover(database)
  }
}

/**
 * The last number of an account is that of its last event, or of one that was swept; one that is
 * moved is written down where the latter is.
 */
function counterMover(database: Database): Movers['eventCounter'] {
  const events = database.collection<EventDocument>(EVENTS)
  const counters = database.collection<EventCounter>(EVENT_COUNTERS)

  async function accountAfter(accountId: string): Promise<string | null> {
    const event = await events.findOne(
      { accountId: { $gt: accountId } },
      { sort: { accountId: 1, sequence: 1 }, projection: { accountId: 1 }, hint: 'in_order' }
    )
    const counter = await counters.findOne({ _id: { $gt: accountId } }, { sort: { _id: 1 } })
    // Ids are compared as the store does it, by their bytes.
    const [first] = [event?.accountId, counter?._id]
      .filter((id) => id !== undefined)
      .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    return first ?? null
  }
  async function lastOf(accountId: string): Promise<number> {
    const event = await events.findOne(
      { accountId },
      { sort: { sequence: -1 }, projection: { sequence: 1 }, hint: 'in_order' }
    )
    const counter = await counters.findOne({ _id: accountId })
    return Math.max(event?.sequence ?? 0, counter?.swept ?? 0)
  }

  return {
    name: ({ accountId }) => [accountId],
    page: async (after, limit) => {
      const records: Counter[] = []
      let account = await accountAfter(after === null ? '' : String(after[0]))
      while (account !== null && records.length < limit) {
        records.push({ accountId: account, last: await lastOf(account) })
        account = await accountAfter(account)
      }
      return { records, at: account === null ? null : [records.at(-1)!.accountId] }
    },
    near: async (records) => {
      const found = await counters.find({ _id: { $in: records.map(({ accountId }) => accountId) } }).toArray()
      const swept = new Map(found.map((counter) => [counter._id, counter.swept]))
      return records.map(({ accountId, last }) =>
        (swept.get(accountId) ?? 0) >= last ? [{ accountId, last: swept.get(accountId)! }] : []
      )
    },
    insert: async (records) => {
      await counters.bulkWrite(
        records.map(({ accountId, last }) => ({
          updateOne: { filter: { _id: accountId }, update: { $max: { swept: last } }, upsert: true }
        })),
        { ordered: false }
      )
      return records.map(() => 'added')
    }
  }
}
