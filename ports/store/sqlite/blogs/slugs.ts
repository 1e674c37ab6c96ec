import type { BlogRedirect } from '../../../../schemas/blog.ts'
import { compareText } from '../../../../lib/text.ts'
import type { BlogStore, BlogTombstone, ProjectScope, SlugResolution } from '../../port.ts'
import type { Database } from '../database.ts'
import { and, inScope, parseRecord, type Condition, type RecordRow } from '../sql.ts'
import { forEachStep } from '../steps.ts'
import { BLOG_COLUMNS, BLOG_TABLES, toBlog, toMetadata, type BlogRow, type MetadataRow } from './rows.ts'

/**
 * The blog that gave up a slug last decides. At the same instant, a blog that exists comes before a
 * deleted one.
 */
const LAST_FIRST = 'f.left_at DESC, f.deleted, f.blog_id DESC'

/** Former slugs that one step reads. */
const ROWS_PER_STEP = 1000

/**
 * The last owner of each former slug, by project. `former` restricts the former slugs (`f`) that
 * are ranked.
 */
const lastOwners = (former: Condition) => `
  SELECT * FROM (
    SELECT f.slug, f.project_id, f.blog_id, f.left_at, f.deleted,
      row_number() OVER (PARTITION BY f.project_id, f.slug ORDER BY ${LAST_FIRST}) AS place
    FROM former_slugs f WHERE ${former.sql}
  ) WHERE place = 1`

export function createBlogSlugs(
  db: Database
): Pick<BlogStore, 'resolveSlug' | 'findBySlug' | 'findBySlugs' | 'redirects'> {
  // Without statistics, SQLite would choose the index that is in order of publication, and read all blogs.
  function resolveCurrent(scope: ProjectScope, slug: string): SlugResolution | null {
    const current = and([inScope(scope, 'b'), { sql: "b.slug = ? AND b.status = 'published'", values: [slug] }])
    const [newest, ...others] = db.all<{ n: number; projectId: string }>(
      `SELECT b.n, b.project_id AS projectId FROM blogs b INDEXED BY blogs_by_slug
       WHERE ${current.sql} ORDER BY b.published_at DESC, b.id DESC`,
      ...current.values
    )
    if (newest === undefined) return null
    const row = db.one<BlogRow>(`SELECT ${BLOG_COLUMNS} FROM ${BLOG_TABLES} WHERE b.n = ?`, newest.n) as BlogRow
    return {
      kind: 'blog',
      blog: toBlog(row),
      otherProjects: others.map(({ projectId }) => projectId).sort(compareText)
    }
  }

  function resolveFormer(scope: ProjectScope, slug: string): SlugResolution | null {
    const former = and([inScope(scope, 'f'), { sql: 'f.slug = ?', values: [slug] }])
    const last = db.all<{ blogId: string }>(
      `SELECT f.blog_id AS blogId FROM (${lastOwners(former)}) f ORDER BY ${LAST_FIRST}`,
      ...former.values
    )
    for (const { blogId } of last) {
      const moved = db.one<MetadataRow>("SELECT metadata FROM blogs WHERE id = ? AND status = 'published'", blogId)
      if (moved !== undefined) return { kind: 'moved', blog: toMetadata(moved) }
    }
    for (const { blogId } of last) {
      const gone = parseRecord<BlogTombstone>(db.one<RecordRow>('SELECT record FROM tombstones WHERE id = ?', blogId))
      if (gone !== null) return { kind: 'gone', blog: gone }
    }
    return null
  }

  return {
    resolveSlug: async (scope, slug) => resolveCurrent(scope, slug) ?? resolveFormer(scope, slug),
    findBySlug: async (scope, slug) => {
      const { sql, values } = and([inScope(scope, 'b'), { sql: 'b.slug = ?', values: [slug] }])
      return db
        .all<{ id: string; projectId: string }>(
          `SELECT b.id, b.project_id AS projectId FROM blogs b WHERE ${sql} ORDER BY b.project_id`,
          ...values
        )
        .map((row) => ({ ...row }))
    },
    findBySlugs: async ({ accountId, projectId }, slugs) =>
      db
        .all<{ id: string; slug: string }>(
          `SELECT id, slug FROM blogs
           WHERE account_id = ? AND slug IN (SELECT value FROM json_each(?)) AND project_id = ?`,
          accountId,
          JSON.stringify(slugs),
          projectId
        )
        .map((row) => ({ ...row })),
    redirects: async (scope) => {
      // Does what resolveSlug does, for all slugs at once.
      const former = inScope(scope, 'f')
      const redirects: BlogRedirect[] = []
      function readStep(after: string, upTo: string | null): BlogRedirect[] {
        const last = upTo === null ? [] : [{ sql: 'f.slug <= ?', values: [upTo] }]
        const step = and([former, { sql: 'f.slug > ?', values: [after] }, ...last])
        return db.all<BlogRedirect>(
          `WITH ranked AS (${lastOwners(step)})
           SELECT ranked.project_id AS projectId, ranked.slug AS "from", b.slug AS "to"
           FROM ranked JOIN blogs b ON b.id = ranked.blog_id
           WHERE b.status = 'published'
             AND NOT EXISTS (
               SELECT 1 FROM blogs c
               WHERE c.account_id = ? AND c.slug = ranked.slug AND c.project_id = ranked.project_id
                 AND c.status = 'published'
             )
           ORDER BY ranked.slug, ranked.project_id`,
          ...step.values,
          scope.accountId
        )
      }
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
          for (const row of readStep(after ?? '', upTo)) redirects.push({ ...row })
        }
      )
      return redirects
    }
  }
}
