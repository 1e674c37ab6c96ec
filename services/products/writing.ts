import { setTimeout as wait } from 'node:timers/promises'
import { problem } from '../../errors.ts'
import type { ProductRecord, ProductWrite, ProjectRecord, Store } from '../../ports/store/port.ts'
import type { UpsertResult } from '../../schemas/product.ts'
import { optimizeSetting } from '../projects.ts'
import type { ProductChange } from './inputs.ts'
import { differences, freshProduct, merged } from './merge.ts'

/** How often rows are tried again when others write the same products. */
const MOST_TRIES = 50
/** Longest wait before such a try, milliseconds. */
const MOST_WAIT_MS = 40

/** A row that nothing is wrong with. `line` tells it from the others and grows from row to row. */
export interface SoundRow {
  line: number
  externalId: string
  change: ProductChange
}
export interface WrittenRow {
  line: number
  result: UpsertResult /** Whether the externalId came before. */
  repeated: boolean
  product: ProductRecord
}
export interface WriteTerms {
  project: ProjectRecord /** All or nothing. */
  atomic?: boolean /** Tells what would be, and writes nothing. */
  dryRun?: boolean
  importId?: string
}

export type ProductWriting = ReturnType<typeof createProductWriting>

/** The one way in which rows become products, whether one, a batch or an import brings them. */
export function createProductWriting({ store }: { store: Store }) {
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
      { project, atomic = false, dryRun = false, importId }: WriteTerms
    ): Promise<WrittenRow[]> {
      const done: WrittenRow[] = []
      let open = rows
      for (let attempt = 1; open.length > 0; attempt++) {
        const ids = [...new Set(open.map(({ externalId }) => externalId))]
        const place = { accountId: project.accountId, projectId: project.id }
        const { written, writes } = worked(open, {
          project,
          importId,
          found: await store.products.findByExternalIds(place, ids)
        })
        const lost = dryRun ? new Set<string>() : await save(writes, atomic)
        done.push(...written.filter(({ product }) => !lost.has(product.externalId)))
        open = open.filter(({ externalId }) => lost.has(externalId))
        if (open.length > 0 && attempt === MOST_TRIES) {
          throw problem('busy', 'The same products are being written by others again and again.', {
            headers: { 'Retry-After': '1' }
          })
        }
        if (open.length > 0) await wait(Math.random() * MOST_WAIT_MS)
      }
      return done.sort((a, b) => a.line - b.line)
    }
  }
}

/** What becomes of the rows, and one write for every product that is different then. */
function worked(
  rows: SoundRow[],
  { project, importId, found }: { project: ProjectRecord; importId: string | undefined; found: ProductRecord[] }
): { written: WrittenRow[]; writes: ProductWrite[] } {
  const before = new Map(found.map((product) => [product.externalId, product]))
  const after = new Map<string, ProductRecord>()
  const results = new Map<string, UpsertResult[]>()
  const now = new Date().toISOString()
  const written: WrittenRow[] = []
  for (const { line, externalId, change } of rows) {
    const known = after.get(externalId) ?? before.get(externalId)
    const product = known ?? freshProduct(project, externalId, now)
    const differ = differences(product, change)
    const changed = known === undefined || differ.length > 0
    const next = changed ? merged(product, change, { differ, optimize: optimizeSetting(project), now }) : product
    const soFar = results.get(externalId) ?? []
    const counted = resultBefore(before.get(externalId), { importId, line, place: soFar.length })
    const result = counted ?? (known === undefined ? 'created' : changed ? 'updated' : 'unchanged')
    results.set(externalId, [...soFar, result])
    // A product remembers how its portion of an import found it: see origin in the store's records.
    if (changed && importId !== undefined && counted === null) {
      next.lastImport = originOf(importId, line, [...soFar, result])
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

function originOf(importId: string, line: number, [result, ...later]: UpsertResult[]): ProductRecord['lastImport'] {
  return { importId, line, result: result!, ...(later.length === 0 ? {} : { later }) }
}

/**
 * As what the row was counted when this very portion wrote it before the process was killed; null
 * when it did not. `place` is its place among the rows of its product.
 */
function resultBefore(
  stored: ProductRecord | undefined,
  { importId, line, place }: { importId: string | undefined; line: number; place: number }
): UpsertResult | null {
  const origin = stored?.lastImport ?? null
  if (origin === null || origin.importId !== importId || origin.line < line) return null
  return place === 0 ? origin.result : (origin.later?.[place - 1] ?? null)
}
