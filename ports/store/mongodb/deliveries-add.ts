import type { DeliveryStore, NewDelivery } from '../port.ts'
import type { Database } from './database.ts'
import { deliveries, documentOf, type DeliveryDocument } from './delivery-documents.ts'
import { eventKey, EVENTS, type EventDocument } from './event-documents.ts'
import { inTurn } from './in-turn.ts'
import { insertNumbered } from './numbered.ts'
import { webhooks } from './webhook-documents.ts'

type Unnumbered = Omit<DeliveryDocument, 'sequence'>
interface Place {
  accountId: string
  webhookId: string
}

/**
 * Adds deliveries, each by itself: those that a crash cuts off are made by the next fan-out, as
 * their event is not marked yet.
 */
export function createDeliveryAdding(database: Database): Pick<DeliveryStore, 'add'> {
  return {
    add: (added) =>
      database.act(async () => {
        const told = await withEvents(database, added)
        const places = Map.groupBy(told, ({ accountId, webhookId }) => JSON.stringify([accountId, webhookId]))
        await Promise.all([...places.values()].map((theirs) => addTo(database, theirs[0]!, theirs)))
      })
  }
}

/** Those whose events are there. */
async function withEvents(database: Database, added: NewDelivery[]): Promise<NewDelivery[]> {
  const keys = new Set(added.map(({ accountId, eventId }) => eventKey(accountId, eventId)))
  const found = await database
    .collection<EventDocument>(EVENTS)
    .find({ _id: { $in: [...keys] } }, { projection: { _id: 1 } })
    .toArray()
  const there = new Set(found.map(({ _id }) => _id))
  return added.filter(({ accountId, eventId }) => there.has(eventKey(accountId, eventId)))
}

async function addTo(database: Database, { accountId, webhookId }: Place, added: NewDelivery[]): Promise<void> {
  const once = [...Map.groupBy(added, ({ eventId }) => eventId).values()].map(([first]) => documentOf(first!))
  await inTurn(database, `deliveries ${webhookId}`, () =>
    insertNumbered<Unnumbered>(database, {
      collection: 'deliveries',
      documents: once,
      last: () => lastSequence(database, { accountId, webhookId }),
      needless: (left) => needless(database, webhookId, left)
    })
  )
}

/**
 * First the deliveries, then what was swept: the number is written down before the delivery that
 * has it is removed. Null: there is no such webhook.
 */
async function lastSequence(database: Database, { accountId, webhookId }: Place): Promise<number | null> {
  const last = await deliveries(database).findOne(
    { webhookId },
    { sort: { sequence: -1 }, projection: { sequence: 1 }, hint: 'in_order' }
  )
  const webhook = await webhooks(database).findOne({ _id: webhookId, accountId }, { projection: { swept: 1 } })
  return webhook === null ? null : Math.max(last?.sequence ?? 0, webhook.swept)
}

async function needless(database: Database, webhookId: string, left: Unnumbered[]): Promise<Set<string>> {
  const ids = left.map(({ _id }) => _id)
  const [byId, byEvent] = await Promise.all([
    deliveries(database)
      .find({ _id: { $in: ids } }, { projection: { _id: 1 } })
      .toArray(),
    deliveries(database)
      .find({ eventId: { $in: left.map(({ eventId }) => eventId) }, webhookId }, { projection: { eventId: 1 } })
      .toArray()
  ])
  const events = new Set(byEvent.map(({ eventId }) => eventId))
  return new Set([
    ...byId.map(({ _id }) => _id),
    ...left.filter(({ eventId }) => events.has(eventId)).map(({ _id }) => _id)
  ])
}
