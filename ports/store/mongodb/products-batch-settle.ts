import { setTimeout as wait } from 'node:timers/promises'
import type { AnyBulkWriteOperation, Collection, UpdateFilter } from 'mongodb'
import type { Database } from './database.ts'
import { products, replacing, type Pending, type ProductDocument, type SavedFields } from './products-documents.ts'

/**
 * Products that are saved all or none (see products-batch-save.ts). The state of this one document
 * decides for all of them; one that is not there
 * was given up. `at` is when it was heard of last, in milliseconds since 1970.
 */
export interface ProductBatch {
  _id: string
  state: 'preparing' | 'committed'
  at: number
}

/**
 * A batch that was not heard of for so long, and not decided, is given up by whoever meets it.
 * Whoever began it finds that out when it decides.
 */
export const ABANDONED_MS = 20_000
const POLL_MS = 20

export const batches = (database: Database): Collection<ProductBatch> =>
  database.collection<ProductBatch>('product_batches')

/** The batches that these products are in. */
export function batchesOf(documents: { pending?: Pick<Pending, 'batch'> }[]): string[] {
  return [...new Set(documents.flatMap(({ pending }) => pending?.batch ?? []))]
}

/**
 * Finishes these batches, which many may do at once: does what was decided, undoes what was given
 * up. Returns those that are not decided yet.
 */
export async function settleBatches(database: Database, ids: string[]): Promise<string[]> {
  const undecided: string[] = []
  for (const id of ids) {
    const batch = await batches(database).findOne({ _id: id })
    if (batch?.state === 'committed') await finish(database, id)
    else if (batch === null || (batch.at < Date.now() - ABANDONED_MS && (await giveUp(database, id)))) {
      await undo(database, id)
    } else undecided.push(id)
  }
  return undecided
}

/**
 * The same, and waits for what is not decided, but no longer than so many milliseconds. Returns
 * what is not decided then.
 */
export async function awaitBatches(database: Database, ids: string[], mostMs: number): Promise<string[]> {
  const until = Date.now() + mostMs
  let open = await settleBatches(database, ids)
  while (open.length > 0 && Date.now() < until) {
    await wait(POLL_MS)
    open = await settleBatches(database, open)
  }
  return open
}

/** Decides against a batch that is not decided. False when it was decided otherwise, or is gone. */
export async function giveUp(database: Database, id: string): Promise<boolean> {
  return (await batches(database).deleteOne({ _id: id, state: 'preparing' })).deletedCount === 1
}

/** Does what a batch that was decided on makes of its products, and forgets it. */
export async function finish(database: Database, id: string): Promise<void> {
  for (;;) {
    const documents = await products(database).find({ 'pending.batch': id }).toArray()
    if (documents.length === 0) break
    const writes = documents.map((document): AnyBulkWriteOperation<ProductDocument> => {
      const { _id, version } = document
      return {
        updateOne: {
          filter: { _id, 'pending.batch': id, version: version ?? { $exists: false } },
          update: replacing(decided(document), ['pending', 'hidden'])
        }
      }
    })
    await products(database).bulkWrite(writes, { ordered: false })
  }
  await batches(database).deleteOne({ _id: id })
}

/**
 * What the batch says of the product. Where it was marked to be optimized meanwhile, which nothing
 * keeps waiting, it is so marked.
 */
function decided({
  hidden,
  version,
  optimizePendingSince,
  optimizedFromDigest,
  pending
}: ProductDocument): SavedFields {
  const { record, ifVersion } = pending as Pending
  if (hidden === true || version === ifVersion) return record
  const since = [record.optimizePendingSince, optimizePendingSince].filter((time) => time !== undefined).toSorted()[0]
  return {
    ...record,
    version: record.version + version - (ifVersion as number),
    status: 'pending',
    optimizedFromDigest: optimizedFromDigest === null ? null : record.optimizedFromDigest,
    ...(since === undefined ? {} : { optimizePendingSince: since })
  }
}

/** Takes back what a batch that was given up has prepared. */
export async function undo(database: Database, id: string): Promise<void> {
  await products(database).deleteMany({ 'pending.batch': id, hidden: true })
  const claiming = await products(database)
    .find({ 'pending.batch': id, 'pending.was': { $exists: true } }, { projection: { 'pending.was': 1 } })
    .toArray()
  const writes = claiming.map(({ _id, pending }): AnyBulkWriteOperation<ProductDocument> => {
    const was = (pending as Pending).was as string[]
    const update: UpdateFilter<ProductDocument> =
      was.length === 0 ? { $unset: { pending: '', claims: '' } } : { $set: { claims: was }, $unset: { pending: '' } }
    return { updateOne: { filter: { _id, 'pending.batch': id }, update } }
  })
  if (writes.length > 0) await products(database).bulkWrite(writes, { ordered: false })
  await products(database).updateMany({ 'pending.batch': id }, { $unset: { pending: '' } })
}
