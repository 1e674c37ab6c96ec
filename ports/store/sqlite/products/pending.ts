import { createYielder } from '../../../../lib/async.ts'
import {
  PENDING_BYTES,
  type ProductStore,
  type ProductWork,
  type ProjectRef,
  type SweepCursor,
  type SweepPage
} from '../../port.ts'
import type { Database } from '../database.ts'
import { distinctValues, toSweepPage } from '../sql.ts'
import { forEachStep, RowSet, type StepSizes } from '../steps.ts'
import { inAccount, inProject, readEach } from './rows.ts'

type Methods = 'markOptimizePending' | 'pending' | 'hasPending' | 'pendingProjects' | 'pendingEvents'

/** Each of these columns has an index that contains only the products with pending work. */
type PendingColumn =
  | 'optimize_pending_since'
  | 'image_check_pending_since'
  | 'suggestion_due_at'
  | 'event_pending_since'
const COLUMNS = {
  optimize: 'optimize_pending_since',
  imageCheck: 'image_check_pending_since',
  suggest: 'suggestion_due_at',
  publish: 'event_pending_since'
} as const satisfies Record<ProductWork, PendingColumn>

/** A step changes a fraction of the rows that it could read. */
const CHANGED_SHARE = 0.125

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

export function createPendingProducts(db: Database, stepSizes: StepSizes): Pick<ProductStore, Methods> {
  /** The row numbers of the first pending products, oldest first, then by id. */
  function findPending(column: PendingColumn, project: ProjectRef, limit: number): number[] {
    const { sql, values } = inProject(project)
    return db
      .all<{ n: number }>(
        `SELECT p.n FROM products p WHERE ${sql} AND p.${column} IS NOT NULL ORDER BY p.${column}, p.id LIMIT ?`,
        ...values,
        limit
      )
      .map(({ n }) => n)
  }

  function findProjects(column: PendingColumn, { after, limit }: SweepCursor): SweepPage<ProjectRef> {
    const rows = db.all<ProjectRef & { n: number }>(
      `WITH RECURSIVE ${distinctValues('products', 'project_n', `${column} IS NOT NULL`)}
       SELECT value AS n, pp.account_id AS accountId, pp.project_id AS projectId
       FROM pending JOIN product_projects pp ON pp.n = value`,
      Number(after ?? 0),
      limit
    )
    return toSweepPage(rows, limit, {
      keyOf: ({ n }) => String(n),
      toItem: ({ accountId, projectId }) => ({ accountId, projectId })
    })
  }

  /** The products of the project, or those of them with these externalIds. */
  async function findRows(projectN: number, externalIds: string[] | null): Promise<RowSet> {
    const set = new RowSet()
    if (externalIds !== null) {
      const pause = createYielder()
      for (const externalId of externalIds) {
        const row = db.one<{ n: number }>(
          'SELECT n FROM products WHERE project_n = ? AND external_id = ?',
          projectN,
          externalId
        )
        if (row !== undefined) set.add(row.n)
        await pause()
      }
      return set
    }
    const rowsAfter = (after: string) =>
      db.all<{ n: number; key: string }>(
        `SELECT n, external_id AS key FROM products WHERE project_n = ? AND external_id > ?
         ORDER BY external_id LIMIT ${stepSizes.rows}`,
        projectN,
        after
      )
    await forEachStep<string>(
      (after) => {
        const rows = rowsAfter(after ?? '')
        for (const { n } of rows) set.add(n)
        return rows.length < stepSizes.rows ? null : rows.at(-1)!.key
      },
      () => {}
    )
    return set
  }

  async function findGroups(projectN: number, groupIds: string[]): Promise<RowSet> {
    const set = new RowSet()
    const pause = createYielder()
    for (const groupId of groupIds) {
      // A group may be as large as the project.
      await forEachStep<string>(
        (after) => {
          const rows = db.all<{ n: number; id: string }>(
            `SELECT n, id FROM products WHERE project_n = ? AND group_id = ? AND id > ?
             ORDER BY id LIMIT ${stepSizes.rows}`,
            projectN,
            groupId,
            after ?? ''
          )
          for (const { n } of rows) set.add(n)
          return rows.length < stepSizes.rows ? null : rows.at(-1)!.id
        },
        () => {}
      )
      await pause()
    }
    return set
  }

  /** Marks the products with these row numbers and returns their number. Call inside a transaction. */
  function mark(ns: number[], { at, force }: { at: string; force: boolean }): number {
    const [rows, list] = ['n IN (SELECT value FROM json_each(?))', JSON.stringify(ns)]
    // `force` also increments the version of products that are already pending, so that a worker
    // which read one earlier cannot save outputs that it computed from the old state.
    db.run(
      `UPDATE products
       SET optimize_pending_since = coalesce(optimize_pending_since, ?), status = 'pending', version = version + 1
         ${force ? ', optimized_from_digest = NULL' : ''}
       WHERE ${rows} ${force ? '' : 'AND optimize_pending_since IS NULL'}`,
      at,
      list
    )
    return db.one<{ count: number }>(`SELECT count(*) AS count FROM products WHERE ${rows}`, list)!.count
  }

  return {
    // Products are changed in the order of the table, because neighbors share pages of the file. Only
    // the last step waits for the disk: repeating an interrupted call marks the remaining products.
    markOptimizePending: async (project, { externalIds, groupIds, at, force }) => {
      const projectN = db.one<{ n: number }>(
        'SELECT n FROM product_projects WHERE account_id = ? AND project_id = ?',
        project.accountId,
        project.projectId
      )?.n
      if (projectN === undefined) return 0
      const set = groupIds === undefined ? await findRows(projectN, externalIds) : await findGroups(projectN, groupIds)
      const pause = createYielder()
      let [count, marked] = [0, 0]
      for (const ns of set.chunks(Math.ceil(stepSizes.rows * CHANGED_SHARE))) {
        marked += ns.length
        db[marked === set.size ? 'transaction' : 'relaxedTransaction'](() => {
          count += mark(ns, { at, force })
        })
        await pause()
      }
      return count
    },
    pending: async (project, work, limit) =>
      await readEach(db, findPending(COLUMNS[work], project, limit), PENDING_BYTES),
    hasPending: async (project, work) => findPending(COLUMNS[work], project, 1).length > 0,
    pendingProjects: async (work, page) => findProjects(COLUMNS[work], page),
    pendingEvents: async (project, limit) => {
      const ns = findPending('event_pending_since', project, limit + 1)
      const products = await readEach(db, ns.slice(0, limit), PENDING_BYTES)
      return { products, hasMore: products.length < ns.length }
    }
  }
}
