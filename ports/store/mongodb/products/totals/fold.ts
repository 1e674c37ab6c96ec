import { BSON } from 'mongodb'
import { createYielder } from '../../../../../lib/async.ts'
import type { Database } from '../../database.ts'
import { readInSlices } from '../../slices.ts'
import { markedOf, type FoldedRecord } from '../../totals/documents.ts'
import { clearMarks, markRemoval, readGeneration, recordCleared, replaceCounts } from '../../totals/generations.ts'
import { storedBytes } from '../../totals/sizes.ts'
import { productCollection, type ProductDocument } from '../documents.ts'
import {
  addProduct,
  PRODUCT_COUNT_KINDS,
  removeZeros,
  STATE_FIELDS,
  stateOf,
  type CountedProduct,
  type ProductCountKind,
  type ProductCounts
} from './counts.ts'
import { COUNTED_PRODUCTS, UNCOUNTED_FIELDS, type ProductTotalsDocument } from './documents.ts'

export interface ProductFoldLimits {
  /** Changes that one generation of counts adds. */
  changes: number
  /** As for blogs: above this, the kind with the most is no longer counted. */
  bytes: number
}

const LIMITS: ProductFoldLimits = { changes: 500, bytes: 2 ** 20 }

type MarkedProduct = Pick<ProductDocument, '_id' | keyof typeof STATE_FIELDS | 'totalsMark' | 'counted'> & {
  bytes: number
}

/**
 * Adds changes of an account's products to the counts, and then removes their marks, as for blogs. What is left of
 * deleted products is deleted then. Returns how many changes: 0 if there are none, or if another process was faster.
 */
export async function foldProducts(database: Database, accountId: string, limits = LIMITS): Promise<number> {
  const { last, isCleared } = await readGeneration<ProductTotalsDocument>(database, COUNTED_PRODUCTS, accountId)
  const generation = last?.generation ?? 0
  if (last !== null && !isCleared) await complete(database, accountId, { generation, folded: last.folded! })
  // Only now: a mark of this generation must not be added again.
  const found = await readInSlices(
    productCollection(database).aggregate<MarkedProduct>([
      { $match: markedOf(accountId) },
      { $limit: limits.changes },
      { $project: { ...STATE_FIELDS, totalsMark: 1, counted: 1, bytes: storedBytes(accountId, UNCOUNTED_FIELDS) } }
    ])
  )
  if (found.length === 0) return 0
  const counts = last?.counts ?? {}
  const uncounted = new Set(last?.uncounted)
  const folded: FoldedRecord<CountedProduct>[] = []
  const pause = createYielder()
  for (const product of found) {
    const state = stateOf(product)
    const previous = product.counted?.state ?? null
    if (previous !== null) addProduct(counts, previous, -1)
    if (state !== null) for (const kind of addProduct(counts, state, 1)) uncounted.add(kind)
    folded.push({ id: product._id, mark: product.totalsMark!, state })
    await pause()
  }
  await removeZeros(counts, pause)
  dropLargest(counts, uncounted, limits.bytes)
  const after = { generation: generation + 1, counts, uncounted: [...uncounted], folded }
  if (!(await replaceCounts(database, COUNTED_PRODUCTS, { accountId, ...after }))) return 0
  await complete(database, accountId, after)
  return folded.length
}

/** What follows the replacement of the counts. May be repeated, also by a process that slept in between. */
async function complete(
  database: Database,
  accountId: string,
  { generation, folded }: { generation: number; folded: FoldedRecord<CountedProduct>[] }
): Promise<void> {
  await clearMarks(database, COUNTED_PRODUCTS, {
    accountId,
    generation,
    folded,
    toWrite: (product) =>
      product.state === null
        ? { deleteOne: { filter: { _id: product.id, totalsMark: product.mark } } }
        : markRemoval(product, generation)
  })
  await recordCleared(database, COUNTED_PRODUCTS, { accountId, generation })
}

/** Removes kinds of labels until the counts are small enough. */
function dropLargest(counts: ProductCounts, dropped: Set<ProductCountKind>, maxBytes: number): void {
  const bytesOf = (kind: ProductCountKind) => BSON.calculateObjectSize(counts[kind] ?? {})
  for (const kind of dropped) delete counts[kind]
  while (BSON.calculateObjectSize(counts) > maxBytes) {
    const [largest] = PRODUCT_COUNT_KINDS.toSorted((a, b) => bytesOf(b) - bytesOf(a))
    dropped.add(largest!)
    delete counts[largest!]
  }
}
