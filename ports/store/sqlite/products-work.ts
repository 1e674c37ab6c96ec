import type { ProductStore, ProjectRef } from '../port.ts'
import type { Database } from './database.ts'
import { inPlace } from './products-places.ts'
import { PRODUCT, PRODUCT_COLUMNS, productOf, type ProductRow } from './products-rows.ts'

type Mark = 'optimize_due' | 'picture_due' | 'untold_at'
const DUE = { optimize: 'optimize_due', imageCheck: 'picture_due' } as const

/**
 * Finds products that something has to be done for, and marks them. Each mark has an index of its
 * own that holds the marked ones alone.
 */
export function createProductWork(
  db: Database
): Pick<
  ProductStore,
  'markOptimizePending' | 'pending' | 'pendingProjects' | 'pendingEvents' | 'pendingEventProjects'
> {
  const marked = (mark: Mark, place: ProjectRef, limit: number) => {
    const { sql, values } = inPlace(place)
    return db
      .all<ProductRow>(
        `SELECT ${PRODUCT_COLUMNS} FROM ${PRODUCT} WHERE ${sql} AND p.${mark} IS NOT NULL ORDER BY p.${mark}, p.id LIMIT ?`,
        ...values,
        limit
      )
      .map(productOf)
  }
  /** Looks once into each project, however many of its products are marked. */
  const projects = (mark: Mark, limit: number) =>
    db
      .all<ProjectRef>(
        `
    SELECT l.account_id AS accountId, l.project_id AS projectId FROM product_places l
    WHERE EXISTS (SELECT 1 FROM products p WHERE p.place = l.place AND p.${mark} IS NOT NULL) LIMIT ?`,
        limit
      )
      .map((row) => ({ ...row }))

  return {
    markOptimizePending: async (place, { externalIds, at, force }) =>
      db.atomically(() => {
        const { sql, values } = inPlace(place)
        const which = externalIds === null ? sql : `${sql} AND p.external_id IN (SELECT value FROM json_each(?))`
        if (externalIds !== null) values.push(JSON.stringify(externalIds))
        // One that waits already is marked anew only to forget: then whoever works on it now must
        // not save what was made from the old.
        db.run(
          `UPDATE products AS p SET optimize_due = coalesce(optimize_due, ?), status = 'pending', version = version + 1${force ? ', optimized_from = NULL' : ''}
        WHERE ${which}${force ? '' : ' AND optimize_due IS NULL'}`,
          at,
          ...values
        )
        return (
          db.one<{ count: number }>(`SELECT count(*) AS count FROM products p WHERE ${which}`, ...values)?.count ?? 0
        )
      }),
    pending: async (place, work, limit) => marked(DUE[work], place, limit),
    pendingProjects: async (work, limit) => projects(DUE[work], limit),
    pendingEvents: async (place, limit) => {
      const { sql, values } = inPlace(place)
      const all = db.one<{ count: number; latestAt: string | null }>(
        `SELECT count(*) AS count, max(untold_at) AS latestAt FROM products p WHERE ${sql} AND p.untold_at IS NOT NULL`,
        ...values
      )
      return { products: marked('untold_at', place, limit), count: all?.count ?? 0, latestAt: all?.latestAt ?? null }
    },
    pendingEventProjects: async (limit) => projects('untold_at', limit)
  }
}
