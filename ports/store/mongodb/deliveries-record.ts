import type { AnyBulkWriteOperation, UpdateFilter } from 'mongodb'
import type { DeliveryUpdate, DeliveryStore } from '../port.ts'
import type { Database } from './database.ts'
import { deliveries, type DeliveryDocument } from './delivery-documents.ts'
import { webhooks, type WebhookDocument } from './webhook-documents.ts'

/** How many attempts of a delivery are kept. */
const KEPT_ATTEMPTS = 50

/**
 * Writes down what became of attempts, in two round trips: the deliveries, then the ends of their
 * leases. After a crash between the two a lease ends by its time; the other way round,
 * somebody could take a delivery again that is over.
 */
export function createDeliveryRecording(database: Database): Pick<DeliveryStore, 'recordAttempts'> {
  return {
    recordAttempts: (changes) =>
      database.act(async () => {
        if (changes.length === 0) return
        const { matchedCount } = await deliveries(database).bulkWrite(changes.map(withAttempt), { ordered: true })
        if (matchedCount < changes.length) await recordLateSuccesses(database, changes)
        await webhooks(database).bulkWrite(leaseEnds(changes), { ordered: false })
      })
  }
}

function fieldsOf({ status, attempts, round, nextAttemptAt, lastStatus, lastError, deliveredAt }: DeliveryUpdate) {
  return { status, attempts, round, nextAttemptAt, lastStatus, lastError, deliveredAt }
}

/**
 * Changes nothing when the attempt is known: somebody whose lease had run out made the same, and
 * what is known of the first one stands.
 */
function withAttempt(change: DeliveryUpdate): AnyBulkWriteOperation<DeliveryDocument> {
  const { id, webhookId, attempt } = change
  const update: UpdateFilter<DeliveryDocument> = {
    $set: fieldsOf(change),
    $push: { attemptLog: { $each: [attempt], $sort: { number: 1 }, $slice: -KEPT_ATTEMPTS } }
  }
  return { updateOne: { filter: { _id: id, webhookId, 'attemptLog.number': { $ne: attempt.number } }, update } }
}

/**
 * Of an attempt that is known already a success counts all the same, because the receiver has it.
 */
async function recordLateSuccesses(database: Database, changes: DeliveryUpdate[]): Promise<void> {
  const latest = new Map<string, number>()
  for (const { id, attempt } of changes) latest.set(id, Math.max(latest.get(id) ?? 0, attempt.number))
  const late = changes.filter(({ id, status, attempt }) => status === 'delivered' && attempt.number === latest.get(id))
  if (late.length === 0) return
  await deliveries(database).bulkWrite(
    late.map((change): AnyBulkWriteOperation<DeliveryDocument> => {
      const { id, webhookId, attempt } = change
      return {
        updateOne: {
          filter: { _id: id, webhookId, 'attemptLog.number': attempt.number, status: { $ne: 'delivered' } },
          update: { $set: fieldsOf(change) }
        }
      }
    }),
    { ordered: true }
  )
}

/**
 * Ends the leases under which these attempts were made: those that were taken before them, not one
 * that somebody took since.
 */
function leaseEnds(changes: DeliveryUpdate[]): AnyBulkWriteOperation<WebhookDocument>[] {
  const groups = Map.groupBy(changes, ({ webhookId, attempts }) => `${webhookId} ${attempts}`)
  return [...groups.values()].map((group) => {
    const { webhookId, attempts } = group[0]!
    return {
      updateOne: {
        filter: { _id: webhookId },
        update: { $pull: { leases: { id: { $in: group.map(({ id }) => id) }, attempts: { $lt: attempts } } } }
      }
    }
  })
}
