import { setImmediate } from 'node:timers/promises'
import type { ProductWrite, Store } from '../../ports/store/port.ts'
import { processLoad } from '../account-load.ts'
import { atOnceIn } from './chunk-sizes.ts'
import { groupBySize } from './sizes.ts'

/**
 * Before all rows are written in one transaction of a local store, they give way to others for so many milliseconds
 * each: several times as long as the transaction takes.
 */
const MS_PER_ATOMIC_ROW = 0.5

export interface SaveOptions {
  accountId: string
  /** All products are saved, or none. */
  atomic: boolean
  /** A crash of the machine may take the changes back: the caller repeats them. */
  repeatable: boolean
}

/** Saves products, and returns the externalIds of those that lost to concurrent changes. */
export async function saveProducts(
  store: Store,
  writes: ProductWrite[],
  { accountId, atomic, repeatable }: SaveOptions
): Promise<Set<string>> {
  // A fixed order prevents deadlocks in stores that lock row by row.
  const sorted = [...writes].sort((a, b) => (a.product.externalId < b.product.externalId ? -1 : 1))
  if (sorted.length === 0) return new Set()
  if (atomic) {
    if (!store.isRemote) await processLoad.giveWay(accountId, MS_PER_ATOMIC_ROW * sorted.length)
    return (await store.products.saveAll(sorted)) ? new Set() : new Set(sorted.map(({ product }) => product.externalId))
  }
  const lost = new Set<string>()
  for (const group of groupBySize(sorted, atOnceIn(store).length)) {
    const outcomes = await store.products.saveMany(group, { repeatable })
    for (const [i, { product }] of group.entries()) if (outcomes[i] !== 'saved') lost.add(product.externalId)
    if (group.length < sorted.length) await setImmediate()
  }
  return lost
}
