import type { ProductFilter, ProductRecord, ProductStore } from '../../port.ts'
import type { Database } from '../database.ts'
import { hasTerms, productQuery } from '../search.ts'
import { and, type Condition } from '../sql.ts'
import {
  findProjectNs,
  inAccount,
  inProject,
  PRODUCT_COLUMNS,
  PRODUCT_TABLES,
  titleKey,
  toProduct,
  type ProductRow
} from './rows.ts'

type Methods =
  | 'find'
  | 'findByExternalIds'
  | 'list'
  | 'existsInProject'
  | 'findByTitles'
  | 'findClaimOwners'
  | 'findGroupLeaders'

const FILTERS = {
  status: 'p.status = ?',
  sku: 'p.sku = ?',
  externalId: 'p.external_id = ?',
  groupId: 'p.group_id = ?',
  handle: 'p.handle = ?',
  quality: "instr(p.quality, ',' || ? || ',') > 0",
  updatedSince: 'p.updated_at >= ?'
} as const
/**
 * Up to this many matches are sorted. With more, a page is found faster by scanning all products in
 * their order.
 */
const MAX_SORTED = 10_000
/** The unary plus prevents SQLite from scanning the index in this order. */
const SORTED = { from: 'products p', order: '+p.external_id, pp.project_id' }
const IN_ORDER = { from: 'products p INDEXED BY products_by_external_id', order: 'p.external_id, pp.project_id' }
const MAX_PER_TITLE = 20

interface TitleRow {
  id: string
  title: string
  sku: string | null
  attributes: string
}

/**
 * A single project is by far the most common case. As an equality, it lets an index return the
 * products in order.
 */
function inProjects(projectNs: number[], column: 'p.project_n' | '+p.project_n'): Condition {
  return projectNs.length === 1
    ? { sql: `${column} = ?`, values: projectNs }
    : { sql: `${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(projectNs)] }
}

/**
 * This category and its subcategories. The first two conditions are a range of the index that
 * contains little else; `!` is the character after the space.
 */
function inCategory(category: string): Condition {
  return {
    sql: 'p.category >= ? AND p.category < ? AND (p.category = ? OR p.category >= ?)',
    values: [category, `${category} >!`, category, `${category} > `]
  }
}

function toConditions(filter: ProductFilter, projectNs: number[]): Condition[] {
  const conditions: Condition[] = []
  for (const [name, sql] of Object.entries(FILTERS) as [keyof typeof FILTERS, string][]) {
    const value = filter[name]
    if (value !== undefined) conditions.push({ sql, values: [value] })
  }
  if (filter.category !== undefined) conditions.push(inCategory(filter.category))
  if (hasTerms(filter.terms)) {
    conditions.push({
      sql: 'p.n IN (SELECT rowid FROM product_search WHERE product_search MATCH ?)',
      values: [productQuery(projectNs, filter.terms)]
    })
  }
  return conditions
}

export function createProductQueries(db: Database): Pick<ProductStore, Methods> {
  const findByN = (n: number) =>
    toProduct(db.one<ProductRow>(`SELECT ${PRODUCT_COLUMNS} FROM ${PRODUCT_TABLES} WHERE p.n = ?`, n) as ProductRow)

  return {
    find: async (accountId, id) => {
      const { sql, values } = inAccount(accountId)
      const row = db.one<ProductRow>(
        `SELECT ${PRODUCT_COLUMNS} FROM ${PRODUCT_TABLES} WHERE p.id = ? AND ${sql}`,
        id,
        ...values
      )
      return row === undefined ? null : toProduct(row)
    },
    findByExternalIds: async (project, externalIds) => {
      const { sql, values } = inProject(project)
      return db
        .all<ProductRow>(
          `SELECT ${PRODUCT_COLUMNS} FROM ${PRODUCT_TABLES}
           WHERE ${sql} AND p.external_id IN (SELECT value FROM json_each(?))`,
          ...values,
          JSON.stringify(externalIds)
        )
        .map(toProduct)
    },
    list: async (filter, { page, pageSize }) => {
      const projectNs = findProjectNs(db, filter)
      if (projectNs.length === 0) return { products: [], totalCount: 0 }
      const conditions = toConditions(filter, projectNs)
      // The search already selects by project. Without the unary plus, SQLite would scan all
      // products of the project for it.
      const column = hasTerms(filter.terms) ? '+p.project_n' : 'p.project_n'
      const matches = and([inProjects(projectNs, column), ...conditions])
      const totalCount =
        db.one<{ count: number }>(`SELECT count(*) AS count FROM products p WHERE ${matches.sql}`, ...matches.values)
          ?.count ?? 0
      const skipped = (page - 1) * pageSize
      if (skipped >= totalCount) return { products: [], totalCount }

      const inOrder = conditions.length === 0 || totalCount > MAX_SORTED
      const { sql, values } = inOrder ? and([inProjects(projectNs, 'p.project_n'), ...conditions]) : matches
      const { from, order } = inOrder ? IN_ORDER : SORTED
      // Reads only row numbers in order, so that skipping the rows before a deep page is cheap.
      const rows = db.all<{ n: number }>(
        `SELECT p.n FROM ${from} JOIN product_projects pp ON pp.n = p.project_n
         WHERE ${sql} ORDER BY ${order} LIMIT ? OFFSET ?`,
        ...values,
        pageSize,
        skipped
      )
      return { products: rows.map(({ n }) => findByN(n)), totalCount }
    },
    existsInProject: async (project) => {
      const { sql, values } = inProject(project)
      return db.one(`SELECT p.n FROM products p WHERE ${sql} LIMIT 1`, ...values) !== undefined
    },
    findByTitles: async (project, titles) => {
      const { sql, values } = inProject(project)
      return [...new Set(titles)]
        .flatMap((title) =>
          db.all<TitleRow>(
            `SELECT p.id, r.record ->> '$.title' AS title, r.record ->> '$.sku' AS sku,
               r.record -> '$.attributes' AS attributes
             FROM ${PRODUCT_TABLES}
             WHERE ${sql} AND p.title_key = ? AND r.record ->> '$.title' = ?
             ORDER BY p.id LIMIT ${MAX_PER_TITLE}`,
            ...values,
            titleKey(title),
            title
          )
        )
        .map(({ attributes, ...row }) => ({
          ...row,
          attributes: JSON.parse(attributes) as ProductRecord['attributes']
        }))
    },
    findClaimOwners: async (project, claims) => {
      const { sql, values } = inProject(project)
      return db
        .all<{ claim: string; productId: string; groupId: string | null }>(
          `SELECT p.claim, owner.id AS productId, owner.group_id AS groupId
           FROM product_claims p JOIN products owner USING (n)
           WHERE ${sql} AND p.claim IN (SELECT value FROM json_each(?))`,
          ...values,
          JSON.stringify(claims)
        )
        .map((row) => ({ ...row }))
    },
    findGroupLeaders: async (project, groupIds) => {
      const { sql, values } = inProject(project)
      return [...new Set(groupIds)].flatMap((groupId) =>
        db
          .all<ProductRow>(
            `SELECT ${PRODUCT_COLUMNS} FROM ${PRODUCT_TABLES} WHERE ${sql} AND p.group_id = ? ORDER BY p.id LIMIT 1`,
            ...values,
            groupId
          )
          .map(toProduct)
      )
    }
  }
}
