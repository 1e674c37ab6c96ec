import type { Document } from 'mongodb'
import type { StorageStore } from '../port.ts'
import { WITH_CONTENT } from './blogs/revisions.ts'
import { COUNTED_BLOGS, SERVICE_FIELDS, type BlogTotalsDocument } from './blogs/totals/documents.ts'
import { areSizesStored } from './blogs/totals/enabled.ts'
import { foldChanges } from './blogs/totals/fold.ts'
import { blogTotalsOf } from './blogs/totals/read.ts'
import type { Database } from './database.ts'
import { addUpResponses } from './idempotency.ts'
import { NOT_HIDDEN } from './products/documents.ts'
import { COUNTED_PRODUCTS, UNCOUNTED_FIELDS, type ProductTotalsDocument } from './products/totals/documents.ts'
import { areProductTotalsStored } from './products/totals/enabled.ts'
import { foldProducts } from './products/totals/fold.ts'
import { productTotalsOf } from './products/totals/read.ts'
import { storedBytes } from './totals/sizes.ts'
import { TOTAL_SIZES } from './totals/snapshots.ts'
import { readUsage, type RecordUsage } from './totals/usage.ts'

const IMAGE_BYTES = { $add: ['$bytes', { $ifNull: ['$originalBytes', 0] }] }
/** The failed rows of an import, and its upload until it ends. */
const IMPORT_BYTES = {
  $add: [{ $ifNull: ['$failedBytes', 0] }, { $cond: [{ $eq: ['$finishedAt', null] }, '$file.bytes', 0] }]
}

/**
 * Measures what an account has stored. Blogs and products are in the stored totals, with their sizes. The server adds
 * up the rest: images and revisions in an index, and imports and stored responses, which retention bounds.
 */
export function createStorage(database: Database): StorageStore {
  async function total(collection: string, filter: Document, bytes: Document | string): Promise<RecordUsage> {
    const [found] = await database
      .collection<Document>(collection)
      .aggregate<RecordUsage>([
        { $match: filter },
        { $group: { _id: null, records: { $sum: 1 }, bytes: { $sum: bytes } } }
      ])
      .toArray()
    return { records: found?.records ?? 0, bytes: Number(found?.bytes ?? 0) }
  }

  async function blogUsage(accountId: string): Promise<RecordUsage> {
    const totals = blogTotalsOf(database)
    if (await areSizesStored(database)) {
      const usage = await readUsage<BlogTotalsDocument>(database, {
        counted: COUNTED_BLOGS,
        accountId,
        fields: { timesSince: 1, bytesSince: 1 },
        isSized: ({ bytesSince }) => bytesSince !== undefined,
        since: ({ timesSince = 0 }) => timesSince,
        uncounted: SERVICE_FIELDS,
        fold: async () => await foldChanges(database, accountId)
      })
      if (usage === null || usage.marked >= TOTAL_SIZES.fold) totals.startFolding(accountId)
      if (usage !== null) return usage
    }
    return await total('blogs', { accountId, deleted: false }, storedBytes(accountId, SERVICE_FIELDS))
  }

  async function productUsage(accountId: string): Promise<RecordUsage> {
    if (!(await areProductTotalsStored(database))) {
      return await total('products', { accountId, ...NOT_HIDDEN }, storedBytes(accountId, UNCOUNTED_FIELDS))
    }
    const usage = await readUsage<ProductTotalsDocument>(database, {
      counted: COUNTED_PRODUCTS,
      accountId,
      uncounted: UNCOUNTED_FIELDS,
      fold: async () => await foldProducts(database, accountId)
    })
    if (usage!.marked >= TOTAL_SIZES.fold) productTotalsOf(database).startFolding(accountId)
    return usage!
  }

  const revisionUsage = async (accountId: string): Promise<RecordUsage> =>
    (await areSizesStored(database))
      ? await total('blog_revisions', { accountId, bytes: { $gt: 0 } }, '$bytes')
      : await total('blog_revisions', { accountId, ...WITH_CONTENT }, { $bsonSize: '$$ROOT' })

  return {
    measure: (accountId) =>
      database.run(async () => {
        const [blogs, products, revisions, images, imports, responses] = await Promise.all([
          blogUsage(accountId),
          productUsage(accountId),
          revisionUsage(accountId),
          total('images', { accountId }, IMAGE_BYTES),
          total('imports', { accountId }, IMPORT_BYTES),
          addUpResponses(database, accountId)
        ])
        const others = [blogs, products, revisions, images, imports]
        return {
          bytes: others.reduce((sum, { bytes }) => sum + bytes, responses),
          blogs: blogs.records,
          products: products.records,
          images: images.records
        }
      })
  }
}
