import type { UpdateFilter } from 'mongodb'
import type { ProductRecord } from '../../port.ts'
import type { Database } from '../database.ts'
import { PRODUCT_TOTALS_VERSION, readSchemaVersion } from '../schema-version.ts'
import { totalsKey, totalsMark, type TotalsFields } from '../totals/documents.ts'
import { productCollection, type ProductDocument } from './documents.ts'
import type { CountedProduct } from './totals/counts.ts'
import { foldProducts } from './totals/fold.ts'

/*
 * The counts contain a product until its deletion is added to them (decision 40). Until then, its document stays, with
 * nothing but its mark and what the counts contain of it. It belongs to no account, so that no query finds it.
 */

type ClearedField = Exclude<
  keyof ProductDocument,
  '_id' | 'externalId' | 'hidden' | 'deleted' | keyof TotalsFields<CountedProduct>
>

const CLEARED: Record<ClearedField, ''> = {
  accountId: '',
  projectId: '',
  version: '',
  status: '',
  title: '',
  titleHash: '',
  sku: '',
  description: '',
  price: '',
  category: '',
  url: '',
  imageUrl: '',
  images: '',
  brand: '',
  gtin: '',
  mpn: '',
  currency: '',
  availability: '',
  locale: '',
  attributes: '',
  tags: '',
  groupId: '',
  seo: '',
  quality: '',
  claims: '',
  terms: '',
  optimizedFromDigest: '',
  optimizePendingSince: '',
  imageCheckPendingSince: '',
  imageCheck: '',
  suggestion: '',
  suggestionDueAt: '',
  publishedDigest: '',
  eventPendingSince: '',
  lastImport: '',
  createdAt: '',
  updatedAt: '',
  pending: '',
  saveTokens: '',
  publishedEventIds: ''
}

/** The update that deletes a product. Its external id is free afterwards. */
export const deletionOf = (accountId: string, id: string): UpdateFilter<ProductDocument> => ({
  $set: { externalId: id, hidden: true, deleted: true, ...totalsMark(accountId) },
  $unset: CLEARED
})

/**
 * Makes ids of deleted products free, which an import of an export may use again. Returns whether there were any.
 * Throws nothing if another process does the same.
 */
export async function freeDeletedIds(
  database: Database,
  products: readonly Pick<ProductRecord, 'id' | 'accountId'>[]
): Promise<boolean> {
  const isDeleted = { _id: { $in: products.map(({ id }) => id) }, deleted: true } as const
  const find = async () =>
    await productCollection(database)
      .find(isDeleted, { projection: { totalsKey: 1 } })
      .toArray()
  let found = await find()
  if (found.length === 0) return false
  // Nothing is counted before. This process may not know yet that it is.
  if (((await readSchemaVersion(database)) ?? 0) < PRODUCT_TOTALS_VERSION) {
    await productCollection(database).deleteMany(isDeleted)
    return true
  }
  const accountIds = new Set(products.map(({ accountId }) => accountId))
  while (found.length > 0) {
    const keys = new Set(found.map((document) => document.totalsKey))
    const concerned = [...accountIds].filter((accountId) => keys.has(totalsKey(accountId, 'changed')))
    // An id of another account is that of no product which may be added.
    if (concerned.length === 0) return false
    for (const accountId of concerned) await foldProducts(database, accountId)
    found = await find()
  }
  return true
}
