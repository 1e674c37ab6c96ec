import { createYielder } from '../../../../../lib/async.ts'
import type { ProductFilter } from '../../../port.ts'
import type { Database } from '../../database.ts'
import { createSnapshots, TOTAL_SIZES, type TotalSizes } from '../../totals/snapshots.ts'
import type { ProductDocument } from '../documents.ts'
import { countedLabelOf, countProducts, isCounted, pathOf, STATE_FIELDS, stateOf } from './counts.ts'
import { COUNTED_PRODUCTS, type ProductTotalsDocument } from './documents.ts'
import { areProductTotalsStored } from './enabled.ts'
import { foldProducts } from './fold.ts'

export interface ProductTotals {
  /** The number of products of the list. Null: it must be counted. */
  count: (filter: ProductFilter) => Promise<number | null>
  /** Adds changes of an account to its counts in the background, until few are left. */
  startFolding: (accountId: string) => void
  /** Waits until nothing runs in the background, and starts nothing more. Throws what it threw. */
  close: () => Promise<void>
}

/** Reads stored totals with one command. Changes since then are added to the counts in the background. */
export function createProductTotals(database: Database, sizes: TotalSizes = TOTAL_SIZES): ProductTotals {
  const { read, startFolding, close } = createSnapshots<ProductDocument, ProductTotalsDocument>(database, {
    counted: COUNTED_PRODUCTS,
    stateFields: STATE_FIELDS,
    areStored: async () => await areProductTotalsStored(database),
    fold: async (accountId) => await foldProducts(database, accountId),
    sizes
  })
  return {
    async count(filter) {
      const label = countedLabelOf(filter)
      if (label === null) return null
      const found = await read(filter.accountId, [pathOf(label)])
      if (found === null || found.stored?.uncounted?.includes(label.kind) === true) return null
      let total = countProducts(found.stored?.counts ?? {}, filter, label)
      const pause = createYielder()
      for (const product of found.changed) {
        const isListed = isCounted(stateOf(product), filter, label)
        if (isListed === null) return null
        total += Number(isListed) - Number(isCounted(product.counted?.state ?? null, filter, label))
        await pause()
      }
      return total
    },
    startFolding,
    close
  }
}

const totals = new WeakMap<Database, ProductTotals>()

/** The totals of a database, which all parts of its store share. */
export function productTotalsOf(database: Database): ProductTotals {
  const existing = totals.get(database) ?? createProductTotals(database)
  totals.set(database, existing)
  return existing
}
