import { isDuplicateKey } from '../../../../lib/mongodb.ts'
import type { WebhookRecord, WebhookStore } from '../../port.ts'
import type { Database } from '../database.ts'
import { deliveryCollection } from '../deliveries/documents.ts'
import { recoveryCollection } from '../recoveries.ts'
import { rememberNumber } from '../sequences.ts'
import { acquireSlot, releaseSlot } from '../slots.ts'
import { findExistingIds, toWebhookDocument, webhookCollection, type WebhookDocument } from './documents.ts'

/** Deliveries that are deleted at a time, which takes some milliseconds. */
const BATCH_SIZE = 500

const RECORD_ONLY = { projection: { _id: 0, record: 1 } } as const
const slotHolder = (accountId: string): string => `webhooks ${accountId}`

export function createWebhooks(database: Database): WebhookStore {
  const webhooks = webhookCollection(database)

  return {
    add: (webhook, max) => database.run(() => addWebhook(database, webhook, max)),
    find: (accountId, id) =>
      database.run(async () => (await webhooks.findOne({ _id: id, accountId }, RECORD_ONLY))?.record ?? null),
    list: (accountId) =>
      database.run(async () => {
        const found = await webhooks.find({ accountId }, { ...RECORD_ONLY, sort: { createdAt: 1, _id: 1 } }).toArray()
        return found.map(({ record }) => record)
      }),
    save: (webhook, ifVersion) =>
      database.run(async () => {
        const { id, accountId, createdAt, version } = webhook
        const { matchedCount } = await webhooks.updateOne(
          { _id: id, accountId, version: ifVersion },
          { $set: { record: webhook, createdAt, version } }
        )
        return matchedCount === 1
      }),
    delete: (accountId, id) =>
      database.run(async () => {
        if (!(await deleteWebhook(database, accountId, id))) return false
        await releaseSlot(database, slotHolder(accountId), id)
        return true
      })
  }
}

/**
 * Takes the slot first and inserts the webhook second. A crash in between leaves a slot that is
 * removed when no slot is free, but never one webhook too many.
 */
async function addWebhook(database: Database, webhook: WebhookRecord, max: number): Promise<boolean> {
  const { id, accountId, createdAt: at } = webhook
  const slot = { holder: slotHolder(accountId), id, expiresAt: null, max, at }
  if (!(await acquireSlot(database, slot, async (ids) => await findExistingIds(database, accountId, ids)))) return false
  try {
    // A deleted webhook with the same id may have left its last number, and deliveries that a process
    // added which had read it before.
    rememberNumber(database, { collection: 'deliveries', key: id }, undefined)
    await deliveryCollection(database).deleteMany({ webhookId: id })
    await webhookCollection(database).insertOne(toWebhookDocument(webhook))
  } catch (error) {
    // The new webhook must not get the deliveries of a deleted webhook with the same id.
    if (!isDuplicateKey(error) || !(await purgeDeleted(database, id))) throw error
    await webhookCollection(database).insertOne(toWebhookDocument(webhook))
  }
  return true
}

/**
 * Deletes the webhook with its recoveries and deliveries; false when it does not exist. The first
 * update removes its account, which makes all of it invisible. The rest is deleted in batches, here
 * and by `purgeNextDeleted`, because there may be a million deliveries.
 */
async function deleteWebhook(database: Database, accountId: string, id: string): Promise<boolean> {
  const { matchedCount } = await webhookCollection(database).replaceOne({ _id: id, accountId }, {
    deleted: true
  } as WebhookDocument)
  if (matchedCount === 0) return false
  rememberNumber(database, { collection: 'deliveries', key: id }, undefined)
  await deleteContents(database, id, BATCH_SIZE)
  return true
}

/** Deletes remaining data of a deleted webhook, at most `limit` deliveries. */
export async function purgeNextDeleted(database: Database, limit: number): Promise<void> {
  const webhook = await webhookCollection(database).findOne(
    { deleted: true },
    { projection: { _id: 1 }, hint: 'deleted' }
  )
  if (webhook !== null) await deleteContents(database, webhook._id, limit)
}

/** Deletes all remaining data of a deleted webhook. False when the webhook was not deleted. */
async function purgeDeleted(database: Database, id: string): Promise<boolean> {
  if ((await webhookCollection(database).findOne({ _id: id, deleted: true })) === null) return false
  while (!(await deleteContents(database, id, BATCH_SIZE)));
  return true
}

/**
 * True when nothing is left. A process that read the webhook before its deletion may still add a
 * delivery. Such a delivery is never read and is deleted with its event.
 */
async function deleteContents(database: Database, id: string, limit: number): Promise<boolean> {
  const recoveries = await recoveryCollection(database)
    .find({ webhookId: id }, { projection: { _id: 1 }, limit })
    .toArray()
  await recoveryCollection(database).deleteMany({ _id: { $in: recoveries.map(({ _id }) => _id) } })
  if (recoveries.length === limit) return false
  const found = await deliveryCollection(database)
    .find({ webhookId: id }, { projection: { _id: 1 }, limit })
    .toArray()
  await deliveryCollection(database).deleteMany({ _id: { $in: found.map(({ _id }) => _id) } })
  if (found.length === limit) return false
  await webhookCollection(database).deleteOne({ _id: id, deleted: true })
  return true
}
