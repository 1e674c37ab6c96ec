import type { ProductRecord, ProductStore } from '../port.ts'
import type { Database } from './database.ts'
import { inAccount, inPlace } from './products-places.ts'
import { PRODUCT, PRODUCT_COLUMNS, productOf, titleKey, type ProductRow } from './products-rows.ts'

/**
 * How many of one title are told; where so many are called the same, more of them say nothing new.
 */
const MOST_OF_A_TITLE = 20

interface TitleRow {
  id: string
  title: string
  sku: string | null
  attributes: string
}

/** Reads products that are named by what they are called. */
export function createProductReads(
  db: Database
): Pick<ProductStore, 'find' | 'findByExternalIds' | 'existsInProject' | 'findByTitles'> {
  return {
    find: async (accountId, id) => {
      const { sql, values } = inAccount(accountId)
      const row = db.one<ProductRow>(
        `SELECT ${PRODUCT_COLUMNS} FROM ${PRODUCT} WHERE p.id = ? AND ${sql}`,
        id,
        ...values
      )
      return row === undefined ? null : productOf(row)
    },
    findByExternalIds: async (place, externalIds) => {
      const { sql, values } = inPlace(place)
      return db
        .all<ProductRow>(
          `SELECT ${PRODUCT_COLUMNS} FROM ${PRODUCT} WHERE ${sql} AND p.external_id IN (SELECT value FROM json_each(?))`,
          ...values,
          JSON.stringify(externalIds)
        )
        .map(productOf)
    },
    existsInProject: async (place) => {
      const { sql, values } = inPlace(place)
      return db.one(`SELECT p.n FROM products p WHERE ${sql} LIMIT 1`, ...values) !== undefined
    },
    findByTitles: async (place, titles) => {
      const { sql, values } = inPlace(place)
      return [...new Set(titles)]
        .flatMap((title) =>
          db.all<TitleRow>(
            `
        SELECT p.id, r.record ->> '$.title' AS title, r.record ->> '$.sku' AS sku, r.record -> '$.attributes' AS attributes FROM ${PRODUCT}
        WHERE ${sql} AND p.title_key = ? AND r.record ->> '$.title' = ? ORDER BY p.id LIMIT ${MOST_OF_A_TITLE}`,
            ...values,
            titleKey(title),
            title
          )
        )
        .map(({ attributes, ...row }) => ({
          ...row,
          attributes: JSON.parse(attributes) as ProductRecord['attributes']
        }))
    }
  }
}
