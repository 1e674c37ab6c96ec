import { isDeepStrictEqual } from 'node:util'
import type {
  ProductInputs,
  ProductRecord,
  ProjectRecord,
  SeoValues,
  ProductWrite,
  Store
} from '../../ports/store/port.ts'
import { searchTerms } from '../blogs/search-terms.ts'
import { newId } from '../ids.ts'
import type { ProductChange } from './input.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { problem } from '../../errors.ts'
import type { UpsertResult } from '../../schemas/product.ts'
import { optimizeSetting } from '../projects.ts'

/** Fields that no output is made from, so that a new price does not make work. */
const IRRELEVANT_FOR_OUTPUTS: ReadonlySet<string> = new Set<keyof ProductInputs>([
  'price',
  'currency',
  'availability',
  'url',
  'gtin',
  'mpn'
])
/** Most words of a product in the search index. */
const MAX_TERMS = 100

const EMPTY_SEO: SeoValues = {
  metaTitle: null,
  metaDescription: null,
  pageTitle: null,
  pageDescription: null,
  imageUrl: null,
  handle: null
}

/**
 * A product that is not there yet, without anything said of it. Its version is 0, and the first
 * save makes it 1.
 */
export function newProduct(project: ProjectRecord, externalId: string, now: string): ProductRecord {
  return {
    id: newId(),
    accountId: project.accountId,
    projectId: project.id,
    externalId,
    version: 0,
    title: '',
    sku: null,
    description: null,
    price: null,
    category: null,
    url: null,
    imageUrl: null,
    images: [],
    brand: null,
    gtin: null,
    mpn: null,
    currency: null,
    availability: null,
    locale: null,
    attributes: {},
    tags: [],
    status: 'pending',
    seo: EMPTY_SEO,
    claims: [],
    terms: [],
    optimizedFromDigest: null,
    optimizePendingSince: null,
    imageCheckPendingSince: null,
    imageCheck: null,
    publishedDigest: null,
    eventPendingSince: null,
    lastImport: null,
    createdAt: now,
    updatedAt: now
  }
}

/** The names of the fields that the change makes different. */
export function changedFields(product: ProductRecord, change: ProductChange): (keyof ProductInputs)[] {
  const names = Object.keys(change) as (keyof ProductInputs)[]
  return names.filter((name) => product[name] !== change[name] && !isDeepStrictEqual(product[name], change[name]))
}

/**
 * The product after the change, which is known to make these fields different, and the work that
 * follows from it:
 * its outputs are to be made again by themselves where the project says so, and a new picture is to
 * be looked at. The version is not touched.
 */
export function applyChange(
  product: ProductRecord,
  change: ProductChange,
  { differ, optimize, now }: { differ: string[]; optimize: ProjectRecord['optimize']; now: string }
): ProductRecord {
  const next: ProductRecord = { ...product, ...change, updatedAt: now }
  if (differ.some((name) => ['title', 'sku', 'brand'].includes(name)) || product.terms.length === 0) {
    next.terms = productSearchTerms(next)
  }
  if (differ.some((name) => !IRRELEVANT_FOR_OUTPUTS.has(name))) {
    next.status = 'pending'
    next.optimizePendingSince =
      optimize === 'auto' ? (product.optimizePendingSince ?? now) : product.optimizePendingSince
  }
  if (differ.includes('imageUrl')) {
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

/** How often rows are tried again when others write the same products. */
const MAX_ATTEMPTS = 50
/** Longest wait before such a try, milliseconds. */
const MAX_BACKOFF_MS = 40

/** A row that nothing is wrong with. `line` tells it from the others and grows from row to row. */
export interface SoundRow {
  line: number
  externalId: string
  change: ProductChange
}
export interface RowResult {
  line: number
  result: UpsertResult /** Whether the externalId came before. */
  repeated: boolean
  product: ProductRecord
}
export interface WriteOptions {
  project: ProjectRecord /** All or nothing. */
  atomic?: boolean /** Tells what would be, and writes nothing. */
  dryRun?: boolean
  importId?: string
}

export type ProductWriter = ReturnType<typeof createProductWriter>

/** The one way in which rows become products, whether one, a batch or an import brings them. */
export function createProductWriter({ store }: { store: Store }) {
  /** Writes what was worked out; returns the externalIds that somebody else changed meanwhile. */
  async function save(writes: ProductWrite[], atomic: boolean): Promise<Set<string>> {
    // In one order for all, so that stores that lock row by row cannot lock crosswise.
    const sorted = [...writes].sort((a, b) => (a.product.externalId < b.product.externalId ? -1 : 1))
    if (sorted.length === 0) return new Set()
    if (atomic) {
      return (await store.products.saveAll(sorted))
        ? new Set()
        : new Set(sorted.map(({ product }) => product.externalId))
    }
    const outcomes = await store.products.saveMany(sorted)
    const lost = sorted.filter((_, i) => outcomes[i] !== 'saved')
    return new Set(lost.map(({ product }) => product.externalId))
  }

  return {
    /**
     * Creates or updates the products of the rows by externalId, in the order of the rows. Of a
     * repeated externalId the last one wins, and each row counts.
     * Rows that others write at the same moment are read and tried again; throws `busy` when that
     * never ends.
     */
    async write(
      rows: SoundRow[],
      { project, atomic = false, dryRun = false, importId }: WriteOptions
    ): Promise<RowResult[]> {
      const done: RowResult[] = []
      let open = rows
      for (let attempt = 1; open.length > 0; attempt++) {
        const ids = [...new Set(open.map(({ externalId }) => externalId))]
        const place = { accountId: project.accountId, projectId: project.id }
        const { written, writes } = planWrites(open, {
          project,
          importId,
          found: await store.products.findByExternalIds(place, ids)
        })
        const lost = dryRun ? new Set<string>() : await save(writes, atomic)
        done.push(...written.filter(({ product }) => !lost.has(product.externalId)))
        open = open.filter(({ externalId }) => lost.has(externalId))
        if (open.length > 0 && attempt === MAX_ATTEMPTS) {
          throw problem('busy', 'The same products are being written by others again and again.', {
            headers: { 'Retry-After': '1' }
          })
        }
        if (open.length > 0) await wait(Math.random() * MAX_BACKOFF_MS)
      }
      return done.sort((a, b) => a.line - b.line)
    }
  }
}

/** What becomes of the rows, and one write for every product that is different then. */
function planWrites(
  rows: SoundRow[],
  { project, importId, found }: { project: ProjectRecord; importId: string | undefined; found: ProductRecord[] }
): { written: RowResult[]; writes: ProductWrite[] } {
  const before = new Map(found.map((product) => [product.externalId, product]))
  const after = new Map<string, ProductRecord>()
  const results = new Map<string, UpsertResult[]>()
  const now = new Date().toISOString()
  const written: RowResult[] = []
  for (const { line, externalId, change } of rows) {
    const known = after.get(externalId) ?? before.get(externalId)
    const product = known ?? newProduct(project, externalId, now)
    const differ = changedFields(product, change)
    const changed = known === undefined || differ.length > 0
    const next = changed ? applyChange(product, change, { differ, optimize: optimizeSetting(project), now }) : product
    const soFar = results.get(externalId) ?? []
    const counted = previousResult(before.get(externalId), { importId, line, place: soFar.length })
    const result = counted ?? (known === undefined ? 'created' : changed ? 'updated' : 'unchanged')
    results.set(externalId, [...soFar, result])
    // A product remembers how its portion of an import found it: see origin in the store's records.
    if (changed && importId !== undefined && counted === null) {
      next.lastImport = toLastImport(importId, line, [...soFar, result])
    }
    written.push({ line, result, repeated: after.has(externalId), product: next })
    after.set(externalId, next)
  }
  const writes = [...after.values()].flatMap((product) => {
    const old = before.get(product.externalId)
    return old === product
      ? []
      : [{ product: { ...product, version: (old?.version ?? 0) + 1 }, ifVersion: old?.version ?? null }]
  })
  return { written, writes }
}

function toLastImport(importId: string, line: number, [result, ...later]: UpsertResult[]): ProductRecord['lastImport'] {
  return { importId, line, result: result!, ...(later.length === 0 ? {} : { later }) }
}

/**
 * As what the row was counted when this very portion wrote it before the process was killed; null
 * when it did not. `place` is its place among the rows of its product.
 */
function previousResult(
  stored: ProductRecord | undefined,
  { importId, line, place }: { importId: string | undefined; line: number; place: number }
): UpsertResult | null {
  const origin = stored?.lastImport ?? null
  if (origin === null || origin.importId !== importId || origin.line < line) return null
  return place === 0 ? origin.result : (origin.later?.[place - 1] ?? null)
}
