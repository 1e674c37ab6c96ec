import type { BlogStore, BlogTombstone } from '../port.ts'
import { blogOf, headOf, WHOLE, WHOLE_COLUMNS, type HeadRow, type WholeRow } from './blog-rows.ts'
import { allOf, seenBy } from './conditions.ts'
import type { Database } from './database.ts'
import { recordOf, type RecordRow } from './records.ts'

/**
 * Whoever gave a slug up last decides; at the same instant one that lives comes before one that was
 * deleted.
 */
const LAST_FIRST = 'e.left_at DESC, e.buried, e.blog_id DESC'

/** Tells what stands, or stood, behind a slug. */
export function createBlogSlugs(db: Database): Pick<BlogStore, 'resolveSlug' | 'findIdBySlug' | 'redirects'> {
  return {
    resolveSlug: async (reader, slug) => {
      const holder = allOf([seenBy(reader, 'b'), { sql: "b.slug = ? AND b.status = 'published'", values: [slug] }])
      const row = db.one<WholeRow>(`SELECT ${WHOLE_COLUMNS} FROM ${WHOLE} WHERE ${holder.sql}`, ...holder.values)
      if (row !== undefined) return { kind: 'blog', blog: blogOf(row) }

      const exit = allOf([seenBy(reader, 'e'), { sql: 'e.slug = ?', values: [slug] }])
      const last = db.one<{ blog_id: string }>(
        `SELECT e.blog_id FROM slug_exits e WHERE ${exit.sql} ORDER BY ${LAST_FIRST} LIMIT 1`,
        ...exit.values
      )
      if (last === undefined) return null
      const moved = db.one<HeadRow>("SELECT head FROM blogs WHERE id = ? AND status = 'published'", last.blog_id)
      if (moved !== undefined) return { kind: 'moved', blog: headOf(moved) }
      const gone = recordOf<BlogTombstone>(
        db.one<RecordRow>('SELECT record FROM tombstones WHERE id = ?', last.blog_id)
      )
      return gone === null ? null : { kind: 'gone', blog: gone }
    },
    findIdBySlug: async (accountId, slug) =>
      db.one<{ id: string }>('SELECT id FROM blogs WHERE account_id = ? AND slug = ?', accountId, slug)?.id ?? null,
    redirects: async ({ projectId, ...reader }) => {
      // What resolveSlug does for one slug, for all of them at once; the project says which targets
      // are asked for, not who decides.
      const exit = seenBy(reader, 'e')
      const holder = seenBy(reader, 'h')
      const rows = db.all<{ from: string; to: string }>(
        `
        WITH exits AS (SELECT e.slug, e.blog_id, row_number() OVER (PARTITION BY e.slug ORDER BY ${LAST_FIRST}) AS place FROM slug_exits e WHERE ${exit.sql})
        SELECT exits.slug AS "from", b.slug AS "to" FROM exits JOIN blogs b ON b.id = exits.blog_id
        WHERE exits.place = 1 AND b.status = 'published' ${projectId === undefined ? '' : 'AND b.project_id = ?'}
          AND NOT EXISTS (SELECT 1 FROM blogs h WHERE ${holder.sql} AND h.slug = exits.slug AND h.status = 'published')
        ORDER BY exits.slug`,
        ...exit.values,
        ...(projectId === undefined ? [] : [projectId]),
        ...holder.values
      )
      return rows.map(({ from, to }) => ({ from, to }))
    }
  }
}
