import type { ProductFilter, ProductStore } from '../port.ts'
import { allOf, type Condition } from './conditions.ts'
import type { Database } from './database.ts'
import { placesSeenBy } from './products-places.ts'
import { PRODUCT, PRODUCT_COLUMNS, productOf, type ProductRow } from './products-rows.ts'
import { productWordsQuery } from './products-words.ts'

/** How each filter by one value reads; a filter that is left out has no condition. */
const CONDITIONS = {
  status: 'p.status = ?',
  sku: 'p.sku = ?',
  externalId: 'p.external_id = ?',
  updatedSince: 'p.updated_at >= ?'
} as const
/**
 * Up to so many products that a filter finds are sorted; of more, a page is found sooner by going
 * through all products in their order.
 */
const MOST_SORTED = 10_000
/** The sign + keeps SQLite from going through the index in this order. */
const SORTED = { from: 'products p', order: '+p.external_id, l.project_id' }
const IN_ORDER = { from: 'products p INDEXED BY products_by_external_id', order: 'p.external_id, l.project_id' }

/** Where all terms are empty, nothing is searched for. */
function searched({ terms = [] }: ProductFilter): boolean {
  return terms.some((term) => term !== '')
}

/**
 * One project, by far the most usual, is an equation, so that an index gives its products in order.
 */
function ofPlaces(places: number[], column: 'p.place' | '+p.place'): Condition {
  return places.length === 1
    ? { sql: `${column} = ?`, values: places }
    : { sql: `${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(places)] }
}

/**
 * Of this category or below it. The first two conditions are a span of the index that holds little
 * else; `!` is the sign after the space.
 */
function inCategory(category: string): Condition {
  return {
    sql: 'p.category >= ? AND p.category < ? AND (p.category = ? OR p.category >= ?)',
    values: [category, `${category} >!`, category, `${category} > `]
  }
}

function filtersOf(filter: ProductFilter, places: number[]): Condition[] {
  const conditions: Condition[] = []
  for (const [name, sql] of Object.entries(CONDITIONS) as [keyof typeof CONDITIONS, string][]) {
    const value = filter[name]
    if (value !== undefined) conditions.push({ sql, values: [value] })
  }
  if (filter.category !== undefined) conditions.push(inCategory(filter.category))
  if (searched(filter)) {
    conditions.push({
      sql: 'p.n IN (SELECT rowid FROM product_words WHERE product_words MATCH ?)',
      values: [productWordsQuery(places, filter.terms ?? [])]
    })
  }
  return conditions
}

/** Lists products page by page. */
export function createProductLists(db: Database): Pick<ProductStore, 'list'> {
  const whole = (n: number) =>
    productOf(db.one<ProductRow>(`SELECT ${PRODUCT_COLUMNS} FROM ${PRODUCT} WHERE p.n = ?`, n) as ProductRow)

  return {
    list: async (filter, { page, pageSize }) => {
      const places = placesSeenBy(db, filter)
      if (places.length === 0) return { products: [], totalCount: 0 }
      const filters = filtersOf(filter, places)
      // Words are found place by place already: without the sign SQLite goes through all products
      // of the place for them.
      const found = allOf([ofPlaces(places, searched(filter) ? '+p.place' : 'p.place'), ...filters])
      const totalCount =
        db.one<{ count: number }>(`SELECT count(*) AS count FROM products p WHERE ${found.sql}`, ...found.values)
          ?.count ?? 0
      const skipped = (page - 1) * pageSize
      if (skipped >= totalCount) return { products: [], totalCount }
      const inOrder = filters.length === 0 || totalCount > MOST_SORTED
      const { sql, values } = inOrder ? allOf([ofPlaces(places, 'p.place'), ...filters]) : found
      const { from, order } = inOrder ? IN_ORDER : SORTED
      // Only the numbers are read in order, so that what a deep page skips costs little.
      const rows = db.all<{ n: number }>(
        `
        SELECT p.n FROM ${from} JOIN product_places l USING (place) WHERE ${sql} ORDER BY ${order} LIMIT ? OFFSET ?`,
        ...values,
        pageSize,
        skipped
      )
      return { products: rows.map(({ n }) => whole(n)), totalCount }
    }
  }
}
