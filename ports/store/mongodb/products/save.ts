import { randomBytes } from 'node:crypto'
import type { AnyBulkWriteOperation, MongoBulkWriteError } from 'mongodb'
import { duplicatePositions } from '../../../../lib/mongodb.ts'
import type { ProductStore, ProductWrite, ProjectRef, SaveOutcome } from '../../port.ts'
import { commandSizesOf } from '../command-sizes.ts'
import type { Database } from '../database.ts'
import { bulkWriteInSlices } from '../slices.ts'
import { totalsMark } from '../totals/documents.ts'
import { waitForBatches } from './batches.ts'
import { deletionOf, freeDeletedIds } from './deleted.ts'
import { NOT_IN_BATCH, productCollection, replaceFields, toProductFields, type ProductDocument } from './documents.ts'

/**
 * Save tokens per product: more than the saves that can follow before a writer looks for its own.
 */
const MAX_SAVE_TOKENS = 4
/** The time to wait for open batches, in milliseconds. After that the caller must retry. */
const MAX_WAIT_MS = 1000
/** Minimum attempts to save a product whose claims were released meanwhile. */
const MIN_ROUNDS = 3

/**
 * The outcome of one attempt: final, retry because nothing is in the way, or the blocking batch. `deleted`: a deleted
 * product has the id.
 */
type Attempt = SaveOutcome | 'retry' | 'deleted' | { blockedBy: string }

const isFinal = (attempt: Attempt): attempt is SaveOutcome =>
  typeof attempt === 'string' && attempt !== 'retry' && attempt !== 'deleted'

/** Saves products independently: a few bulk writes per call, then one lookup for unclear outcomes. */
export function createProductSaves(database: Database): Pick<ProductStore, 'saveMany' | 'delete'> {
  return {
    saveMany: (writes) =>
      database.run(async () => {
        const outcomes = new Map<ProductWrite, SaveOutcome>()
        const deadline = Date.now() + MAX_WAIT_MS
        let remaining = writes
        for (let round = 1; remaining.length > 0; round++) {
          const attempts = await saveOnce(database, remaining)
          const isLast = round >= MIN_ROUNDS && Date.now() >= deadline
          const unsaved = remaining.filter((write, index) => {
            const attempt = attempts[index] as Attempt
            if (isFinal(attempt)) outcomes.set(write, attempt)
            else if (isLast) outcomes.set(write, 'conflict')
            return !outcomes.has(write)
          })
          const blocking = attempts.flatMap((attempt) => (typeof attempt === 'string' ? [] : attempt.blockedBy))
          if (blocking.length > 0) {
            await waitForBatches(database, [...new Set(blocking)], Math.max(0, deadline - Date.now()))
          }
          remaining = unsaved
        }
        return writes.map((write) => outcomes.get(write) as SaveOutcome)
      }),
    delete: ({ accountId, id, ifVersion }) =>
      database.run(async () => {
        const deadline = Date.now() + MAX_WAIT_MS
        for (;;) {
          const { matchedCount } = await productCollection(database).updateOne(
            { _id: id, accountId, version: ifVersion, ...NOT_IN_BATCH },
            deletionOf(accountId, id)
          )
          if (matchedCount === 1) return true
          const stored = await productCollection(database).findOne<VersionState>(
            { _id: id, accountId },
            { projection: VERSION_FIELDS }
          )
          const blocking = stored === null ? null : blockingBatch(stored, ifVersion)
          if (blocking === null || Date.now() >= deadline) return false
          await waitForBatches(database, [blocking], deadline - Date.now())
        }
      })
  }
}

/** Attempts every write once. */
async function saveOnce(database: Database, writes: ProductWrite[]): Promise<Attempt[]> {
  const token = randomBytes(9).toString('base64url')
  const { saved, duplicates } = await executeWrites(database, writes, token)
  if (saved === writes.length) return writes.map(() => 'saved')
  // If all other writes were saved, only the duplicates need a lookup. Otherwise all writes do: the
  // server does not report which update matched nothing.
  const othersSaved = saved + duplicates.size === writes.length
  const known = writes.map((_, index) => othersSaved && !duplicates.has(index))
  const unclear = writes.flatMap((write, index) => (known[index] ? [] : { write, duplicate: duplicates.has(index) }))
  const attempts = await lookUpOutcomes(database, unclear, token)
  const ofDeleted = unclear.filter((_, index) => attempts[index] === 'deleted')
  if (ofDeleted.length > 0) {
    await freeDeletedIds(
      database,
      ofDeleted.map(({ write }) => write.product)
    )
  }
  return known.map((isSaved) => (isSaved ? 'saved' : (attempts.shift() as Attempt)))
}

/** Executes the writes. Returns how many were saved, and the positions of those that are duplicates. */
async function executeWrites(
  database: Database,
  writes: ProductWrite[],
  token: string
): Promise<{ saved: number; duplicates: Set<number> }> {
  const duplicates = new Set<number>()
  let saved = 0
  let sent = 0
  await commandSizesOf(database, 'products').inParts(writes, async (part) => {
    const result = await bulkWriteInSlices(productCollection(database), part, (write) =>
      toOperation(write, token)
    ).catch((error: unknown) => {
      for (const position of duplicatePositions(error)) duplicates.add(sent + position)
      return (error as MongoBulkWriteError).result
    })
    saved += result.insertedCount + result.matchedCount
    sent += part.length
  })
  return { saved, duplicates }
}

function toOperation({ product, ifVersion }: ProductWrite, token: string): AnyBulkWriteOperation<ProductDocument> {
  const fields = toProductFields(product)
  const { id: _id, accountId, projectId, externalId } = product
  if (ifVersion === null) {
    return { insertOne: { document: { _id, ...fields, ...totalsMark(accountId), saveTokens: [token] } } }
  }
  // Project and externalId of a product never change: another value means another product.
  return {
    updateOne: {
      filter: { _id, accountId, projectId, externalId, version: ifVersion, ...NOT_IN_BATCH },
      update: { ...replaceFields(fields), $push: { saveTokens: { $each: [token], $slice: -MAX_SAVE_TOKENS } } }
    }
  }
}

/** A write whose outcome is unclear; `duplicate`: a unique index rejected it. */
interface UnclearWrite {
  write: ProductWrite
  duplicate: boolean
}
interface VersionState {
  version: number
  pending?: { batch: string; record: { version: number } }
}
type StoredProduct = Pick<
  ProductDocument,
  '_id' | 'projectId' | 'externalId' | 'accountId' | 'hidden' | 'deleted' | 'saveTokens' | 'claims'
> &
  VersionState & { pending?: { previousClaims?: string[] } }
interface StoredProducts {
  byId: Map<string, StoredProduct>
  byExternalId: Map<string, StoredProduct>
  byClaim: Map<string, StoredProduct>
}

/** What `blockingBatch` needs. */
const VERSION_FIELDS = { version: 1, 'pending.batch': 1, 'pending.record.version': 1 } as const
const LOOKUP_FIELDS = {
  projectId: 1,
  externalId: 1,
  accountId: 1,
  hidden: 1,
  deleted: 1,
  saveTokens: 1,
  claims: 1,
  'pending.previousClaims': 1,
  ...VERSION_FIELDS
} as const

/**
 * The open batch that prevents a change of this version, which the product has or may have after
 * the batch. Null when there is none.
 */
function blockingBatch({ version, pending }: VersionState, ifVersion: number): string | null {
  return pending !== undefined && (version === ifVersion || pending.record.version === ifVersion) ? pending.batch : null
}

/** The outcome of each write, in order. `token` identifies the saves of this call. */
async function lookUpOutcomes(database: Database, writes: UnclearWrite[], token: string): Promise<Attempt[]> {
  const products: StoredProducts = { byId: new Map(), byExternalId: new Map(), byClaim: new Map() }
  for (const stored of await readStored(database, writes)) {
    products.byId.set(stored._id, stored)
    products.byExternalId.set(toKey(stored, stored.externalId), stored)
    for (const claim of stored.claims ?? []) products.byClaim.set(toKey(stored, claim), stored)
  }
  return writes.map(({ write, duplicate }) => {
    const current = products.byId.get(write.product.id)
    if (current?.saveTokens?.includes(token) === true) return 'saved'
    if (write.ifVersion === null) return explainRejectedInsert(products, write)
    // The filter matched, and a claim was taken or the version was different.
    if (duplicate) return explainClaimConflict(products, write)
    const blockedBy = current?.accountId === write.product.accountId ? blockingBatch(current, write.ifVersion) : null
    return blockedBy === null ? 'conflict' : { blockedBy }
  })
}

async function readStored(database: Database, unclear: UnclearWrite[]): Promise<StoredProduct[]> {
  const find = async (filter: object) =>
    await productCollection(database).find<StoredProduct>(filter, { projection: LOOKUP_FIELDS }).toArray()
  const queries = [find({ _id: { $in: unclear.map(({ write }) => write.product.id) } })]
  const rejected = unclear.filter(({ duplicate, write }) => duplicate || write.ifVersion === null)
  const byProject = Map.groupBy(
    rejected.map(({ write }) => write),
    ({ product }) => toKey(product, '')
  )
  for (const writes of byProject.values()) {
    const { accountId, projectId } = (writes[0] as ProductWrite).product
    const added = writes.filter(({ ifVersion }) => ifVersion === null).map(({ product }) => product.externalId)
    const claims = writes.flatMap(({ product }) => product.claims)
    if (added.length > 0) queries.push(find({ accountId, projectId, externalId: { $in: added } }))
    if (claims.length > 0) queries.push(find({ accountId, projectId, claims: { $in: claims } }))
  }
  return (await Promise.all(queries)).flat()
}

/** Why an insert was rejected. An existing product takes precedence over a taken claim. */
function explainRejectedInsert(products: StoredProducts, write: ProductWrite): Attempt {
  const existing =
    products.byExternalId.get(toKey(write.product, write.product.externalId)) ?? products.byId.get(write.product.id)
  if (existing === undefined) return explainClaimConflict(products, write)
  if (existing.deleted === true) return 'deleted'
  return existing.hidden === true ? { blockedBy: getBatch(existing) } : 'conflict'
}

/**
 * `taken` when another product has a claim; `blockedBy` when an open batch requests or releases it.
 */
function explainClaimConflict(products: StoredProducts, { product }: ProductWrite): Attempt {
  const holders = product.claims.flatMap((claim) => {
    const holder = products.byClaim.get(toKey(product, claim))
    return holder === undefined || holder._id === product.id ? [] : { claim, holder }
  })
  const isTaken = holders.some(
    ({ claim, holder }) =>
      holder.hidden !== true && (holder.pending?.previousClaims ?? holder.claims ?? []).includes(claim)
  )
  if (isTaken) return 'taken'
  const inBatch = holders.find(({ holder }) => holder.pending !== undefined)
  return inBatch === undefined ? 'retry' : { blockedBy: getBatch(inBatch.holder) }
}

const getBatch = ({ pending }: VersionState): string => (pending as { batch: string }).batch
const toKey = ({ accountId, projectId }: ProjectRef, value: string): string =>
  JSON.stringify([accountId, projectId, value])
