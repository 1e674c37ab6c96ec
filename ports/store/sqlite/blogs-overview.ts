import type { CategoryCount, RemovedBlog } from '../../../schemas/blog.ts'
import type { BlogStore } from '../port.ts'
import { allOf, seenBy } from './conditions.ts'
import type { Database } from './database.ts'

/** Counts blogs, and finds those that something has to be done about. */
export function createBlogOverviews(
  db: Database
): Pick<BlogStore, 'countByCategory' | 'removedSince' | 'dueToPublish' | 'renderedByOtherRules'> {
  return {
    countByCategory: async (reader) => {
      const seen = allOf([
        seenBy(reader, 'b'),
        ...(reader.locale === undefined ? [] : [{ sql: 'b.locale = ?', values: [reader.locale] }])
      ])
      return db
        .all<CategoryCount>(
          `SELECT b.category, count(*) AS count FROM blogs b
        WHERE ${seen.sql} AND b.status = 'published' AND b.category IS NOT NULL
        GROUP BY b.category ORDER BY count DESC, b.category`,
          ...seen.values
        )
        .map((row) => ({ ...row }))
    },
    removedSince: async (reader, since) => {
      const withdrawn = seenBy(reader, 'b')
      const deleted = seenBy(reader, 't')
      return db
        .all<RemovedBlog>(
          `
        SELECT b.id, b.slug, b.withdrawn_at AS at FROM blogs b WHERE ${withdrawn.sql} AND b.withdrawn_at >= ? AND b.status <> 'published'
        UNION ALL
        SELECT t.id, t.record ->> '$.slug', t.deleted_at FROM tombstones t WHERE ${deleted.sql} AND t.was_public = 1 AND t.deleted_at >= ?
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
        .all<{ accountId: string; id: string; publishAt: string }>(
          `
      SELECT account_id AS accountId, id, publish_at AS publishAt FROM blogs
      WHERE status = 'scheduled' AND publish_at <= ? ORDER BY publish_at, id LIMIT ?`,
          now,
          limit
        )
        .map((row) => ({ ...row })),
    renderedByOtherRules: async (rulesVersion, { afterId, limit }) =>
      db
        .all<{ accountId: string; id: string }>(
          `
      SELECT account_id AS accountId, id FROM blogs WHERE id > ? AND rules_version <> ? ORDER BY id LIMIT ?`,
          afterId ?? '',
          rulesVersion,
          limit
        )
        .map((row) => ({ ...row }))
  }
}
