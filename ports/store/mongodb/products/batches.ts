import { setTimeout as sleep } from 'node:timers/promises'
import type { AnyBulkWriteOperation, Collection, UpdateFilter } from 'mongodb'
import type { Database } from '../database.ts'
import { bulkWriteInSlices, readInSlices } from '../slices.ts'
import {
  EXISTS,
  NOT_HIDDEN,
  productCollection,
  replaceFields,
  type PendingChange,
  type ProductDocument,
  type SavedFields
} from './documents.ts'

/**
 * Products that are saved all or none (see batch-save.ts). The state of this one document decides
 * for all of them. A batch without a document was aborted.
 */
export interface ProductBatch {
  _id: string
  state: 'preparing' | 'committed'
  /** The writer's last heartbeat, in milliseconds since the epoch. */
  heartbeatAt: number
}

/**
 * An undecided batch without a heartbeat for this long is aborted by any process that encounters
 * it. Its writer then fails to commit.
 */
const ABANDONED_MS = 20_000
const POLL_MS = 20
/** Products of a committed batch that one command changes. */
const APPLIED_AT_ONCE = 200

export const batchCollection = (database: Database): Collection<ProductBatch> =>
  database.collection<ProductBatch>('product_batches')

/** The ids of the batches that these products belong to. */
export function batchIds(documents: { pending?: Pick<PendingChange, 'batch'> }[]): string[] {
  return [...new Set(documents.flatMap(({ pending }) => pending?.batch ?? []))]
}

/**
 * Completes these batches: applies committed ones and rolls back aborted ones. Several processes
 * may do this at once. Returns the batches that are not decided yet.
 */
export async function resolveBatches(database: Database, ids: string[]): Promise<string[]> {
  const undecided: string[] = []
  for (const id of ids) {
    const batch = await batchCollection(database).findOne({ _id: id })
    if (batch?.state === 'committed') await applyBatch(database, id)
    else if (batch === null || (isAbandoned(batch) && (await abortBatch(database, id)))) await rollBack(database, id)
    else undecided.push(id)
  }
  return undecided
}

const isAbandoned = ({ heartbeatAt }: ProductBatch): boolean => heartbeatAt < Date.now() - ABANDONED_MS

/** Like `resolveBatches`, but waits up to `maxMs` for batches that are not decided. */
export async function waitForBatches(database: Database, ids: string[], maxMs: number): Promise<string[]> {
  const deadline = Date.now() + maxMs
  let open = await resolveBatches(database, ids)
  while (open.length > 0 && Date.now() < deadline) {
    await sleep(POLL_MS)
    open = await resolveBatches(database, open)
  }
  return open
}

/** Aborts an undecided batch. False when it was committed or aborted before. */
export async function abortBatch(database: Database, id: string): Promise<boolean> {
  return (await batchCollection(database).deleteOne({ _id: id, state: 'preparing' })).deletedCount === 1
}

/** Applies the changes of a committed batch, then deletes the batch. */
export async function applyBatch(database: Database, id: string): Promise<void> {
  for (;;) {
    const documents = await readInSlices(
      productCollection(database).find({ 'pending.batch': id }, { limit: APPLIED_AT_ONCE })
    )
    if (documents.length === 0) break
    await bulkWriteInSlices(productCollection(database), documents, (document) => {
      const { _id, version } = document
      return {
        updateOne: {
          filter: { _id, 'pending.batch': id, version: version ?? { $exists: false } },
          update: replaceFields(committedFields(document), ['pending', 'hidden'])
        }
      }
    })
  }
  await batchCollection(database).deleteOne({ _id: id })
}

/**
 * The product after the batch. A product may be marked for optimization while the batch is open;
 * the result keeps that mark.
 */
function committedFields({
  hidden,
  version,
  optimizePendingSince,
  optimizedFromDigest,
  pending
}: ProductDocument): SavedFields {
  const { record, ifVersion } = pending as PendingChange
  if (hidden === true || version === ifVersion) return record
  const earliest = [record.optimizePendingSince, optimizePendingSince]
    .filter((time) => time !== undefined)
    .toSorted()[0]
  return {
    ...record,
    version: record.version + version - (ifVersion as number),
    status: 'pending',
    optimizedFromDigest: optimizedFromDigest === null ? null : record.optimizedFromDigest,
    ...(earliest === undefined ? {} : { optimizePendingSince: earliest })
  }
}

/** Undoes what an aborted batch has prepared. */
export async function rollBack(database: Database, id: string): Promise<void> {
  const products = productCollection(database)
  await products.deleteMany({ 'pending.batch': id, hidden: true })
  const withClaims = await products
    .find(
      { 'pending.batch': id, 'pending.previousClaims': { $exists: true } },
      { projection: { 'pending.previousClaims': 1 } }
    )
    .toArray()
  const writes = withClaims.map(({ _id, pending }): AnyBulkWriteOperation<ProductDocument> => {
    const claims = (pending as PendingChange).previousClaims as string[]
    const update: UpdateFilter<ProductDocument> =
      claims.length === 0 ? { $unset: { pending: '', claims: '' } } : { $set: { claims }, $unset: { pending: '' } }
    return { updateOne: { filter: { _id, 'pending.batch': id }, update } }
  })
  if (writes.length > 0) await products.bulkWrite(writes, { ordered: false })
  await products.updateMany({ 'pending.batch': id }, { $unset: { pending: '' } })
}

type BatchState = Pick<ProductDocument, 'hidden'> & { pending?: { batch: string } }

/**
 * Reads products by fields that an open batch does not change: id, externalId, claims. Completes
 * decided batches first and leaves out hidden products. `read` must include `pending.batch` and
 * `hidden` in its result.
 */
export async function readResolved<Read extends BatchState>(
  database: Database,
  read: () => Promise<Read[]>
): Promise<Read[]> {
  let found = await read()
  const open = batchIds(found)
  if (open.length > 0) {
    await resolveBatches(database, open)
    found = await read()
  }
  return found.filter(({ hidden }) => hidden !== true)
}

/**
 * Reads products by any fields. Checks for open batches after the read, because there is hardly
 * ever one and the check uses an index that is empty then. If there are open batches, completes the
 * decided ones and reads again with a condition that excludes hidden products. `accountId` null:
 * all accounts.
 */
export async function readConsistent<Result>(
  database: Database,
  accountId: string | null,
  read: (condition: typeof NOT_HIDDEN | object) => Promise<Result>
): Promise<Result> {
  const result = await read({})
  const open = await findOpenBatches(database, accountId)
  if (open.length === 0) return result
  await resolveBatches(database, open)
  return await read(NOT_HIDDEN)
}

/**
 * The open batches of the account's products. With null, of all products, and also batches without
 * products that were left by a crash.
 */
export async function findOpenBatches(database: Database, accountId: string | null): Promise<string[]> {
  const inBatch = await productCollection(database)
    .find(
      { 'pending.batch': EXISTS, ...(accountId === null ? {} : { accountId }) },
      { projection: { 'pending.batch': 1 } }
    )
    .toArray()
  if (accountId !== null) return batchIds(inBatch)
  const abandoned = await batchCollection(database)
    .find({ heartbeatAt: { $lt: Date.now() - ABANDONED_MS } }, { projection: { _id: 1 } })
    .toArray()
  return [...new Set([...batchIds(inBatch), ...abandoned.map(({ _id }) => _id)])]
}
