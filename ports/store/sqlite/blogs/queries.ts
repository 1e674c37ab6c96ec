import type { CategoryCount, RemovedBlog } from '../../../../schemas/blog.ts'
import { createYielder } from '../../../../lib/async.ts'
import type { BlogFilter, BlogRecord, BlogStore, RecordRef } from '../../port.ts'
import type { Database } from '../database.ts'
import { blogQuery, hasTerms } from '../search.ts'
import { and, inScope, type Condition } from '../sql.ts'
import { BLOG_COLUMNS, BLOG_TABLES, toBlog, toMetadata, type BlogRow, type MetadataRow } from './rows.ts'

type Overview = 'list' | 'countByCategory' | 'removedSince' | 'dueToPublish' | 'renderedByOtherRules'

const FILTERS = {
  category: 'b.category = ?',
  locale: 'b.locale = ?',
  author: 'b.author = ?',
  publishedAfter: 'b.published_at > ?',
  publishedBefore: 'b.published_at < ?',
  updatedSince: 'b.updated_at >= ?'
} as const
const MATCHES = 'b.n IN (SELECT rowid FROM blog_search WHERE blog_search MATCH ?)'
/** SQLite sorts null before all other values, so that null comes last here. */
const NEWEST_FIRST = 'b.published_at DESC, b.id DESC'

function toCondition(filter: BlogFilter): Condition {
  const conditions = [inScope(filter, 'b')]
  if (filter.status !== 'any') conditions.push({ sql: 'b.status = ?', values: [filter.status] })
  for (const [name, sql] of Object.entries(FILTERS) as [keyof typeof FILTERS, string][]) {
    const value = filter[name]
    if (value !== undefined) conditions.push({ sql, values: [value] })
  }
  if (filter.tag !== undefined) {
    conditions.push({
      sql: 'b.n IN (SELECT n FROM blog_tags WHERE account_id = ? AND tag = ?)',
      values: [filter.accountId, filter.tag]
    })
  }
  if (hasTerms(filter.terms)) {
    conditions.push({ sql: MATCHES, values: [blogQuery(filter.accountId, filter.terms, 'title text')] })
  }
  return and(conditions)
}

/** Blogs that match in the title come first. */
function toOrder({ accountId, terms }: BlogFilter): Condition {
  if (!hasTerms(terms)) return { sql: NEWEST_FIRST, values: [] }
  return { sql: `${MATCHES} DESC, ${NEWEST_FIRST}`, values: [blogQuery(accountId, terms, 'title')] }
}

/** Lists over many blogs. */
export function createBlogQueries(db: Database): Pick<BlogStore, Overview> {
  const findMetadata = (n: number) =>
    toMetadata(db.one<MetadataRow>('SELECT metadata FROM blogs WHERE n = ?', n) as MetadataRow)
  function findBlog(n: number): BlogRecord | null {
    const row = db.one<BlogRow>(`SELECT ${BLOG_COLUMNS} FROM ${BLOG_TABLES} WHERE b.n = ?`, n)
    return row === undefined ? null : toBlog(row)
  }

  return {
    list: async (filter, { page, pageSize, withBody }) => {
      const condition = toCondition(filter)
      const order = toOrder(filter)
      const total = db.one<{ count: number }>(
        `SELECT count(*) AS count FROM blogs b WHERE ${condition.sql}`,
        ...condition.values
      )
      // Reads only row numbers in order, from the index alone, so that skipping the rows before a
      // deep page is cheap.
      const rows = db.all<{ n: number }>(
        `SELECT b.n FROM blogs b WHERE ${condition.sql} ORDER BY ${order.sql} LIMIT ? OFFSET ?`,
        ...condition.values,
        ...order.values,
        pageSize,
        (page - 1) * pageSize
      )
      const totalCount = total?.count ?? 0
      if (!withBody) return { blogs: rows.map(({ n }) => findMetadata(n)), totalCount }
      const blogs: BlogRecord[] = []
      const pause = createYielder()
      for (const { n } of rows) {
        await pause()
        const blog = findBlog(n)
        // Deleted during a pause.
        if (blog !== null) blogs.push(blog)
      }
      return { blogs, totalCount }
    },
    countByCategory: async (scope) => {
      const { sql, values } = and([
        inScope(scope, 'b'),
        ...(scope.locale === undefined ? [] : [{ sql: 'b.locale = ?', values: [scope.locale] }])
      ])
      return db
        .all<CategoryCount>(
          `SELECT b.category, count(*) AS count FROM blogs b
           WHERE ${sql} AND b.status = 'published' AND b.category IS NOT NULL
           GROUP BY b.category ORDER BY count DESC, b.category`,
          ...values
        )
        .map((row) => ({ ...row }))
    },
    removedSince: async (scope, since) => {
      const withdrawn = inScope(scope, 'b')
      const deleted = inScope(scope, 't')
      return db
        .all<RemovedBlog>(
          `SELECT b.id, b.slug, b.withdrawn_at AS at FROM blogs b
           WHERE ${withdrawn.sql} AND b.withdrawn_at >= ? AND b.status <> 'published'
           UNION ALL
           SELECT t.id, t.record ->> '$.slug', t.deleted_at FROM tombstones t
           WHERE ${deleted.sql} AND t.was_public = 1 AND t.deleted_at >= ?
           ORDER BY at DESC, id DESC`,
          ...withdrawn.values,
          since,
          ...deleted.values,
          since
        )
        .map((row) => ({ ...row }))
    },
    dueToPublish: async (now, limit) =>
      db
        .all<RecordRef & { publishAt: string }>(
          `SELECT account_id AS accountId, id, publish_at AS publishAt FROM blogs
           WHERE status = 'scheduled' AND publish_at <= ? ORDER BY publish_at, id LIMIT ?`,
          now,
          limit
        )
        .map((row) => ({ ...row })),
    renderedByOtherRules: async (rulesVersion, { afterId, limit }) =>
      db
        .all<RecordRef>(
          `SELECT account_id AS accountId, id FROM blogs
           WHERE id > ? AND rules_version <> ? ORDER BY id LIMIT ?`,
          afterId ?? '',
          rulesVersion,
          limit
        )
        .map((row) => ({ ...row }))
  }
}
