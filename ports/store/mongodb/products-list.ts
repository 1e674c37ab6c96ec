import type { Filter, Sort } from 'mongodb'
import type { ProductFilter, ProductStore } from '../port.ts'
import type { Database } from './database.ts'
import { readWhole } from './products-batch-reads.ts'
import { productOf, products, SHOWN, type ProductDocument } from './products-documents.ts'
import { conditionOf } from './products-filter.ts'

type Key = Pick<ProductDocument, 'projectId' | 'externalId'>

/** Lists products page by page. */
export function createProductLists(database: Database): Pick<ProductStore, 'list'> {
  return {
    list: (filter, { page, pageSize }) =>
      database.act(async () => {
        const condition = conditionOf(filter)
        return await readWhole(database, filter.accountId, async (shown) => {
          const found = { ...condition, ...shown }
          const [totalCount, keys] = await Promise.all([
            products(database).countDocuments(found),
            keysOf(database, found, { skip: (page - 1) * pageSize, limit: pageSize })
          ])
          return { products: await wholeOf(database, filter, keys), totalCount }
        })
      })
  }
}

/**
 * Of products in order nothing is read but what the index has, so that what a deep page skips costs
 * little.
 */
async function keysOf(
  database: Database,
  found: Filter<ProductDocument>,
  page: { skip: number; limit: number }
): Promise<Key[]> {
  const sort: Sort = typeof found.projectId === 'string' ? { externalId: 1 } : { externalId: 1, projectId: 1 }
  return await products(database)
    .find<Key>(found, { projection: { _id: 0, externalId: 1, projectId: 1 }, sort, ...page })
    .toArray()
}

async function wholeOf(database: Database, { accountId }: ProductFilter, keys: Key[]) {
  if (keys.length === 0) return []
  const all = (name: keyof Key) => ({ $in: [...new Set(keys.map((key) => key[name]))] })
  const documents = await products(database)
    .find({ accountId, projectId: all('projectId'), externalId: all('externalId'), ...SHOWN })
    .toArray()
  const byKey = new Map(documents.map((document) => [wordOf(document), document]))
  return keys.flatMap((key) => {
    const document = byKey.get(wordOf(key))
    return document === undefined ? [] : [productOf(document)]
  })
}

const wordOf = ({ projectId, externalId }: Key): string => JSON.stringify([projectId, externalId])
