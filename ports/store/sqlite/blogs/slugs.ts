import type { BlogStore, BlogTombstone } from '../../port.ts'
import type { Database } from '../database.ts'
import { and, inScope, parseRecord, type RecordRow } from '../sql.ts'
import { forEachStep } from '../steps.ts'
import { BLOG_COLUMNS, BLOG_TABLES, toBlog, toMetadata, type BlogRow, type MetadataRow } from './rows.ts'

/**
 * The blog that gave up a slug last decides. At the same instant, a blog that exists comes before a
 * deleted one.
 */
const LAST_FIRST = 'f.left_at DESC, f.deleted, f.blog_id DESC'

/** Former slugs that one step reads. */
const ROWS_PER_STEP = 1000

export function createBlogSlugs(db: Database): Pick<BlogStore, 'resolveSlug' | 'findIdBySlug' | 'redirects'> {
  return {
    resolveSlug: async (scope, slug) => {
      const current = and([inScope(scope, 'b'), { sql: "b.slug = ? AND b.status = 'published'", values: [slug] }])
      const row = db.one<BlogRow>(`SELECT ${BLOG_COLUMNS} FROM ${BLOG_TABLES} WHERE ${current.sql}`, ...current.values)
      if (row !== undefined) return { kind: 'blog', blog: toBlog(row) }

      const former = and([inScope(scope, 'f'), { sql: 'f.slug = ?', values: [slug] }])
      const last = db.one<{ blogId: string }>(
        `SELECT f.blog_id AS blogId FROM former_slugs f WHERE ${former.sql} ORDER BY ${LAST_FIRST} LIMIT 1`,
        ...former.values
      )
      if (last === undefined) return null
      const moved = db.one<MetadataRow>("SELECT metadata FROM blogs WHERE id = ? AND status = 'published'", last.blogId)
      if (moved !== undefined) return { kind: 'moved', blog: toMetadata(moved) }
      const gone = parseRecord<BlogTombstone>(
        db.one<RecordRow>('SELECT record FROM tombstones WHERE id = ?', last.blogId)
      )
      return gone === null ? null : { kind: 'gone', blog: gone }
    },
    findIdBySlug: async (accountId, slug) =>
      db.one<{ id: string }>('SELECT id FROM blogs WHERE account_id = ? AND slug = ?', accountId, slug)?.id ?? null,
    redirects: async ({ projectId, ...scope }) => {
      // Does what resolveSlug does, for all slugs at once. The project restricts the targets, not
      // which blog decides.
      const former = inScope(scope, 'f')
      const current = inScope(scope, 'c')
      const redirects: { from: string; to: string }[] = []
      const readStep = (after: string, upTo: string | null) =>
        db.all<{ from: string; to: string }>(
          `WITH ranked AS (
           SELECT f.slug, f.blog_id, row_number() OVER (PARTITION BY f.slug ORDER BY ${LAST_FIRST}) AS place
           FROM former_slugs f
           WHERE ${former.sql} AND f.slug > ? ${upTo === null ? '' : 'AND f.slug <= ?'}
         )
         SELECT ranked.slug AS "from", b.slug AS "to" FROM ranked JOIN blogs b ON b.id = ranked.blog_id
         WHERE ranked.place = 1 AND b.status = 'published' ${projectId === undefined ? '' : 'AND b.project_id = ?'}
           AND NOT EXISTS (
             SELECT 1 FROM blogs c WHERE ${current.sql} AND c.slug = ranked.slug AND c.status = 'published'
           )
         ORDER BY ranked.slug`,
          ...former.values,
          after,
          ...(upTo === null ? [] : [upTo]),
          ...(projectId === undefined ? [] : [projectId]),
          ...current.values
        )
      // All rows of a slug are in the same step.
      await forEachStep<string>(
        (after) =>
          db.one<{ slug: string }>(
            `SELECT slug FROM former_slugs WHERE account_id = ? AND slug > ? ORDER BY slug
             LIMIT 1 OFFSET ${ROWS_PER_STEP - 1}`,
            scope.accountId,
            after ?? ''
          )?.slug ?? null,
        ({ after, upTo }) => {
          for (const { from, to } of readStep(after ?? '', upTo)) redirects.push({ from, to })
        }
      )
      return redirects
    }
  }
}
