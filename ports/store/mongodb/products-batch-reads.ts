import type { Database } from './database.ts'
import { ABANDONED_MS, batches, batchesOf, settleBatches } from './products-batch-settle.ts'
import { products, SHOWN, THERE, type ProductDocument } from './products-documents.ts'

type Batched = Pick<ProductDocument, 'hidden'> & { pending?: { batch: string } }

/**
 * Reads products by what an open batch does not change: their ids, externalIds and claims. What was
 * decided is done first, so what is read is what holds;
 * what is not there yet is left out. `read` must bring `pending.batch` and `hidden`.
 */
export async function readSettled<Read extends Batched>(
  database: Database,
  read: () => Promise<Read[]>
): Promise<Read[]> {
  let found = await read()
  const open = batchesOf(found)
  if (open.length > 0) {
    await settleBatches(database, open)
    found = await read()
  }
  return found.filter(({ hidden }) => hidden !== true)
}

/**
 * Reads products by anything else. Nearly always no batch is open, which is looked for afterwards,
 * in an index that is empty then. Otherwise what was decided is done,
 * and it is read again with the condition that keeps out what is not there yet. `accountId` null:
 * of all accounts.
 */
export async function readWhole<Result>(
  database: Database,
  accountId: string | null,
  read: (shown: typeof SHOWN | object) => Promise<Result>
): Promise<Result> {
  const result = await read({})
  const open = await openBatches(database, accountId)
  if (open.length === 0) return result
  await settleBatches(database, open)
  return await read(SHOWN)
}

/**
 * The batches that products of the account are in; or all batches that products are in, and those
 * that a crash has left without any.
 */
export async function openBatches(database: Database, accountId: string | null): Promise<string[]> {
  const held = await products(database)
    .find(
      { 'pending.batch': THERE, ...(accountId === null ? {} : { accountId }) },
      { projection: { 'pending.batch': 1 } }
    )
    .toArray()
  if (accountId !== null) return batchesOf(held)
  const left = await batches(database)
    .find({ at: { $lt: Date.now() - ABANDONED_MS } }, { projection: { _id: 1 } })
    .toArray()
  return [...new Set([...batchesOf(held), ...left.map(({ _id }) => _id)])]
}
