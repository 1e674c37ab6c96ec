import type { DeliveryStore, NewDelivery } from '../../port.ts'
import type { Database } from '../database.ts'
import { eventCollection, eventKey } from '../events/add.ts'
import { withMutex } from '../mutex.ts'
import { insertInSequence } from '../sequences.ts'
import { webhookCollection } from '../webhooks/documents.ts'
import { deliveryCollection, toDeliveryDocument, type DeliveryDocument } from './documents.ts'

type UnsequencedDelivery = Omit<DeliveryDocument, 'sequence'>
interface WebhookRef {
  accountId: string
  webhookId: string
}

/**
 * Adds deliveries independently. The next fan-out adds those that a crash cut off, because their
 * event is not marked as fanned out yet.
 */
export function createDeliveryAdds(database: Database): Pick<DeliveryStore, 'add'> {
  return {
    add: (added) =>
      database.run(async () => {
        const withEvent = await filterWithEvent(database, added)
        const byWebhook = Map.groupBy(withEvent, ({ accountId, webhookId }) => JSON.stringify([accountId, webhookId]))
        await Promise.all([...byWebhook.values()].map((group) => addToWebhook(database, group[0]!, group)))
      })
  }
}

/** The deliveries whose events exist. */
async function filterWithEvent(database: Database, added: NewDelivery[]): Promise<NewDelivery[]> {
  const keys = new Set(added.map(({ accountId, eventId }) => eventKey(accountId, eventId)))
  const found = await eventCollection(database)
    .find({ _id: { $in: [...keys] } }, { projection: { _id: 1 } })
    .toArray()
  const existing = new Set(found.map(({ _id }) => _id))
  return added.filter(({ accountId, eventId }) => existing.has(eventKey(accountId, eventId)))
}

async function addToWebhook(
  database: Database,
  { accountId, webhookId }: WebhookRef,
  added: NewDelivery[]
): Promise<void> {
  const byEvent = Map.groupBy(added, ({ eventId }) => eventId)
  const documents = [...byEvent.values()].map(([first]) => toDeliveryDocument(first!))
  await withMutex(database, `deliveries ${webhookId}`, () =>
    insertInSequence<UnsequencedDelivery>(database, {
      collection: 'deliveries',
      documents,
      readLast: () => lastSequence(database, { accountId, webhookId }),
      findRedundant: (remaining) => findRedundant(database, webhookId, remaining)
    })
  )
}

/**
 * Reads the deliveries first and the webhook second, because the sweep updates the webhook before
 * it deletes deliveries. Null when the webhook does not exist.
 */
async function lastSequence(database: Database, { accountId, webhookId }: WebhookRef): Promise<number | null> {
  const last = await deliveryCollection(database).findOne(
    { webhookId },
    { sort: { sequence: -1 }, projection: { sequence: 1 }, hint: 'by_sequence' }
  )
  const webhook = await webhookCollection(database).findOne(
    { _id: webhookId, accountId },
    { projection: { lastSweptSequence: 1 } }
  )
  return webhook === null ? null : Math.max(last?.sequence ?? 0, webhook.lastSweptSequence)
}

async function findRedundant(
  database: Database,
  webhookId: string,
  remaining: UnsequencedDelivery[]
): Promise<Set<string>> {
  const deliveries = deliveryCollection(database)
  const ids = remaining.map(({ _id }) => _id)
  const eventIds = remaining.map(({ eventId }) => eventId)
  const [byId, byEvent] = await Promise.all([
    deliveries.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray(),
    deliveries.find({ eventId: { $in: eventIds }, webhookId }, { projection: { eventId: 1 } }).toArray()
  ])
  const deliveredEvents = new Set(byEvent.map(({ eventId }) => eventId))
  return new Set([
    ...byId.map(({ _id }) => _id),
    ...remaining.filter(({ eventId }) => deliveredEvents.has(eventId)).map(({ _id }) => _id)
  ])
}

/**
 * Deletes the deliveries of these events. First stores the greatest sequence of each webhook, from
 * which `add` continues.
 */
export async function deleteDeliveriesOf(
  database: Database,
  events: { accountId: string; id: string }[]
): Promise<void> {
  for (const [accountId, ofAccount] of Map.groupBy(events, (event) => event.accountId)) {
    const filter = { eventId: { $in: ofAccount.map(({ id }) => id) }, accountId }
    const last = await deliveryCollection(database)
      .aggregate<{ _id: string; sequence: number }>([
        { $match: filter },
        { $group: { _id: '$webhookId', sequence: { $max: '$sequence' } } }
      ])
      .toArray()
    if (last.length === 0) continue
    await webhookCollection(database).bulkWrite(
      last.map(({ _id, sequence }) => ({
        updateOne: { filter: { _id, accountId }, update: { $max: { lastSweptSequence: sequence } } }
      })),
      { ordered: false }
    )
    await deliveryCollection(database).deleteMany(filter)
  }
}
