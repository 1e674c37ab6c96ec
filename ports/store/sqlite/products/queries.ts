import { createYielder, mapInSlices } from '../../../../lib/async.ts'
import { TITLED_BYTES, type ProductRecord, type ProductStore, type SeoValues } from '../../port.ts'
import type { Database } from '../database.ts'
import {
  inAccount,
  inProject,
  PRODUCT_COLUMNS,
  PRODUCT_TABLES,
  readEach,
  titleKey,
  toProduct,
  type ProductRow
} from './rows.ts'

type Methods =
  | 'find'
  | 'findByExternalIds'
  | 'listAfter'
  | 'existsInProject'
  | 'findByTitles'
  | 'findClaimOwners'
  | 'findGroupLeaders'
  | 'listGroup'

const MAX_PER_TITLE = 20
/** Enough to know that a product is not the only one. */
const MIN_PER_TITLE = 2

type TitledProduct = Awaited<ReturnType<ProductStore['findByTitles']>>[number]

/** A damaged record must not make its siblings fail: the optimizer reports it. */
const lengthOfAttributes = (attributes: ProductRecord['attributes']): number =>
  Object.entries(attributes).reduce((sum, [name, value]) => sum + name.length + String(value).length, 0)

interface GroupMemberRow {
  id: string
  externalId: string
  seo: string
  optimizePendingSince: string | null
}

/** SQLite parses the whole record, which may have 256 KB. */
const GROUP_MEMBER = `
  SELECT p.id, p.external_id AS externalId, r.record ->> '$.seo' AS seo,
    p.optimize_pending_since AS optimizePendingSince
  FROM ${PRODUCT_TABLES} WHERE p.n = ?`

export function createProductQueries(db: Database): Pick<ProductStore, Methods> {
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
      const rows = db.all<{ n: number }>(
        `SELECT p.n FROM products p WHERE ${sql} AND p.external_id IN (SELECT value FROM json_each(?))`,
        ...values,
        JSON.stringify(externalIds)
      )
      return await readEach(
        db,
        rows.map(({ n }) => n)
      )
    },
    listAfter: async (project, { after, limit }) => {
      const { sql, values } = inProject(project)
      const rows = db.all<{ n: number }>(
        `SELECT p.n FROM products p INDEXED BY products_by_external_id
         WHERE ${sql} AND p.external_id > ? ORDER BY p.external_id LIMIT ?`,
        ...values,
        after ?? '',
        limit
      )
      return await readEach(
        db,
        rows.map(({ n }) => n)
      )
    },
    existsInProject: async (project) => {
      const { sql, values } = inProject(project)
      return db.one(`SELECT p.n FROM products p WHERE ${sql} LIMIT 1`, ...values) !== undefined
    },
    findByTitles: async (project, titles) => {
      const { sql, values } = inProject(project)
      const pause = createYielder()
      const found: TitledProduct[] = []
      let length = 0
      for (const title of new Set(titles)) {
        // Products with another title of the same key are so unlikely that the limit ignores them.
        const rows = db.all<{ n: number }>(
          `SELECT p.n FROM products p WHERE ${sql} AND p.title_key = ? ORDER BY p.id LIMIT ?`,
          ...values,
          titleKey(title),
          length < TITLED_BYTES ? MAX_PER_TITLE : MIN_PER_TITLE
        )
        const all = rows.map(({ n }) => n)
        const least = await readEach(db, all.slice(0, MIN_PER_TITLE))
        const others = await readEach(db, all.slice(MIN_PER_TITLE), TITLED_BYTES - length)
        for (const { id, title: stored, sku, attributes, description } of [...least, ...others]) {
          length += (description?.length ?? 0) + lengthOfAttributes(attributes)
          if (stored === title) found.push({ id, title, sku, attributes })
        }
        await pause()
      }
      return found
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
      const leaders = await mapInSlices([...new Set(groupIds)], (groupId) =>
        db
          .all<ProductRow>(
            `SELECT ${PRODUCT_COLUMNS} FROM ${PRODUCT_TABLES} WHERE ${sql} AND p.group_id = ? ORDER BY p.id LIMIT 1`,
            ...values,
            groupId
          )
          .map(toProduct)
      )
      return leaders.flat()
    },
    listGroup: async (project, groupId, { afterId, limit }) => {
      const { sql, values } = inProject(project)
      const rows = db.all<{ n: number }>(
        `SELECT p.n FROM products p WHERE ${sql} AND p.group_id = ? AND p.id > ? ORDER BY p.id LIMIT ?`,
        ...values,
        groupId,
        afterId ?? '',
        limit
      )
      const members = await mapInSlices(rows, ({ n }) => db.one<GroupMemberRow>(GROUP_MEMBER, n))
      return members
        .filter((row) => row !== undefined)
        .map(({ seo, ...keys }) => ({ ...keys, seo: JSON.parse(seo) as SeoValues }))
    }
  }
}
