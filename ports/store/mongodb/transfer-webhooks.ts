import type { RecoveryRecord, TransferRecord, WebhookRecord } from '../port.ts'
import type { Database } from './database.ts'
import { deliveries, deliveryOf, type DeliveryDocument } from './delivery-documents.ts'
import { eventKey, EVENTS, type EventDocument } from './event-documents.ts'
import { settleReopenings } from './recoveries-settle.ts'
import { fieldsOf, recoveries, type RecoveryDocument } from './recovery-documents.ts'
import {
  documentMover,
  documentsAfter,
  insertEach,
  insertOwned,
  type Inserted,
  type Mover,
  type Movers
} from './transfer-mover.ts'
import { documentOf, webhooks, type WebhookDocument } from './webhook-documents.ts'
import { createWebhooks } from './webhooks.ts'

type MovedDelivery = TransferRecord<'delivery'>
type Counter = TransferRecord<'deliveryCounter'>

/** One that was removed has no account any more. */
const THERE = { accountId: { $gt: '' } } as const

/**
 * Moves webhooks and what is sent to them, with its numbers. Leases are left out: who holds one is
 * not there.
 */
export function createWebhookMovers(
  database: Database
): Pick<Movers, 'webhook' | 'delivery' | 'deliveryCounter' | 'recovery'> {
  const adding = createWebhooks(database)
  /** Those of these webhooks that there are, by account. */
  const known = async (
    records: { accountId: string; webhookId: string }[]
  ): Promise<(record: { accountId: string; webhookId: string }) => boolean> => {
    const ids = [...new Set(records.map(({ webhookId }) => webhookId))]
    const found = await webhooks(database)
      .find({ _id: { $in: ids }, ...THERE }, { projection: { accountId: 1 } })
      .toArray()
    const accounts = new Map(found.map(({ _id, accountId }) => [_id, accountId]))
    return ({ webhookId, accountId }) => accounts.get(webhookId) === accountId
  }
  /** Of deliveries also their events must be there. */
  const whole = async (records: MovedDelivery[]): Promise<(record: MovedDelivery) => boolean> => {
    const ofWebhook = await known(records)
    const keys = records.map(({ accountId, eventId }) => eventKey(accountId, eventId))
    const events = new Set(
      (
        await database
          .collection<EventDocument>(EVENTS)
          .find({ _id: { $in: keys } }, { projection: { _id: 1 } })
          .toArray()
      ).map(({ _id }) => _id)
    )
    return (record) => ofWebhook(record) && events.has(eventKey(record.accountId, record.eventId))
  }
  const sent = documentMover<MovedDelivery, DeliveryDocument>({
    collection: deliveries(database),
    order: ['_id'],
    name: ({ id }) => [id],
    documentOf: ({ id, leasedUntil, ...delivery }) => ({ _id: id, ...delivery }),
    recordOf: (document) => ({ ...deliveryOf(document, null), attemptLog: document.attemptLog }),
    places: (records) => [
      { _id: { $in: records.map(({ id }) => id) } },
      ...[...Map.groupBy(records, ({ webhookId }) => webhookId)].flatMap(([webhookId, theirs]) => [
        { eventId: { $in: theirs.map(({ eventId }) => eventId) }, webhookId },
        { webhookId, sequence: { $in: theirs.map(({ sequence }) => sequence) } }
      ])
    ],
    concerns: (found, { id, webhookId, eventId, sequence }) =>
      found.id === id || (found.webhookId === webhookId && (found.eventId === eventId || found.sequence === sequence))
  })
  const recovering = documentMover<RecoveryRecord, RecoveryDocument>({
    collection: recoveries(database),
    order: ['_id'],
    name: ({ id }) => [id],
    documentOf: (recovery) => ({ _id: recovery.id, ...fieldsOf(recovery) }),
    recordOf: ({ record }) => record
  })

  return {
    webhook: {
      ...documentMover<WebhookRecord, WebhookDocument>({
        collection: webhooks(database),
        filter: THERE,
        order: ['_id'],
        name: ({ id }) => [id],
        documentOf,
        recordOf: ({ record }) => record,
        places: (records) => [{ _id: { $in: records.map(({ id }) => id) }, ...THERE }]
      }),
      // As when it was made: it has one of the account's places.
      insert: async (records) => {
        const outcomes: Inserted[] = []
        for (const webhook of records) outcomes.push((await adding.add(webhook, Infinity)) ? 'added' : 'conflict')
        return outcomes
      }
    },
    delivery: {
      ...sent,
      page: async (after, limit) => {
        if (after === null) await settleReopenings(database)
        return await ofWhole(sent, { after, limit }, whole)
      },
      insert: async (records) =>
        await insertOwned(
          records,
          await whole(records),
          async (owned) =>
            await insertEach(
              deliveries(database),
              owned.map(({ id, leasedUntil, ...delivery }) => ({ _id: id, ...delivery }))
            )
        )
    },
    deliveryCounter: counterMover(database),
    recovery: {
      ...recovering,
      page: async (after, limit) => await ofWhole(recovering, { after, limit }, known),
      insert: async (records) => await insertOwned(records, await known(records), recovering.insert)
    }
  }
}

/** A page without what belongs to something that is gone. */
async function ofWhole<Moved>(
  mover: Mover<Moved>,
  { after, limit }: { after: Parameters<Mover<Moved>['page']>[0]; limit: number },
  belonging: (records: Moved[]) => Promise<(record: Moved) => boolean>
) {
  const { records, at } = await mover.page(after, limit)
  return { records: records.filter(await belonging(records)), at }
}

/**
 * The last number of a webhook is that of its last delivery, or of one that was swept; one that is
 * moved is written down where the latter is.
 */
function counterMover(database: Database): Movers['deliveryCounter'] {
  async function counterOf({
    _id,
    accountId,
    swept
  }: Pick<WebhookDocument, '_id' | 'accountId' | 'swept'>): Promise<Counter> {
    const last = await deliveries(database).findOne(
      { webhookId: _id },
      { sort: { sequence: -1 }, projection: { sequence: 1 }, hint: 'in_order' }
    )
    return { accountId, webhookId: _id, last: Math.max(last?.sequence ?? 0, swept) }
  }

  return {
    name: ({ webhookId }) => [webhookId],
    page: async (after, limit) => {
      const { found, at } = await documentsAfter(
        { collection: webhooks(database), filter: THERE, order: ['_id'] },
        after,
        limit
      )
      const records: Counter[] = []
      for (const webhook of found) records.push(await counterOf(webhook))
      return { records: records.filter(({ last }) => last > 0), at }
    },
    near: async (records) => {
      const found = await webhooks(database)
        .find(
          { _id: { $in: records.map(({ webhookId }) => webhookId) }, ...THERE },
          { projection: { accountId: 1, swept: 1 } }
        )
        .toArray()
      const swept = new Map(found.map((webhook) => [webhook._id, webhook]))
      return records.map(({ webhookId, last }) => {
        const there = swept.get(webhookId)
        return there !== undefined && there.swept >= last
          ? [{ accountId: there.accountId, webhookId, last: there.swept }]
          : []
      })
    },
    insert: async (records) => {
      const outcomes: Inserted[] = []
      for (const { accountId, webhookId, last } of records) {
        const { matchedCount } = await webhooks(database).updateOne(
          { _id: webhookId, accountId },
          { $max: { swept: last } }
        )
        outcomes.push(matchedCount === 1 ? 'added' : 'orphan')
      }
      return outcomes
    }
  }
}
