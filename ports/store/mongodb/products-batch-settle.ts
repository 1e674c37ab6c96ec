import { setTimeout as wait } from 'node:timers/promises'
import type { AnyBulkWriteOperation, Collection, UpdateFilter } from 'mongodb'
import type { Database } from './database.ts'
import { products, replacing, type Pending, type ProductDocument } from './products-documents.ts'

/**
 * Products that are saved all or none (see products-batch-save.ts). The state of this one document decides for all of them; one that is not there
 * was given up. `at` is when it began, in milliseconds since 1970.
 */
export interface ProductBatch { _id: string, state: 'preparing' | 'committed', at: number }

/** A batch that was begun so long ago, and not decided, is given up by whoever meets it. Whoever began it finds that out when it decides. */
const ABANDONED_MS = 30_000
const POLL_MS = 20

export const batches = (database: Database): Collection<ProductBatch> => database.collection<ProductBatch>('product_batches')

/** The batches that these products are in. */
export function batchesOf (documents: { pending?: Pick<Pending, 'batch'> }[]): string[] {
  return [...new Set(documents.flatMap(({ pending }) => pending?.batch ?? []))]
}

/** Finishes these batches, which may be harmlessly done by many at once: does what was decided, undoes what was given up. Returns those that are not decided yet. */
export async function settleBatches (database: Database, ids: string[]): Promise<string[]> {
  const undecided: string[] = []
  for (const id of ids) {
    const batch = await batches(database).findOne({ _id: id })
    if (batch?.state === 'committed') await finish(database, id)
    else if (batch === null || (batch.at < Date.now() - ABANDONED_MS && await giveUp(database, id))) await undo(database, id)
    else undecided.push(id)
  }
  return undecided
}

/** The same, and waits for what is not decided, but no longer than so many milliseconds. True when all are finished. */
export async function awaitBatches (database: Database, ids: string[], mostMs: number): Promise<boolean> {
  const until = Date.now() + mostMs
  let open = await settleBatches(database, ids)
  while (open.length > 0 && Date.now() < until) {
    await wait(POLL_MS)
    open = await settleBatches(database, open)
  }
  return open.length === 0
}

/** Decides against a batch that is not decided. False when it was decided otherwise, or is gone. */
export async function giveUp (database: Database, id: string): Promise<boolean> {
  return (await batches(database).deleteOne({ _id: id, state: 'preparing' })).deletedCount === 1
}

/** Does what a batch that was decided on makes of its products. */
async function finish (database: Database, id: string): Promise<void> {
  const documents = await products(database).find({ 'pending.batch': id }, { projection: { pending: 1 } }).toArray()
  await apply(database, id, documents.map(({ _id, pending }) => ({ _id, record: (pending as Pending).record })))
}

/** The same, for whoever has the records at hand: all of them. */
export async function apply (database: Database, id: string, records: { _id: string, record: Pending['record'] }[]): Promise<void> {
  const writes = records.map(({ _id, record }): AnyBulkWriteOperation<ProductDocument> => ({
    updateOne: { filter: { _id, 'pending.batch': id }, update: replacing(record, ['pending', 'hidden']) }
  }))
  if (writes.length > 0) await products(database).bulkWrite(writes, { ordered: false })
  await batches(database).deleteOne({ _id: id })
}

/** Takes back what a batch that was given up has prepared. */
export async function undo (database: Database, id: string): Promise<void> {
  await products(database).deleteMany({ 'pending.batch': id, hidden: true })
  const claiming = await products(database).find({ 'pending.batch': id, 'pending.was': { $exists: true } }, { projection: { 'pending.was': 1 } }).toArray()
  const writes = claiming.map(({ _id, pending }): AnyBulkWriteOperation<ProductDocument> => {
    const was = (pending as Pending).was as string[]
    const update: UpdateFilter<ProductDocument> = was.length === 0 ? { $unset: { pending: '', claims: '' } } : { $set: { claims: was }, $unset: { pending: '' } }
    return { updateOne: { filter: { _id, 'pending.batch': id }, update } }
  })
  if (writes.length > 0) await products(database).bulkWrite(writes, { ordered: false })
  await products(database).updateMany({ 'pending.batch': id }, { $unset: { pending: '' } })
}
