import type { ProductFilter } from '../../port.ts'
import type { Database } from '../database.ts'
import { and, type Condition } from '../sql.ts'
import type { Step } from '../steps.ts'

/**
 * A filter that an index answers: a value that all products have, or the bounds of a range. `column` is the index
 * column that orders the products then; null if they are ordered by row number.
 */
export interface NarrowFilter {
  index: string
  column: string | null
  equal?: Condition
  from?: Condition
  to?: Condition
}

/** With the condition that the products of the range must meet. */
export type ListFilter = NarrowFilter & { rest?: Condition }

/** The index of all products, for filters that have none. */
export const OF_ALL = 'products_by_external_id'

/**
 * The SQL of each filter except `terms`, the one that usually leaves the fewest products first. `!`
 * is the character after the space.
 */
export const FILTERS: { [Name in keyof ProductFilter]?: (value: string) => ListFilter } = {
  externalId: (value) => equals('external_id', 'products_by_external_id', value),
  handle: (value) => equals('handle', 'products_by_handle', value),
  groupId: (value) => ({ ...equals('group_id', 'products_by_group', value), column: 'id' }),
  sku: (value) => equals('sku', 'products_by_sku', value),
  // This category and its subcategories. The range contains little else. Without `+`, SQLite would begin each step of
  // the range at its start, once for each side of the OR.
  category: (value) => ({
    index: 'products_by_category',
    column: 'category',
    from: { sql: 'p.category >= ?', values: [value] },
    to: { sql: 'p.category < ?', values: [`${value} >!`] },
    rest: {
      sql: '(+p.category = ? OR +p.category >= ?)',
      values: [value, `${value} > `]
    }
  }),
  updatedSince: (value) => ({
    index: 'products_by_update',
    column: 'updated_at',
    from: { sql: 'p.updated_at >= ?', values: [value] }
  }),
  status: (value) => equals('status', 'products_by_status', value),
  // Without an index of its own.
  quality: (value) => ({
    index: OF_ALL,
    column: 'external_id',
    from: { sql: "p.external_id > ''", values: [] },
    rest: { sql: "instr(p.quality, ',' || ? || ',') > 0", values: [value] }
  })
}

function equals(column: string, index: string, value: string): NarrowFilter {
  return { index, column: null, equal: { sql: `p.${column} = ?`, values: [value] } }
}

export function where(conditions: (Condition | null | undefined)[]): Condition {
  return and(conditions.filter((condition) => condition !== null && condition !== undefined))
}

export const inProjects = (projectNs: number[]): Condition =>
  projectNs.length === 1
    ? { sql: 'p.project_n = ?', values: projectNs }
    : { sql: 'p.project_n IN (SELECT value FROM json_each(?))', values: [JSON.stringify(projectNs)] }

/** The last product of a step. `n`: its row number, `BEFORE` or `END`. `value`: '' for a filter without a column. */
export interface FilterKey {
  value: string
  n: number
}

/** The position before all products with a value, */
const BEFORE = -1
/** and the one after them. */
const END = Number.MAX_SAFE_INTEGER

/**
 * Steps through the products of a project that a filter leaves, in the order of its index. Any number of them may have
 * the same value, and SQLite would read all of them in each step for a range of values and row numbers. So a step has
 * either products of one value, in order of their row numbers, or all products of several values.
 */
export function filterSteps(
  db: Pick<Database, 'one'>,
  { filter, projectN, size }: { filter: NarrowFilter; projectN: number; size: number }
): { endOfStep: (after: FilterKey | null) => FilterKey | null; inStep: (step: Step<FilterKey>) => Condition } {
  const { index, column, equal, from, to } = filter
  const inProject = inProjects([projectN])
  const above = (value: string): Condition => ({ sql: `p.${column} > ?`, values: [value] })
  const below = (value: string): Condition => ({ sql: `p.${column} < ?`, values: [value] })
  const rowsAfter = (n: number): Condition => ({ sql: 'p.n > ?', values: [n] })
  const rowsUpTo = (n: number): Condition => ({ sql: 'p.n <= ?', values: [n] })
  /** The product at which a step after these conditions would be full. */
  const find = (conditions: (Condition | undefined)[], order: string): FilterKey | undefined => {
    const { sql, values } = where([inProject, equal, ...conditions])
    return db.one<FilterKey>(
      `SELECT ${column === null ? "''" : `p.${column}`} AS value, p.n FROM products p INDEXED BY ${index}
       WHERE ${sql} ORDER BY ${order} LIMIT 1 OFFSET ?`,
      ...values,
      size - 1
    )
  }
  const ofValue = (value: string): Condition => ({ sql: `p.${column} = ?`, values: [value] })

  return {
    endOfStep: (after) => {
      if (column === null) return find(after === null ? [] : [rowsAfter(after.n)], 'p.n') ?? null
      if (after !== null && after.n !== END) {
        return find([ofValue(after.value), rowsAfter(after.n)], 'p.n') ?? { ...after, n: END }
      }
      const full = find([after === null ? from : above(after.value), to], `p.${column}, p.n`)
      return full === undefined ? null : { value: full.value, n: BEFORE }
    },
    inStep: ({ after, upTo }) => {
      if (column === null) {
        return where([inProject, equal, after && rowsAfter(after.n), upTo && rowsUpTo(upTo.n)])
      }
      if (after !== null && after.n !== END) {
        const end = upTo === null || upTo.n === END ? undefined : rowsUpTo(upTo.n)
        return where([inProject, equal, ofValue(after.value), rowsAfter(after.n), end])
      }
      const start = after === null ? from : above(after.value)
      return where([inProject, equal, start, upTo === null ? to : below(upTo.value)])
    }
  }
}
