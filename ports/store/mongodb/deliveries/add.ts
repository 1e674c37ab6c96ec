import type { DeliveryStore, NewDelivery } from '../../port.ts'
import { commandSizesOf } from '../command-sizes.ts'
import type { Database } from '../database.ts'
import { withMutex } from '../mutex.ts'
import { insertInSequence, insertOrdered, lastNumber, rememberNumber, type SequenceId } from '../sequences.ts'
import { REPLY_SIZE } from '../slices.ts'
import { webhookCollection } from '../webhooks/documents.ts'
import { deliveryCollection, toDeliveryDocument, type DeliveryDocument } from './documents.ts'

/** The sequence of a webhook's deliveries. */
const sequenceOf = (webhookId: string): SequenceId => ({ collection: 'deliveries', key: webhookId })

type UnsequencedDelivery = Omit<DeliveryDocument, 'sequence'>
/**
 * Adds deliveries independently. The next fan-out adds those that a crash cut off, because their
 * event is not marked as fanned out yet. Their events are not read again: a delivery whose event was
 * deleted meanwhile is deleted when it is claimed.
 */
export function createDeliveryAdds(database: Database): Pick<DeliveryStore, 'add'> {
  return {
    add: (added) =>
      database.run(async () => {
        if (added.length === 0) return
        const byAccount = Map.groupBy(added, ({ accountId }) => accountId)
        await Promise.all(
          [...byAccount].map(([accountId, deliveries]) =>
            withMutex(database, `deliveries of ${accountId}`, () => addToWebhooks(database, accountId, deliveries))
          )
        )
      })
  }
}

interface Numbered {
  webhookId: string
  documents: UnsequencedDelivery[]
  last: number
}

/**
 * Adds the deliveries of all webhooks in one command. Only if a number or an event is taken, each
 * webhook gets its deliveries separately.
 */
async function addToWebhooks(database: Database, accountId: string, added: NewDelivery[]): Promise<void> {
  const numbered = await readNumbers(
    database,
    accountId,
    Map.groupBy(added, ({ webhookId }) => webhookId)
  )
  if (numbered.length === 0) return
  const { complete } = await insertOrdered(
    database,
    'deliveries',
    numbered.flatMap(({ documents, last }) =>
      documents.map((document, index) => ({ ...document, sequence: last + index + 1 }))
    )
  )
  for (const { webhookId, documents, last } of numbered) {
    rememberNumber(database, sequenceOf(webhookId), complete ? last + documents.length : undefined)
  }
  if (complete) return
  await Promise.all(
    numbered.map(async ({ webhookId, documents }) => {
      await insertInSequence<UnsequencedDelivery>(database, {
        ...sequenceOf(webhookId),
        documents,
        readLast: () => readLast(database, accountId, webhookId),
        findRedundant: (remaining) => findRedundant(database, webhookId, remaining)
      })
    })
  )
}

/**
 * The documents and the last number of each webhook. Leaves out webhooks that do not exist, except for
 * one that another process has just deleted: a delivery to it is never read, and deleted with its event.
 */
async function readNumbers(
  database: Database,
  accountId: string,
  byWebhook: Map<string, NewDelivery[]>
): Promise<Numbered[]> {
  const numbered = await Promise.all(
    [...byWebhook].map(async ([webhookId, deliveries]) => ({
      webhookId,
      documents: toDocuments(deliveries),
      last: lastNumber(database, sequenceOf(webhookId)) ?? (await readLast(database, accountId, webhookId))
    }))
  )
  return numbered.flatMap(({ last, ...webhook }) => (last === null ? [] : { ...webhook, last }))
}

/** Of several deliveries of an event, the first. */
function toDocuments(added: NewDelivery[]): UnsequencedDelivery[] {
  return [...Map.groupBy(added, ({ eventId }) => eventId).values()].map(([first]) => toDeliveryDocument(first!))
}

/**
 * Reads the deliveries first and the webhook second, because the sweep updates the webhook before
 * it deletes deliveries. Null when the webhook does not exist.
 */
async function readLast(database: Database, accountId: string, webhookId: string): Promise<number | null> {
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
 * Deletes the deliveries of these events, in commands of few deliveries. Before each one, stores the greatest sequence
 * of each webhook, from which `add` continues.
 */
export async function deleteDeliveriesOf(
  database: Database,
  events: { accountId: string; id: string }[]
): Promise<void> {
  for (const [accountId, ofAccount] of Map.groupBy(events, (event) => event.accountId)) {
    await deleteOfEvents(database, accountId, ofAccount.map(({ id }) => id).toSorted())
  }
}

async function deleteOfEvents(database: Database, accountId: string, eventIds: string[]): Promise<void> {
  const deliveries = deliveryCollection(database)
  const sizes = commandSizesOf(database, 'deliveries')
  const stored = new Map<string, number>()
  for (let remaining = eventIds; ; ) {
    const limit = sizes.size()
    // An event may have a delivery to each webhook of the account. The order is the one of the index.
    const found = await deliveries
      .find(
        { eventId: { $in: remaining }, accountId },
        { projection: { eventId: 1, webhookId: 1, sequence: 1 }, sort: { eventId: 1 }, limit, batchSize: REPLY_SIZE }
      )
      .toArray()
    const last = found.at(-1)
    if (last === undefined) return
    await storeLastSwept(database, { accountId, stored, found })
    const ids = found.map(({ _id }) => _id)
    await sizes.measure(found.length, () => deliveries.deleteMany({ _id: { $in: ids } }))
    if (found.length < limit) return
    remaining = remaining.filter((id) => id >= last.eventId)
  }
}

/** `stored`: the sequences that this sweep has stored, by webhook. */
async function storeLastSwept(
  database: Database,
  {
    accountId,
    stored,
    found
  }: { accountId: string; stored: Map<string, number>; found: Pick<DeliveryDocument, 'webhookId' | 'sequence'>[] }
): Promise<void> {
  const greater = new Map<string, number>()
  for (const { webhookId, sequence } of found) {
    if (sequence > (stored.get(webhookId) ?? 0)) greater.set(webhookId, sequence)
    stored.set(webhookId, Math.max(sequence, stored.get(webhookId) ?? 0))
  }
  if (greater.size === 0) return
  await webhookCollection(database).bulkWrite(
    [...greater].map(([_id, sequence]) => ({
      updateOne: { filter: { _id, accountId }, update: { $max: { lastSweptSequence: sequence } } }
    })),
    { ordered: false }
  )
}
