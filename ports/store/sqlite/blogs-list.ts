import type { BlogFilter, BlogStore } from '../port.ts'
import { blogOf, headOf, WHOLE, WHOLE_COLUMNS, type HeadRow, type WholeRow } from './blog-rows.ts'
import { wordsQuery } from './blog-words.ts'
import { allOf, seenBy, type Condition } from './conditions.ts'
import type { Database } from './database.ts'

/** How each filter but the reader's own reads; a filter that is left out has no condition. */
const CONDITIONS = {
  category: 'b.category = ?',
  locale: 'b.locale = ?',
  author: 'b.author = ?',
  publishedAfter: 'b.published_at > ?',
  publishedBefore: 'b.published_at < ?',
  updatedSince: 'b.updated_at >= ?'
} as const
const FOUND = 'b.n IN (SELECT rowid FROM blog_words WHERE blog_words MATCH ?)'
/** SQLite takes null for the least of all, so that it comes last. */
const NEWEST_FIRST = 'b.published_at DESC, b.id DESC'

function conditionOf(filter: BlogFilter): Condition {
  const conditions = [seenBy(filter, 'b')]
  if (filter.status !== 'any') conditions.push({ sql: 'b.status = ?', values: [filter.status] })
  for (const [name, sql] of Object.entries(CONDITIONS) as [keyof typeof CONDITIONS, string][]) {
    const value = filter[name]
    if (value !== undefined) conditions.push({ sql, values: [value] })
  }
  if (filter.tag !== undefined) {
    conditions.push({
      sql: 'b.n IN (SELECT n FROM blog_tags WHERE account_id = ? AND tag = ?)',
      values: [filter.accountId, filter.tag]
    })
  }
  const terms = termsOf(filter)
  if (terms.length > 0) conditions.push({ sql: FOUND, values: [wordsQuery(filter.accountId, terms, 'title text')] })
  return allOf(conditions)
}

function orderOf(filter: BlogFilter): Condition {
  const terms = termsOf(filter)
  if (terms.length === 0) return { sql: NEWEST_FIRST, values: [] }
  return { sql: `${FOUND} DESC, ${NEWEST_FIRST}`, values: [wordsQuery(filter.accountId, terms, 'title')] }
}

/** What is searched for; where all terms are empty, nothing is. */
function termsOf({ terms = [] }: BlogFilter): string[] {
  return terms.some((term) => term !== '') ? terms : []
}

/** Lists blogs page by page. */
export function createBlogLists(db: Database): Pick<BlogStore, 'list'> {
  const head = (n: number) => headOf(db.one<HeadRow>('SELECT head FROM blogs WHERE n = ?', n) as HeadRow)
  const whole = (n: number) =>
    blogOf(db.one<WholeRow>(`SELECT ${WHOLE_COLUMNS} FROM ${WHOLE} WHERE b.n = ?`, n) as WholeRow)

  return {
    list: async (filter, { page, pageSize, withBody }) => {
      const condition = conditionOf(filter)
      const order = orderOf(filter)
      const total = db.one<{ count: number }>(
        `SELECT count(*) AS count FROM blogs b WHERE ${condition.sql}`,
        ...condition.values
      )
      // Only the numbers are read in order, from the index alone, so that what a deep page skips
      // costs little.
      const rows = db.all<{ n: number }>(
        `SELECT b.n FROM blogs b WHERE ${condition.sql} ORDER BY ${order.sql} LIMIT ? OFFSET ?`,
        ...condition.values,
        ...order.values,
        pageSize,
        (page - 1) * pageSize
      )
      return { blogs: rows.map(({ n }) => (withBody ? whole(n) : head(n))), totalCount: total?.count ?? 0 }
    }
  }
}
