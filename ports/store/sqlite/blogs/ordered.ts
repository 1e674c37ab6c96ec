import type { BlogSort } from '../../../../schemas/blog.ts'
import type { BlogFilter, BlogPosition } from '../../port.ts'
import type { Database } from '../database.ts'
import { and, type Condition } from '../sql.ts'
import { readRows, type OrderedRows, type Step, type StepSizes } from '../steps.ts'
import { chooseIndex, inPeriod, toConditions } from './filters.ts'
import { ORDER_COLUMNS, orderBy } from './orders.ts'

/** The orders of lists besides the default one. */
export type OtherSort = Exclude<BlogSort, '-publishedAt'>
/** The place of a blog in an order. */
export type OrderKey = Pick<BlogPosition, 'value' | 'id'>

interface Order {
  index: string
  /** The columns of the index before the order. */
  columns: Condition
  /** What these columns do not answer. */
  conditions: Condition[]
  /** Bounds of the ordered column. */
  from?: Condition | undefined
  to?: Condition | undefined
}

/** The index for one status, and for any. */
const INDEXES: Readonly<Record<string, { one: string; any: string }>> = {
  'b.title_key': { one: 'blogs_by_title', any: 'blogs_of_any_status_by_title' },
  'b.updated_at': { one: 'blogs_by_update', any: 'blogs_of_any_status_by_update' },
  // Lists in this order are of one status.
  'b.publish_at': { one: 'blogs_by_schedule', any: 'blogs_by_schedule' }
}

/** Follows the ids of all blogs. */
const END = '\uFFFF'

/** The index that contains an order. The bounds of a period end the walk through it. */
function chooseOrder(filter: BlogFilter, sorted: OtherSort): Order {
  const { accountId, status, updatedSince, publishedAfter, publishedBefore } = filter
  if (sorted === 'publishedAt') {
    const { index, columns, covered } = chooseIndex(filter)
    return {
      index,
      columns,
      conditions: toConditions(filter, covered),
      from: publishedAfter === undefined ? undefined : { sql: 'b.published_at > ?', values: [publishedAfter] },
      to: publishedBefore === undefined ? undefined : { sql: 'b.published_at < ?', values: [publishedBefore] }
    }
  }
  const { column } = ORDER_COLUMNS[sorted]
  const ofStatus = status === 'any' ? [] : [{ sql: 'b.status = ?', values: [status] }]
  const order: Order = {
    index: INDEXES[column]![status === 'any' ? 'any' : 'one'],
    columns: and([{ sql: 'b.account_id = ?', values: [accountId] }, ...ofStatus]),
    conditions: [
      ...toConditions(
        filter,
        filter.projectId === undefined && filter.projectIds === null ? ['scope', 'status'] : ['status']
      ),
      ...inPeriod(filter)
    ]
  }
  if (column !== 'b.updated_at' || updatedSince === undefined) return order
  return { ...order, from: { sql: 'b.updated_at >= ?', values: [updatedSince] } }
}

/**
 * The blogs of a list in an order of `sort`, in steps through the index of the order. `wanted`: how many of them are
 * read, so that a step is no longer if all blogs of the index match.
 */
export function createOrderedBlogs(db: Database, sizes: StepSizes) {
  return function inOrderBy(filter: BlogFilter, sorted: OtherSort, wanted = sizes.entries): OrderedRows<OrderKey> {
    const { index, columns, conditions, from: lowest, to: highest } = chooseOrder(filter, sorted)
    const { column, descending } = ORDER_COLUMNS[sorted]
    const order = orderBy(sorted)
    const from = `FROM blogs b INDEXED BY ${index}`
    const size = conditions.length === 0 ? Math.max(1, Math.min(wanted, sizes.entries)) : sizes.rows
    // Blogs without a date of publication come before the others. No period contains them.
    const hasUndated = sorted === 'publishedAt' && filter.status !== 'published' && (lowest ?? highest) === undefined
    const isUndated = (after: OrderKey | null): boolean =>
      hasUndated && (after === null || (after.value === null && after.id !== END))

    const beyond = ({ value, id }: OrderKey, compared: string): Condition => ({
      sql: `(${column}, b.id) ${compared} (?, ?)`,
      values: [value, id]
    })

    function range({ after, upTo }: Step<OrderKey>): Condition[] {
      if (isUndated(after)) {
        return [
          { sql: `${column} IS NULL`, values: [] },
          ...(after === null ? [] : [{ sql: 'b.id > ?', values: [after.id] }]),
          ...(upTo === null || upTo.id === END ? [] : [{ sql: 'b.id <= ?', values: [upTo.id] }])
        ]
      }
      // One bound on each side: SQLite uses only one of two in the index.
      const isStart = after === null || after.value === null
      const [first, last] = descending ? [highest, lowest] : [lowest, highest]
      const start = isStart ? first : beyond(after, descending ? '<' : '>')
      const end = upTo === null ? last : beyond(upTo, descending ? '>=' : '<=')
      const dated = isStart && hasUndated ? { sql: `${column} IS NOT NULL`, values: [] } : undefined
      return [dated, start, end].filter((condition) => condition !== undefined)
    }

    const inStep = (step: Step<OrderKey>) => and([columns, ...range(step), ...conditions.map(withoutIndex(column))])

    return {
      endOfStep: (after) => {
        const { sql, values } = and([columns, ...range({ after, upTo: null })])
        const end = db.one<OrderKey>(
          `SELECT ${column} AS value, b.id ${from} WHERE ${sql} ORDER BY ${order} LIMIT 1 OFFSET ${size - 1}`,
          ...values
        )
        return end ?? (isUndated(after) ? { value: null, id: END } : null)
      },
      ...readRows(db, { n: 'b.n', from, order, inStep })
    }
  }
}

/** A unary plus keeps SQLite from using the condition instead of the bounds of a step. */
const withoutIndex =
  (column: string) =>
  ({ sql, values }: Condition): Condition => ({ sql: sql.startsWith(column) ? `+${sql}` : sql, values })
