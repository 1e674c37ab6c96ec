import { randomUUID } from 'node:crypto'
import type { Collection } from 'mongodb'
import type { RecordRef, RecoveryRecord, RecoveryStore } from '../port.ts'
import type { Database } from './database.ts'
import { requeueDeliveries } from './deliveries/attempts.ts'
import { changedFields, readOldestFirst } from './documents.ts'
import { REPLY_SIZE } from './slices.ts'
import { findExistingIds, isDeleted, webhookCollection } from './webhooks/documents.ts'

/** Pending requeues that `finishRequeues` reads at a time. */
const BATCH_SIZE = 100

/** A recovery as it is stored; its `_id` is its id. */
export interface RecoveryDocument
  extends Pick<RecoveryRecord, 'accountId' | 'webhookId' | 'status' | 'afterSequence' | 'createdAt' | 'finishedAt'> {
  _id: string
  record: RecoveryRecord
  /** Deliveries that the last committed step still has to requeue; `by` identifies that step. */
  requeue?: { ids: string[]; at: string; by: string }
}

export const recoveryCollection = (database: Database): Collection<RecoveryDocument> =>
  database.collection<RecoveryDocument>('recoveries')

export function toRecoveryFields(record: RecoveryRecord): Omit<RecoveryDocument, '_id' | 'requeue'> {
  const { accountId, webhookId, status, afterSequence, createdAt, finishedAt } = record
  return { accountId, webhookId, status, afterSequence, createdAt, finishedAt, record }
}

/** Recoveries. Those of a deleted webhook are invisible, even while documents are left. */
export function createRecoveries(database: Database): RecoveryStore {
  const recoveries = recoveryCollection(database)

  /** The recovery. Requeues deliveries that were left pending by a crash. */
  async function find(accountId: string, id: string): Promise<RecoveryRecord | null> {
    const found = await recoveries.findOne({ _id: id, accountId })
    if (found === null || !(await findExistingIds(database, accountId, [found.webhookId])).has(found.webhookId)) {
      return null
    }
    await finishRequeue(database, found)
    return found.record
  }

  return {
    add: (recovery) =>
      database.run(async () => {
        const { id, accountId, webhookId } = recovery
        if ((await findExistingIds(database, accountId, [webhookId])).has(webhookId)) {
          await recoveries.insertOne({ _id: id, ...toRecoveryFields(recovery) })
        }
      }),
    find: (accountId, id) => database.run(() => find(accountId, id)),
    // One document holds the step and the deliveries it still has to requeue, so that both are
    // committed together.
    advance: ({ accountId, id, afterSequence }, { change, requeue: ids, at }) =>
      database.run(async () => {
        const before = await find(accountId, id)
        if (before === null) return false
        const after = { ...before, ...changedFields(change), id, accountId, webhookId: before.webhookId }
        const requeue = ids.length === 0 ? undefined : { ids, at, by: randomUUID() }
        const { matchedCount } = await recoveries.updateOne(
          { _id: id, accountId, status: 'running', afterSequence, requeue: { $exists: false } },
          { $set: { ...toRecoveryFields(after), ...(requeue === undefined ? {} : { requeue }) } }
        )
        if (matchedCount === 0) return false
        await finishRequeue(database, { _id: id, accountId, ...(requeue === undefined ? {} : { requeue }) })
        return true
      }),
    unfinished: (page) =>
      database.run(async () => {
        if (page.after === null) await finishRequeues(database)
        const found = await readOldestFirst(
          recoveries,
          { filter: { status: 'running' }, field: 'createdAt', hint: 'running' },
          page
        )
        return { ...found, items: await deleteOrphans(database, found.items) }
      })
  }
}

/** The recoveries whose webhooks exist. Deletes those that were added while their webhook was being deleted. */
async function deleteOrphans(database: Database, found: RecordRef[]): Promise<RecordRef[]> {
  const recoveries = recoveryCollection(database)
  const owners = await recoveries
    .find({ _id: { $in: found.map(({ id }) => id) } }, { projection: { webhookId: 1 }, batchSize: REPLY_SIZE })
    .toArray()
  const webhooks = await webhookCollection(database)
    .find(
      { _id: { $in: owners.map(({ webhookId }) => webhookId) } },
      { projection: { accountId: 1 }, batchSize: REPLY_SIZE }
    )
    .toArray()
  const existingIds = new Set(webhooks.filter((webhook) => !isDeleted(webhook)).map(({ _id }) => _id))
  const orphans = new Set(owners.filter(({ webhookId }) => !existingIds.has(webhookId)).map(({ _id }) => _id))
  if (orphans.size > 0) await recoveries.deleteMany({ _id: { $in: [...orphans] } })
  return found.filter(({ id }) => !orphans.has(id))
}

/**
 * Requeues the deliveries of the last committed step. Repeated or concurrent calls requeue no
 * delivery twice, because a delivery may have been attempted since.
 */
async function finishRequeue(
  database: Database,
  { _id, accountId, requeue }: Pick<RecoveryDocument, '_id' | 'accountId' | 'requeue'>
): Promise<void> {
  if (requeue === undefined) return
  await requeueDeliveries(database, accountId, requeue)
  await recoveryCollection(database).updateOne({ _id, 'requeue.by': requeue.by }, { $unset: { requeue: '' } })
}

/** Finishes the requeues of all recoveries that were left pending by a crash. */
export async function finishRequeues(database: Database): Promise<void> {
  const pending = await recoveryCollection(database)
    .find(
      { 'requeue.at': { $gt: '' } },
      { projection: { accountId: 1, requeue: 1 }, limit: BATCH_SIZE, hint: 'requeue' }
    )
    .toArray()
  for (const recovery of pending) await finishRequeue(database, recovery)
}

/** Deletes recoveries that ended before this time, at most `limit`. */
export async function sweepRecoveries(database: Database, before: string, limit: number): Promise<void> {
  const recoveries = recoveryCollection(database)
  await finishRequeues(database)
  const expired = await recoveries
    .find(
      { status: 'done', finishedAt: { $lt: before } },
      { projection: { _id: 1 }, sort: { finishedAt: 1 }, limit, hint: 'done' }
    )
    .toArray()
  if (expired.length > 0) await recoveries.deleteMany({ _id: { $in: expired.map(({ _id }) => _id) } })
}
