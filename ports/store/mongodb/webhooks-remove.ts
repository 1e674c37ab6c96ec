import type { Database } from './database.ts'
import { deliveries } from './delivery-documents.ts'
import { recoveries } from './recovery-documents.ts'
import { webhooks, type WebhookDocument } from './webhook-documents.ts'

/** So many deliveries are gone in some milliseconds. */
const PORTION = 500

/**
 * Removes the webhook with its recoveries and deliveries; false when there is none. From the first
 * change on it has no account, without which nothing of it is read; the rest
 * goes bit by bit, here and by `removeLeftovers`, because it may have a million deliveries.
 */
export async function removeWebhook(database: Database, accountId: string, id: string): Promise<boolean> {
  const { matchedCount } = await webhooks(database).replaceOne({ _id: id, accountId }, {
    removed: true
  } as WebhookDocument)
  if (matchedCount === 0) return false
  await removePortion(database, id, PORTION)
  return true
}

/** Deletes what is left of webhooks that were removed, at most `limit` deliveries of it. */
export async function removeLeftovers(database: Database, limit: number): Promise<void> {
  const webhook = await webhooks(database).findOne({ removed: true }, { projection: { _id: 1 }, hint: 'removed' })
  if (webhook !== null) await removePortion(database, webhook._id, limit)
}

/** Deletes all that is left of a removed webhook, however much; false when it was not removed. */
export async function purgeRemoved(database: Database, id: string): Promise<boolean> {
  if ((await webhooks(database).findOne({ _id: id, removed: true })) === null) return false
  while (!(await removePortion(database, id, PORTION)));
  return true
}

/**
 * Whether nothing is left. A delivery that comes now, from somebody who saw the webhook before, is
 * never read and goes with its event.
 */
async function removePortion(database: Database, id: string, limit: number): Promise<boolean> {
  await recoveries(database).deleteMany({ webhookId: id })
  const found = await deliveries(database)
    .find({ webhookId: id }, { projection: { _id: 1 }, limit })
    .toArray()
  await deliveries(database).deleteMany({ _id: { $in: found.map(({ _id }) => _id) } })
  if (found.length === limit) return false
  await webhooks(database).deleteOne({ _id: id, removed: true })
  return true
}
