import type { RecoveryRecord, TransferRecord, WebhookRecord } from '../../port.ts'
import type { Database } from '../database.ts'
import {
  deliveryCollection,
  toAttempt,
  toDeliveryRecord,
  toLoggedAttempt,
  type DeliveryDocument
} from '../deliveries/documents.ts'
import { eventCollection, eventKey } from '../events/add.ts'
import { finishRequeues, recoveryCollection, toRecoveryFields, type RecoveryDocument } from '../recoveries.ts'
import { toWebhookDocument, webhookCollection, type WebhookDocument } from '../webhooks/documents.ts'
import { createWebhooks } from '../webhooks/index.ts'
import {
  createDocumentHandler,
  documentsAfter,
  insertEach,
  insertWithOwner,
  type InsertOutcome,
  type TransferHandler,
  type TransferHandlers
} from './handler.ts'

type FullDelivery = TransferRecord<'delivery'>
type CounterRecord = TransferRecord<'deliveryCounter'>
type WebhookChild = { accountId: string; webhookId: string }

/** A deleted webhook has no account. */
const NOT_DELETED = { accountId: { $gt: '' } } as const

/** Transfers webhooks, deliveries with their sequences, and recoveries. Leases are left out. */
export function createWebhookHandlers(
  database: Database
): Pick<TransferHandlers, 'webhook' | 'delivery' | 'deliveryCounter' | 'recovery'> {
  const webhooks = createWebhooks(database)
  const webhookHandler = createDocumentHandler<WebhookRecord, WebhookDocument>({
    collection: webhookCollection(database),
    filter: NOT_DELETED,
    order: ['_id'],
    label: ({ id }) => [id],
    toDocument: toWebhookDocument,
    toRecord: ({ record }) => record,
    existingFilters: (records) => [{ _id: { $in: records.map(({ id }) => id) }, ...NOT_DELETED }]
  })
  const toDocument = ({ id, leasedUntil, attemptLog, ...delivery }: FullDelivery): DeliveryDocument => ({
    _id: id,
    ...delivery,
    attemptLog: attemptLog.map(toLoggedAttempt)
  })
  const deliveryHandler = createDocumentHandler<FullDelivery, DeliveryDocument>({
    collection: deliveryCollection(database),
    order: ['_id'],
    label: ({ id }) => [id],
    toDocument,
    toRecord: (document) => ({ ...toDeliveryRecord(document, null), attemptLog: document.attemptLog.map(toAttempt) }),
    existingFilters: (records) => [
      { _id: { $in: records.map(({ id }) => id) } },
      ...[...Map.groupBy(records, ({ webhookId }) => webhookId)].flatMap(([webhookId, group]) => [
        { eventId: { $in: group.map(({ eventId }) => eventId) }, webhookId },
        { webhookId, sequence: { $in: group.map(({ sequence }) => sequence) } }
      ])
    ],
    collides: (stored, { id, webhookId, eventId, sequence }) =>
      stored.id === id ||
      (stored.webhookId === webhookId && (stored.eventId === eventId || stored.sequence === sequence))
  })
  const recoveryHandler = createDocumentHandler<RecoveryRecord, RecoveryDocument>({
    collection: recoveryCollection(database),
    order: ['_id'],
    label: ({ id }) => [id],
    toDocument: (recovery) => ({ _id: recovery.id, ...toRecoveryFields(recovery) }),
    toRecord: ({ record }) => record
  })
  const findWebhooks = async (records: WebhookChild[]) => await findExistingWebhooks(database, records)
  const findOwners = async (records: FullDelivery[]) => await findDeliveryOwners(database, records)

  return {
    webhook: {
      label: webhookHandler.label,
      page: webhookHandler.page,
      findExisting: webhookHandler.findExisting,
      // Every webhook takes a slot of its account, as with `add`.
      insert: async (records) => {
        const outcomes: InsertOutcome[] = []
        for (const webhook of records) outcomes.push((await webhooks.add(webhook, Infinity)) ? 'added' : 'conflict')
        return outcomes
      }
    },
    delivery: {
      label: deliveryHandler.label,
      page: async (after, limit) => {
        if (after === null) await finishRequeues(database)
        return await pageWithOwners(deliveryHandler, { after, limit }, findOwners)
      },
      findExisting: deliveryHandler.findExisting,
      insert: async (records) =>
        await insertWithOwner(
          records,
          await findOwners(records),
          async (owned) => await insertEach(deliveryCollection(database), owned.map(toDocument))
        )
    },
    deliveryCounter: createCounterHandler(database),
    recovery: {
      label: recoveryHandler.label,
      page: async (after, limit) => await pageWithOwners(recoveryHandler, { after, limit }, findWebhooks),
      findExisting: recoveryHandler.findExisting,
      insert: async (records) => await insertWithOwner(records, await findWebhooks(records), recoveryHandler.insert)
    }
  }
}

/** Returns a predicate: the webhook of the record exists in the record's account. */
async function findExistingWebhooks(
  database: Database,
  records: WebhookChild[]
): Promise<(record: WebhookChild) => boolean> {
  const ids = [...new Set(records.map(({ webhookId }) => webhookId))]
  const found = await webhookCollection(database)
    .find({ _id: { $in: ids }, ...NOT_DELETED }, { projection: { accountId: 1 } })
    .toArray()
  const accountIds = new Map(found.map(({ _id, accountId }) => [_id, accountId]))
  return ({ webhookId, accountId }) => accountIds.get(webhookId) === accountId
}

/** Returns a predicate: the webhook and the event of the delivery exist. */
async function findDeliveryOwners(
  database: Database,
  records: FullDelivery[]
): Promise<(record: FullDelivery) => boolean> {
  const hasWebhook = await findExistingWebhooks(database, records)
  const keys = records.map(({ accountId, eventId }) => eventKey(accountId, eventId))
  const found = await eventCollection(database)
    .find({ _id: { $in: keys } }, { projection: { _id: 1 } })
    .toArray()
  const events = new Set(found.map(({ _id }) => _id))
  return (record) => hasWebhook(record) && events.has(eventKey(record.accountId, record.eventId))
}

/** A page without the records whose owners do not exist. */
async function pageWithOwners<Item>(
  handler: TransferHandler<Item>,
  { after, limit }: { after: Parameters<TransferHandler<Item>['page']>[0]; limit: number },
  findOwners: (records: Item[]) => Promise<(record: Item) => boolean>
) {
  const { records, at } = await handler.page(after, limit)
  return { records: records.filter(await findOwners(records)), at }
}

/**
 * The last sequence of a webhook: that of its last delivery or of a swept delivery, whichever is
 * greater. A transferred counter is stored as that of a swept delivery.
 */
function createCounterHandler(database: Database): TransferHandlers['deliveryCounter'] {
  const webhooks = webhookCollection(database)

  async function toCounter({
    _id,
    accountId,
    lastSweptSequence
  }: Pick<WebhookDocument, '_id' | 'accountId' | 'lastSweptSequence'>): Promise<CounterRecord> {
    const last = await deliveryCollection(database).findOne(
      { webhookId: _id },
      { sort: { sequence: -1 }, projection: { sequence: 1 }, hint: 'by_sequence' }
    )
    return { accountId, webhookId: _id, last: Math.max(last?.sequence ?? 0, lastSweptSequence) }
  }

  return {
    label: ({ webhookId }) => [webhookId],
    page: async (after, limit) => {
      const source = { collection: webhooks, filter: NOT_DELETED, order: ['_id'] as [string] }
      const { found, at } = await documentsAfter(source, after, limit)
      const records: CounterRecord[] = []
      for (const webhook of found) records.push(await toCounter(webhook))
      return { records: records.filter(({ last }) => last > 0), at }
    },
    findExisting: async (records) => {
      const found = await webhooks
        .find(
          { _id: { $in: records.map(({ webhookId }) => webhookId) }, ...NOT_DELETED },
          { projection: { accountId: 1, lastSweptSequence: 1 } }
        )
        .toArray()
      const byId = new Map(found.map((webhook) => [webhook._id, webhook]))
      return records.map(({ webhookId, last }) => {
        const stored = byId.get(webhookId)
        return stored !== undefined && stored.lastSweptSequence >= last
          ? [{ accountId: stored.accountId, webhookId, last: stored.lastSweptSequence }]
          : []
      })
    },
    insert: async (records) => {
      const outcomes: InsertOutcome[] = []
      for (const { accountId, webhookId, last } of records) {
        const { matchedCount } = await webhooks.updateOne(
          { _id: webhookId, accountId },
          { $max: { lastSweptSequence: last } }
        )
        outcomes.push(matchedCount === 1 ? 'added' : 'orphan')
      }
      return outcomes
    }
  }
}
