import { randomUUID } from 'node:crypto'
import type { AnyBulkWriteOperation } from 'mongodb'
import { duplicatePositions } from '../../../../lib/mongodb.ts'
import type { ProductStore, ProductWrite } from '../../port.ts'
import { commandSizesOf } from '../command-sizes.ts'
import type { Database } from '../database.ts'
import { bulkWriteInSlices, readInSlices } from '../slices.ts'
import {
  abortBatch,
  applyBatch,
  batchCollection,
  batchIds,
  findOpenBatches,
  rollBack,
  waitForBatches
} from './batches.ts'
import { freeDeletedIds } from './deleted.ts'
import { NOT_IN_BATCH, productCollection, replaceFields, toProductFields, type ProductDocument } from './documents.ts'

/** Products that are prepared between two heartbeats. */
const CHUNK_SIZE = 200
/** The time to wait for other batches, in milliseconds. After that the caller must retry. */
const MAX_WAIT_MS = 1000

/**
 * Saves products all or none on a server that changes one document atomically (two-phase commit):
 *
 * 1. Insert the batch in state `preparing`.
 * 2. Prepare each product: write the new record to `pending` and add the claims that it requests to
 *    those it has. Insert new products hidden.
 * 3. Set the batch to `committed`. This one update decides.
 * 4. Apply the pending changes and delete the batch.
 *
 * Every reader of a product with `pending` looks at the batch first (see batches.ts), so that a
 * crash at any point leaves all or none. A claim cannot move from one product to another within one
 * call, because it cannot be reserved for both; such a call is rejected.
 */
export function createProductBatches(database: Database): Pick<ProductStore, 'saveAll'> {
  return {
    saveAll: (writes) =>
      database.run(async () => {
        if (await trySaveAll(database, writes)) return true
        const added = writes.filter(({ ifVersion }) => ifVersion === null).map(({ product }) => product)
        const isFreed = added.length > 0 && (await freeDeletedIds(database, added))
        if (isFreed && (await trySaveAll(database, writes))) return true
        const accountIds = [...new Set(writes.map(({ product }) => product.accountId))]
        const ofAccounts = await Promise.all(accountIds.map((accountId) => findOpenBatches(database, accountId)))
        const open = [...new Set(ofAccounts.flat())]
        // Retry once: another batch, perhaps left by a crash, may have caused the failure.
        return (
          open.length > 0 &&
          (await waitForBatches(database, open, MAX_WAIT_MS)).length === 0 &&
          (await trySaveAll(database, writes))
        )
      })
  }
}

async function trySaveAll(database: Database, writes: ProductWrite[]): Promise<boolean> {
  if (writes.length === 0) return true
  const id = randomUUID()
  await batchCollection(database).insertOne({ _id: id, state: 'preparing', heartbeatAt: Date.now() })
  if ((await prepareAll(database, id, writes)) && (await commitBatch(database, id))) {
    await applyOwnBatch(database, id, writes)
    return true
  }
  await abortBatch(database, id)
  await rollBack(database, id)
  return false
}

async function commitBatch(database: Database, id: string): Promise<boolean> {
  const { matchedCount } = await batchCollection(database).updateOne(
    { _id: id, state: 'preparing' },
    { $set: { state: 'committed' } }
  )
  return matchedCount === 1
}

async function sendHeartbeat(database: Database, id: string): Promise<boolean> {
  const { matchedCount } = await batchCollection(database).updateOne(
    { _id: id, state: 'preparing' },
    { $set: { heartbeatAt: Date.now() } }
  )
  return matchedCount === 1
}

/** False when a product could not be prepared or another process aborted the batch. */
async function prepareAll(database: Database, id: string, writes: ProductWrite[]): Promise<boolean> {
  for (let start = 0; start < writes.length; start += CHUNK_SIZE) {
    if (start > 0 && !(await sendHeartbeat(database, id))) return false
    if (!(await prepareChunk(database, id, writes.slice(start, start + CHUNK_SIZE)))) return false
  }
  return true
}

async function prepareChunk(database: Database, id: string, writes: ProductWrite[]): Promise<boolean> {
  const stored = await readInSlices(
    productCollection(database).find(
      { _id: { $in: writes.map(({ product }) => product.id) } },
      { projection: { claims: 1, 'pending.batch': 1 } }
    )
  )
  // The claims of a product in another batch may change without a new version.
  if (batchIds(stored).length > 0) return false
  const claims = new Map(stored.map((document) => [document._id, document.claims ?? []]))
  try {
    const { insertedCount, matchedCount } = await bulkWriteInSlices(productCollection(database), writes, (write) =>
      write.ifVersion === null
        ? toHiddenInsert(id, write)
        : toPendingUpdate(id, write, claims.get(write.product.id) ?? [])
    )
    return insertedCount + matchedCount === writes.length
  } catch (error) {
    duplicatePositions(error)
    return false
  }
}

function toHiddenInsert(batch: string, { product }: ProductWrite): AnyBulkWriteOperation<ProductDocument> {
  const record = toProductFields(product)
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

function toPendingUpdate(
  batch: string,
  { product, ifVersion }: ProductWrite,
  previousClaims: string[]
): AnyBulkWriteOperation<ProductDocument> {
  const { id, accountId, projectId, externalId, claims } = product
  const same =
    previousClaims.length === claims.length && previousClaims.every((claim, index) => claim === claims[index])
  const pending = { batch, record: toProductFields(product), ifVersion, ...(same ? {} : { previousClaims }) }
  const reserved = same ? {} : { claims: [...new Set([...previousClaims, ...claims])] }
  return {
    updateOne: {
      filter: { _id: id, accountId, projectId, externalId, version: ifVersion as number, ...NOT_IN_BATCH },
      update: { $set: { pending, ...reserved } }
    }
  }
}

/**
 * Applies a committed batch with the records in memory, and products changed since as others would.
 */
async function applyOwnBatch(database: Database, id: string, writes: ProductWrite[]): Promise<void> {
  await commandSizesOf(database, 'products').inParts(writes, async (part) => {
    await bulkWriteInSlices(productCollection(database), part, ({ product, ifVersion }) => ({
      updateOne: {
        filter: { _id: product.id, 'pending.batch': id, version: ifVersion ?? { $exists: false } },
        update: replaceFields(toProductFields(product), ['pending', 'hidden'])
      }
    }))
  })
  await applyBatch(database, id)
}
