import type { Document } from 'mongodb'
import type { StorageStore } from '../port.ts'
import type { Database } from './database.ts'

const DOCUMENT_BYTES = { $bsonSize: '$$ROOT' }
const sizeOf = (field: string) => ({ $ifNull: [{ $bsonSize: field }, 0] })
/** Prepared responses, and what totals contain of the blog, are made by the service, and do not count. */
const BLOG_BYTES = { $subtract: [DOCUMENT_BYTES, { $add: [sizeOf('$response'), sizeOf('$counted')] }] }
const IMAGE_BYTES = { $add: ['$bytes', { $ifNull: ['$originalBytes', 0] }] }
/** The failed rows of an import, and its upload until it ends. */
const IMPORT_BYTES = {
  $add: [{ $ifNull: ['$failedBytes', 0] }, { $cond: [{ $eq: ['$finishedAt', null] }, '$file.bytes', 0] }]
}
/** The response to a request with an Idempotency-Key, whose scope begins with the account. */
const RESPONSE_BYTES = { $ifNull: [{ $bsonSize: '$answer' }, 0] }

/** Measures by aggregation, on the server. Takes time in proportion to the account's documents. */
export function createStorage(database: Database): StorageStore {
  async function total(collection: string, filter: Document, bytes: Document) {
    const [found] = await database
      .collection<Document>(collection)
      .aggregate<{ records: number; bytes: number }>([
        { $match: filter },
        { $group: { _id: null, records: { $sum: 1 }, bytes: { $sum: bytes } } }
      ])
      .toArray()
    return { records: found?.records ?? 0, bytes: Number(found?.bytes ?? 0) }
  }

  return {
    measure: (accountId) =>
      database.run(async () => {
        const [blogs, revisions, products, images, imports, responses] = await Promise.all([
          total('blogs', { accountId, deleted: false }, BLOG_BYTES),
          total('blog_revisions', { accountId }, DOCUMENT_BYTES),
          total('products', { accountId, hidden: { $exists: false } }, DOCUMENT_BYTES),
          total('images', { accountId }, IMAGE_BYTES),
          total('imports', { accountId }, IMPORT_BYTES),
          total('idempotency_keys', { _id: { $gte: `${accountId} `, $lt: `${accountId}!` } }, RESPONSE_BYTES)
        ])
        return {
          bytes: [blogs, revisions, products, images, imports, responses].reduce((sum, { bytes }) => sum + bytes, 0),
          blogs: blogs.records,
          products: products.records,
          images: images.records
        }
      })
  }
}
