import type { Database } from '../../database.ts'
import { PRODUCT_TOTALS_VERSION } from '../../schema-version.ts'
import { ALL_TOTALS, totalsCollection, totalsMark } from '../../totals/documents.ts'
import { isSchemaAtLeast } from '../../totals/enabled.ts'
import { NOT_HIDDEN, productCollection } from '../documents.ts'
import { COUNTED_PRODUCTS } from './documents.ts'

const MARKED_AT_ONCE = 1_000

/** Whether every process that may write products marks its changes. */
export const areProductTotalsStored = async (database: Database): Promise<boolean> =>
  await isSchemaAtLeast(database, PRODUCT_TOTALS_VERSION)

/**
 * Deletes all counts, and marks all products, so that reads count them. Only while totals are not stored. A product
 * that an open batch adds is marked by the batch. `beforeEach` is called before each write.
 */
export async function markAllProducts(database: Database, beforeEach: () => Promise<void>): Promise<void> {
  const products = productCollection(database)
  await beforeEach()
  await totalsCollection(database, COUNTED_PRODUCTS).deleteMany({ _id: ALL_TOTALS })
  // No counts contain deleted products any more.
  await products.deleteMany({ hidden: true, deleted: true })
  for (let last = ''; ; ) {
    const page = await products
      .find(
        { _id: { $gt: last }, ...NOT_HIDDEN },
        { projection: { accountId: 1 }, sort: { _id: 1 }, limit: MARKED_AT_ONCE }
      )
      .toArray()
    if (page.length === 0) return
    last = page.at(-1)!._id
    const byAccount = Map.groupBy(page, ({ accountId }) => accountId)
    await beforeEach()
    await products.bulkWrite(
      [...byAccount].map(([accountId, found]) => ({
        updateMany: {
          filter: { _id: { $in: found.map(({ _id }) => _id) }, accountId },
          update: { $set: totalsMark(accountId), $unset: { counted: '' as const } }
        }
      })),
      { ordered: false }
    )
  }
}
