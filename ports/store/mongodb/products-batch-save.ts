import { randomUUID } from 'node:crypto'
import type { AnyBulkWriteOperation } from 'mongodb'
import type { ProductStore, ProductWrite } from '../port.ts'
import type { Database } from './database.ts'
import { duplicatesOf } from './driver-errors.ts'
import { openBatches } from './products-batch-reads.ts'
import { awaitBatches, batches, batchesOf, finish, giveUp, undo } from './products-batch-settle.ts'
import { fieldsOf, FREE, products, replacing, type ProductDocument } from './products-documents.ts'

/** So many products are prepared between two signs of life. */
const PORTION = 200
/** How long other batches are waited for; after that it is for the caller to come again. */
const MOST_WAIT_MS = 1000

/**
 * Saves products all or none where a server changes one document at a time. A batch is begun; each
 * product is given what it shall become in `pending`, and holds the claims
 * that it wants beside those that it has; a new one is put down hidden. Then the batch's own
 * document is changed from preparing to committed: that one change decides.
 * Then what is pending is done. Who meets a product with `pending` asks the batch first
 * (products-batch-settle.ts), so a crash at any point leaves all or none.
 * A claim that goes from one product to another within the same call cannot be held for both: that
 * is refused.
 */
export function createProductBatches(database: Database): Pick<ProductStore, 'saveAll'> {
  return {
    saveAll: (writes) =>
      database.act(async () => {
        if (await savedWhole(database, writes)) return true
        const held = await Promise.all(
          [...new Set(writes.map(({ product }) => product.accountId))].map((accountId) =>
            openBatches(database, accountId)
          )
        )
        const open = [...new Set(held.flat())]
        // Another batch may have been in the way, perhaps one that a crash has left.
        return (
          open.length > 0 &&
          (await awaitBatches(database, open, MOST_WAIT_MS)).length === 0 &&
          (await savedWhole(database, writes))
        )
      })
  }
}

async function savedWhole(database: Database, writes: ProductWrite[]): Promise<boolean> {
  if (writes.length === 0) return true
  const id = randomUUID()
  await batches(database).insertOne({ _id: id, state: 'preparing', at: Date.now() })
  const decided =
    (await prepared(database, id, writes)) &&
    (await batches(database).updateOne({ _id: id, state: 'preparing' }, { $set: { state: 'committed' } }))
      .matchedCount === 1
  if (decided) {
    await done(database, id, writes)
  } else {
    await giveUp(database, id)
    await undo(database, id)
  }
  return decided
}

/** Prepares all products; false when one could not be, or the batch was given up by others. */
async function prepared(database: Database, id: string, writes: ProductWrite[]): Promise<boolean> {
  for (let start = 0; start < writes.length; start += PORTION) {
    if (
      start > 0 &&
      (await batches(database).updateOne({ _id: id, state: 'preparing' }, { $set: { at: Date.now() } }))
        .matchedCount === 0
    ) {
      return false
    }
    if (!(await preparedPortion(database, id, writes.slice(start, start + PORTION)))) return false
  }
  return true
}

async function preparedPortion(database: Database, id: string, writes: ProductWrite[]): Promise<boolean> {
  const stored = await products(database)
    .find({ _id: { $in: writes.map(({ product }) => product.id) } }, { projection: { claims: 1, 'pending.batch': 1 } })
    .toArray()
  // What another batch holds may have claims that are given back without a new version.
  if (batchesOf(stored).length > 0) return false
  const claims = new Map(stored.map((document) => [document._id, document.claims ?? []]))
  const operations = writes.map((write) =>
    write.ifVersion === null ? placing(id, write) : holding(id, write, claims.get(write.product.id) ?? [])
  )
  try {
    const { insertedCount, matchedCount } = await products(database).bulkWrite(operations, { ordered: false })
    return insertedCount + matchedCount === writes.length
  } catch (error) {
    duplicatesOf(error)
    return false
  }
}

/** Puts a new product down, hidden. */
function placing(batch: string, { product }: ProductWrite): AnyBulkWriteOperation<ProductDocument> {
  const record = fieldsOf(product)
  const { accountId, projectId, externalId, claims } = record
  const document = {
    _id: product.id,
    accountId,
    projectId,
    externalId,
    ...(claims === undefined ? {} : { claims }),
    hidden: true,
    pending: { batch, record, ifVersion: null }
  }
  return { insertOne: { document: document as unknown as ProductDocument } }
}

/** Lets a product of this version hold what it shall become. */
function holding(
  batch: string,
  { product, ifVersion }: ProductWrite,
  was: string[]
): AnyBulkWriteOperation<ProductDocument> {
  const { id, accountId, projectId, externalId, claims } = product
  const same = was.length === claims.length && was.every((claim, at) => claim === claims[at])
  const pending = { batch, record: fieldsOf(product), ifVersion, ...(same ? {} : { was }) }
  const held = same ? {} : { claims: [...new Set([...was, ...claims])] }
  return {
    updateOne: {
      filter: { _id: id, accountId, projectId, externalId, version: ifVersion as number, ...FREE },
      update: { $set: { pending, ...held } }
    }
  }
}

/** Does what was decided with the records at hand, and the rest as others would. */
async function done(database: Database, id: string, writes: ProductWrite[]): Promise<void> {
  await products(database).bulkWrite(
    writes.map(
      ({ product, ifVersion }): AnyBulkWriteOperation<ProductDocument> => ({
        updateOne: {
          filter: { _id: product.id, 'pending.batch': id, version: ifVersion ?? { $exists: false } },
          update: replacing(fieldsOf(product), ['pending', 'hidden'])
        }
      })
    ),
    { ordered: false }
  )
  await finish(database, id)
}
