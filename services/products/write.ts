import { isDeepStrictEqual } from 'node:util'
import type { Queue } from '../../ports/queue/port.ts'
import type {
  ProductInputs,
  ProductRecord,
  ProjectRecord,
  ProductWrite,
  ProjectRef,
  Store
} from '../../ports/store/port.ts'
import { searchTerms } from '../blogs/search-terms.ts'
import { atOnceIn, createChunkSizes, runInTurns, type ChunkSizes } from './chunk-sizes.ts'
import type { ProductChange } from './input.ts'
import { createGroupChanges, type GroupChanges } from './group-changes.ts'
import { claimsTaken } from './group-claims.ts'
import { isChangedByEarlierRow, previousResult, toLastImport } from './last-import.ts'
import { newProduct } from './new-product.ts'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { createYielder } from '../../lib/async.ts'
import { createKeyLocks } from '../../lib/key-locks.ts'
import { problem } from '../../errors.ts'
import { MAX_ATOMIC_STORED_LENGTH, MAX_READ_LENGTH, type SeoInput, type UpsertResult } from '../../schemas/product.ts'
import { optimizeSetting } from '../projects.ts'
import type { StorageQuota } from '../storage.ts'
import { saveProducts } from './saving.ts'
import { applySeoOverrides, handleClaim } from './seo-overrides.ts'
import { assertLength, increaseOf, lengthOf, lengthOfTexts, withoutTexts } from './sizes.ts'

/** Fields that no output depends on. Changing them does not trigger optimization. */
const IRRELEVANT_FOR_OUTPUTS: ReadonlySet<string> = new Set<keyof ProductInputs>([
  'price',
  'currency',
  'availability',
  'url',
  'gtin',
  'mpn'
])
/** Maximum number of search terms per product. */
const MAX_TERMS = 100

/** The fields whose values changed after the change. */
export function changedFields(product: ProductRecord, change: ProductChange): (keyof ProductInputs)[] {
  const names = Object.keys(change) as (keyof ProductInputs)[]
  return names.filter((name) => product[name] !== change[name] && !isDeepStrictEqual(product[name], change[name]))
}

/**
 * Returns the product after a change to the fields in `changed`, and marks the pending work: a new
 * optimization if the project optimizes automatically, and a check of a new image. The version is
 * not touched.
 */
export function applyChange(
  product: ProductRecord,
  change: ProductChange,
  { changed, optimize, now }: { changed: string[]; optimize: ProjectRecord['optimize']; now: string }
): ProductRecord {
  const next: ProductRecord = { ...product, ...change, updatedAt: now }
  if (changed.some((name) => ['title', 'sku', 'brand'].includes(name)) || product.terms.length === 0) {
    next.terms = productSearchTerms(next)
  }
  if (changed.some((name) => !IRRELEVANT_FOR_OUTPUTS.has(name))) {
    next.status = 'pending'
    // The next optimization asks again.
    next.suggestionDueAt = null
    next.optimizePendingSince =
      optimize === 'auto' ? (product.optimizePendingSince ?? now) : product.optimizePendingSince
  }
  if (changed.includes('groupId')) {
    // It may be the first product of its new group, whose variants have other texts.
    next.optimizedFromDigest = null
    if (product.groupId !== null) next.claims = claimsTaken(product)
  }
  if (changed.includes('imageUrl')) {
    next.imageCheckPendingSince = next.imageUrl === null ? null : now
    next.imageCheck = null
  }
  return next
}

function productSearchTerms({ title, sku, externalId, brand, locale }: ProductRecord): string[] {
  return searchTerms([title, sku, externalId, brand].filter((part) => part !== null).join(' '), locale ?? 'en').slice(
    0,
    MAX_TERMS
  )
}

/** Attempts before `busy` is thrown because of concurrent writes to the same products. */
const MAX_ATTEMPTS = 50
/** Maximum delay before a new attempt, in milliseconds. */
const MAX_BACKOFF_MS = 40

/** A validated row. `line` identifies the row and increases from row to row. */
export interface ValidRow {
  line: number
  externalId: string
  change: ProductChange
  /** Manual values. */
  seo?: SeoInput
  isPriceRounded?: boolean
}
export interface RowResult {
  line: number
  result: UpsertResult
  /**
   * Whether an earlier row of the batch has the same externalId. In imports: whether an earlier row of the file
   * created or changed the product, which does not depend on the size of the batches.
   */
  repeated: boolean
  /** Without its long texts if the batch was written in several chunks. */
  product: ProductRecord
}
export interface WriteOptions {
  project: ProjectRecord
  /** Write all rows or none. */
  atomic?: boolean
  /** Return the results without writing. */
  dryRun?: boolean
  /** Rows of an import, which are written again unless its progress is stored after them. */
  importId?: string
  /** The operation of a request with an Idempotency-Key. A retry has the results of the first attempt. */
  operationId?: string | undefined
  /** The ids of new products by externalId. Default: generated. */
  ids?: ReadonlyMap<string, string> | undefined
}

/** The options of rows of one call. */
interface Writing extends WriteOptions {
  groups: GroupChanges
}

interface WriterParts {
  store: Store
  queue: Queue
  storage: StorageQuota
}

export type ProductWriter = ReturnType<typeof createProductWriter>

/** Writes rows as products, for single upserts, batches and imports. */
export function createProductWriter({ store, queue, storage }: WriterParts) {
  const { isRemote } = store
  const atOnce = atOnceIn(store)
  const locks = createKeyLocks()

  /**
   * Reads in chunks, because a dry run may have 5,000 products. Throws `payload_too_large` if they have more
   * than `maxLength` characters together: all of them are in memory at a time.
   */
  async function findExisting(project: ProjectRef, ids: string[], maxLength: number): Promise<ProductRecord[]> {
    const found: ProductRecord[] = []
    let length = 0
    for (let start = 0; start < ids.length; start += atOnce.found) {
      if (start > 0) await setImmediate()
      const chunk = await store.products.findByExternalIds(project, ids.slice(start, start + atOnce.found))
      found.push(...chunk)
      length += chunk.reduce((sum, product) => sum + lengthOf(product), 0)
      if (ids.length > 1) assertLength(length, maxLength)
    }
    return found
  }

  /** The products that hold the handles of the rows. */
  async function findHandleOwners(project: ProjectRef, rows: ValidRow[]): Promise<Map<string, string>> {
    const claims = rows.flatMap(({ seo }) => (seo?.handle == null ? [] : handleClaim(seo.handle)))
    if (claims.length === 0) return new Map()
    const owners = await store.products.findClaimOwners(project, [...new Set(claims)])
    return new Map(owners.map(({ claim, productId }) => [claim, productId]))
  }

  async function writeInChunks(rows: ValidRow[], options: Writing, sizes: ChunkSizes): Promise<RowResult[]> {
    const results: RowResult[] = []
    const written = new Set<string>()
    for (let start = 0; start < rows.length; ) {
      const next = rows.slice(start, start + sizes.size())
      const chunk = await writeAtOnce(next, options)
      start += next.length
      for (const row of chunk) {
        const { externalId } = row.product
        results.push({ ...row, product: withoutTexts(row.product), repeated: row.repeated || written.has(externalId) })
      }
      for (const { product } of chunk) written.add(product.externalId)
      await sizes.rest(
        next.length,
        chunk.reduce((sum, { product }) => sum + lengthOf(product), 0)
      )
    }
    return results
  }

  /**
   * Creates or updates products by externalId, in the order of the rows. For a repeated
   * externalId the last row wins, and each row is previous.
   * Rows that lose to concurrent writes are read and written again; throws `busy` after too many
   * attempts, and `storage_quota_exceeded`.
   */
  async function write(rows: ValidRow[], options: WriteOptions): Promise<RowResult[]> {
    const { accountId, id: projectId } = options.project
    const groups = createGroupChanges({ store, queue }, { accountId, projectId })
    return await runInTurns({ isRemote, accountId, rows: rows.length }, async () => {
      try {
        return await writeRows(rows, { ...options, groups })
      } finally {
        // Also of the rows that were written before an error.
        await groups.apply()
      }
    })
  }

  async function writeRows(rows: ValidRow[], options: Writing): Promise<RowResult[]> {
    const { project, atomic = false, dryRun = false, importId } = options
    // An import writes its rows in batches, which record what they wrote.
    if (atomic || dryRun || importId !== undefined) return await writeAtOnce(rows, options)
    const sizes = createChunkSizes({ isRemote, accountId: project.accountId })
    return rows.length > sizes.size() ? await writeInChunks(rows, options, sizes) : await writeAtOnce(rows, options)
  }

  /**
   * Rows of the same products lose to each other, and are read and written again: all rows, if they are atomic. So
   * those of one process wait for each other instead.
   */
  async function writeAtOnce(rows: ValidRow[], options: Writing): Promise<RowResult[]> {
    if (rows.length === 1 || options.dryRun === true) return await writeUntilSaved(rows, options)
    const { accountId, id } = options.project
    const keys = rows.map(({ externalId }) => JSON.stringify([accountId, id, externalId]))
    return await locks.run(keys, () => writeUntilSaved(rows, options))
  }

  async function writeUntilSaved(rows: ValidRow[], options: Writing): Promise<RowResult[]> {
    const { project, atomic = false, dryRun = false, importId, operationId, ids: newIds, groups } = options
    const { accountId } = project
    const results: RowResult[] = []
    let remaining = rows
    for (let attempt = 1; remaining.length > 0; attempt++) {
      const ids = [...new Set(remaining.map(({ externalId }) => externalId))]
      const projectRef = { accountId, projectId: project.id }
      // Other rows are written in chunks, and imports adapt the size of their batches.
      const found = await findExisting(projectRef, ids, atomic || dryRun ? MAX_READ_LENGTH : Infinity)
      const { written, writes } = await planWrites(remaining, {
        project,
        importId: importId ?? operationId,
        isImport: importId !== undefined,
        newIds,
        found,
        handleOwners: await findHandleOwners(projectRef, remaining)
      })
      if (atomic) assertLength(lengthOfTexts(writes), MAX_ATOMIC_STORED_LENGTH)
      if (!dryRun && attempt === 1) await storage.reserve(accountId, increaseOf(writes))
      const lost = dryRun
        ? new Set<string>()
        : await saveProducts(store, writes, { accountId, atomic, repeatable: importId !== undefined })
      results.push(...written.filter(({ product }) => !lost.has(product.externalId)))
      const before = new Map(found.map((product) => [product.id, product]))
      for (const { product } of writes) {
        if (!dryRun && !lost.has(product.externalId)) groups.add(before.get(product.id) ?? null, product)
      }
      remaining = remaining.filter(({ externalId }) => lost.has(externalId))
      if (remaining.length > 0 && attempt === MAX_ATTEMPTS) {
        throw problem('busy', 'Other requests keep writing the same products. Retry the request.', {
          headers: { 'Retry-After': '1' }
        })
      }
      if (remaining.length > 0) await wait(Math.random() * MAX_BACKOFF_MS)
    }
    return results.sort((a, b) => a.line - b.line)
  }

  return { write }
}

const withId = (product: ProductRecord, id: string | undefined): ProductRecord =>
  id === undefined ? product : { ...product, id }

interface PlanOptions {
  project: ProjectRecord
  importId: string | undefined
  /** Whether the rows belong to an import, not to a request with an Idempotency-Key. */
  isImport: boolean
  newIds: ReadonlyMap<string, string> | undefined
  found: ProductRecord[]
  handleOwners: Map<string, string>
}

/** Computes the result of each row, and one write for each changed product, in slices. */
async function planWrites(
  rows: ValidRow[],
  { project, importId, isImport, newIds, found, handleOwners }: PlanOptions
): Promise<{ written: RowResult[]; writes: ProductWrite[] }> {
  const pause = createYielder()
  const before = new Map(found.map((product) => [product.externalId, product]))
  const after = new Map<string, ProductRecord>()
  /** The rows by externalId, and how many of them there are up to the last one that changed the product. */
  const rowsById = new Map<string, { line: number; result: UpsertResult }[]>()
  const changingRows = new Map<string, number>()
  const now = new Date().toISOString()
  const written: RowResult[] = []
  /** The first product with a handle holds it. Others use it too: it is the address of a page that exists. */
  const holds = ({ id }: ProductRecord, { handle }: SeoInput): boolean => {
    if (handle == null) return false
    const claim = handleClaim(handle)
    if (!handleOwners.has(claim)) handleOwners.set(claim, id)
    return handleOwners.get(claim) === id
  }
  for (const { line, externalId, change, seo } of rows) {
    await pause()
    const known = after.get(externalId) ?? before.get(externalId)
    const product = known ?? withId(newProduct(project, externalId, now), newIds?.get(externalId))
    const fields = changedFields(product, change)
    const optimize = optimizeSetting(project)
    const changed =
      known === undefined || fields.length > 0
        ? applyChange(product, change, { changed: fields, optimize, now })
        : product
    const next =
      seo === undefined ? changed : applySeoOverrides(changed, seo, { optimize, now, holdsHandle: holds(product, seo) })
    const isChanged = known === undefined || next !== product
    const earlier = rowsById.get(externalId) ?? []
    rowsById.set(externalId, earlier)
    const stored = before.get(externalId)
    const previous = previousResult(stored, { importId, line })
    const result = previous ?? (known === undefined ? 'created' : isChanged ? 'updated' : 'unchanged')
    const repeated = isImport
      ? changingRows.has(externalId) || isChangedByEarlierRow(stored, { importId, line })
      : earlier.length > 0
    earlier.push({ line, result })
    // The product records the rows of its batch, so that a batch that is repeated after a crash
    // counts the same: see `lastImport` in the store records.
    if (isChanged && importId !== undefined && previous === null) changingRows.set(externalId, earlier.length)
    written.push({ line, result, repeated, product: next })
    after.set(externalId, next)
  }
  const writes = [...after.values()].flatMap((product) => {
    const old = before.get(product.externalId)
    if (old === product) return []
    const count = changingRows.get(product.externalId)
    const lastImport =
      count === undefined || importId === undefined
        ? product.lastImport
        : toLastImport(old, importId, rowsById.get(product.externalId)!.slice(0, count))
    const version = (old?.version ?? 0) + 1
    return [{ product: { ...product, lastImport, version }, ifVersion: old?.version ?? null }]
  })
  return { written, writes }
}
