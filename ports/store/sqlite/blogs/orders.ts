import type { BlogSort } from '../../../../schemas/blog.ts'
import type { BlogPosition } from '../../port.ts'
import type { Condition } from '../sql.ts'

/**
 * The column of each order, and whether it is descending. SQLite sorts null before all other values, so
 * that it comes last in a descending order.
 */
export const ORDER_COLUMNS: Readonly<Record<BlogSort, { column: string; descending: boolean }>> = {
  '-publishedAt': { column: 'b.published_at', descending: true },
  publishedAt: { column: 'b.published_at', descending: false },
  '-updatedAt': { column: 'b.updated_at', descending: true },
  updatedAt: { column: 'b.updated_at', descending: false },
  title: { column: 'b.title_key', descending: false },
  '-title': { column: 'b.title_key', descending: true },
  publishAt: { column: 'b.publish_at', descending: false }
}

/** The order of a list, for an ORDER BY clause. Blogs with equal values are ordered by id. */
export function orderBy(sorted: BlogSort): string {
  const { column, descending } = ORDER_COLUMNS[sorted]
  return descending ? `${column} DESC, b.id DESC` : `${column}, b.id`
}

export const NEWEST_FIRST = orderBy('-publishedAt')

/** The blogs that follow a position in an order. */
export function followsIn(sorted: BlogSort, { value, id }: BlogPosition): Condition {
  const { column, descending } = ORDER_COLUMNS[sorted]
  const compared = descending ? '<' : '>'
  if (value === null) {
    const others = descending ? '' : ` OR ${column} IS NOT NULL`
    return { sql: `(${column} IS NULL AND b.id ${compared} ?${others})`, values: [id] }
  }
  const following = `(${column}, b.id) ${compared} (?, ?)`
  // Only the publication date of a blog that is in a list may be missing.
  const isNullable = descending && column === 'b.published_at'
  return { sql: isNullable ? `(${following} OR ${column} IS NULL)` : following, values: [value, id] }
}
