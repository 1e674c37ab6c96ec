import { setImmediate } from 'node:timers/promises'
import type { ProductStore, ProjectRef } from '../../port.ts'
import type { Database } from '../database.ts'
import { and, type Condition } from '../sql.ts'
import { inAccount, inProject, PRODUCT_COLUMNS, PRODUCT_TABLES, toProduct, type ProductRow } from './rows.ts'

/** Products that are marked in one transaction. */
const MARKED_AT_ONCE = 250

type Methods = 'markOptimizePending' | 'pending' | 'pendingProjects' | 'pendingEvents' | 'pendingEventProjects'

/** Each of these columns has an index that contains only the products with pending work. */
type PendingColumn = 'optimize_pending_since' | 'image_check_pending_since' | 'event_pending_since'
const COLUMNS = { optimize: 'optimize_pending_since', imageCheck: 'image_check_pending_since' } as const

/**
 * Marks the pending events of these products as published, and increments their versions. Returns
 * false, and changes nothing, when one has another version or no pending event. Call inside a
 * transaction.
 */
export function markPublished(
  db: Database,
  accountId: string,
  products: { id: string; ifVersion: number; digest: string }[]
): boolean {
  const { sql, values } = inAccount(accountId)
  const allPending = products.every(
    ({ id, ifVersion }) =>
      db.one(
        `SELECT p.n FROM products p
         WHERE p.id = ? AND p.version = ? AND p.event_pending_since IS NOT NULL AND ${sql}`,
        id,
        ifVersion,
        ...values
      ) !== undefined
  )
  if (!allPending) return false
  for (const { id, ifVersion, digest } of products) {
    db.run(
      `UPDATE products SET published_digest = ?, event_pending_since = NULL, version = version + 1
       WHERE id = ? AND version = ?`,
      digest,
      id,
      ifVersion
    )
  }
  return true
}

export function createPendingProducts(db: Database): Pick<ProductStore, Methods> {
  function findPending(column: PendingColumn, project: ProjectRef, limit: number) {
    const { sql, values } = inProject(project)
    return db
      .all<ProductRow>(
        `SELECT ${PRODUCT_COLUMNS} FROM ${PRODUCT_TABLES}
         WHERE ${sql} AND p.${column} IS NOT NULL ORDER BY p.${column}, p.id LIMIT ?`,
        ...values,
        limit
      )
      .map(toProduct)
  }

  /** Needs one index lookup for each project, however many products are pending. */
  function findProjects(column: PendingColumn, limit: number): ProjectRef[] {
    return db
      .all<ProjectRef>(
        `SELECT pp.account_id AS accountId, pp.project_id AS projectId FROM product_projects pp
         WHERE EXISTS (SELECT 1 FROM products p WHERE p.project_n = pp.n AND p.${column} IS NOT NULL) LIMIT ?`,
        limit
      )
      .map((row) => ({ ...row }))
  }

  /** The last externalId of the next range; null if fewer products are left. */
  function findRangeEnd(project: ProjectRef, after: string): string | null {
    const { sql, values } = inProject(project)
    const row = db.one<{ id: string }>(
      `SELECT p.external_id AS id FROM products p WHERE ${sql} AND p.external_id > ?
       ORDER BY p.external_id LIMIT 1 OFFSET ?`,
      ...values,
      after,
      MARKED_AT_ONCE - 1
    )
    return row?.id ?? null
  }

  /** Marks the selected products, and returns their number. */
  function markPending(
    project: ProjectRef,
    selection: Condition,
    { at, force }: { at: string; force: boolean }
  ): number {
    const { sql, values } = and([inProject(project), selection])
    return db.transaction(() => {
      // `force` also increments the version of products that are already pending, so that a worker
      // which read one earlier cannot save outputs that it computed from the old state.
      db.run(
        `UPDATE products AS p
         SET optimize_pending_since = coalesce(optimize_pending_since, ?), status = 'pending', version = version + 1
           ${force ? ', optimized_from_digest = NULL' : ''}
         WHERE ${sql} ${force ? '' : 'AND optimize_pending_since IS NULL'}`,
        at,
        ...values
      )
      return db.one<{ count: number }>(`SELECT count(*) AS count FROM products p WHERE ${sql}`, ...values)?.count ?? 0
    })
  }

  return {
    // A transaction for each range, so that other work runs in between: a project may have a million
    // products.
    async markOptimizePending(project, { externalIds, groupIds, ...mark }) {
      let count = 0
      if (groupIds !== undefined) {
        for (const [i, groupId] of groupIds.entries()) {
          if (i > 0) await setImmediate()
          count += markPending(project, { sql: 'p.group_id = ?', values: [groupId] }, mark)
        }
        return count
      }
      if (externalIds !== null) {
        for (let start = 0; start < externalIds.length; start += MARKED_AT_ONCE) {
          if (start > 0) await setImmediate()
          const ids = JSON.stringify(externalIds.slice(start, start + MARKED_AT_ONCE))
          count += markPending(
            project,
            { sql: 'p.external_id IN (SELECT value FROM json_each(?))', values: [ids] },
            mark
          )
        }
        return count
      }
      for (let after = ''; ; await setImmediate()) {
        const last = findRangeEnd(project, after)
        const range =
          last === null
            ? { sql: 'p.external_id > ?', values: [after] }
            : { sql: 'p.external_id > ? AND p.external_id <= ?', values: [after, last] }
        count += markPending(project, range, mark)
        if (last === null) return count
        after = last
      }
    },
    pending: async (project, work, limit) => findPending(COLUMNS[work], project, limit),
    pendingProjects: async (work, limit) => findProjects(COLUMNS[work], limit),
    pendingEvents: async (project, limit) => {
      const { sql, values } = inProject(project)
      const all = db.one<{ count: number; latestAt: string | null }>(
        `SELECT count(*) AS count, max(event_pending_since) AS latestAt FROM products p
         WHERE ${sql} AND p.event_pending_since IS NOT NULL`,
        ...values
      )
      return {
        products: findPending('event_pending_since', project, limit),
        count: all?.count ?? 0,
        latestAt: all?.latestAt ?? null
      }
    },
    pendingEventProjects: async (limit) => findProjects('event_pending_since', limit)
  }
}
