import { createYielder, sortInSlices } from '../../../../lib/async.ts'
import type { BlogRedirect } from '../../../../schemas/blog.ts'
import { compareText } from '../../../../lib/text.ts'
import type { BlogStore, BlogTombstone, ProjectScope, SlugResolution } from '../../port.ts'
import type { Database } from '../database.ts'
import { and, inScope, parseRecord, type RecordRow } from '../sql.ts'
import { BLOG_COLUMNS, BLOG_TABLES, toBlog, toMetadata, type BlogRow, type MetadataRow } from './rows.ts'

/** A slug that a blog gave up while it was public. */
interface FormerSlug {
  slug: string
  projectId: string
  blogId: string
  leftAt: string
  deleted: number
}

/**
 * By slug, then by project, those that were given up last first. At the same instant, a blog that exists
 * comes before a deleted one.
 */
const FORMER_SLUGS = `
  SELECT slug, project_id AS projectId, blog_id AS blogId, left_at AS leftAt, deleted
  FROM former_slugs INDEXED BY former_slugs_by_project`
const ORDER = 'ORDER BY slug, project_id, left_at DESC, deleted, blog_id DESC'

/** Former slugs that one step reads. Any number of blogs may have given up the same slug. */
const ROWS_PER_STEP = 1000

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

  /** The blogs that gave up the slug last in their projects: at most one of each project, the last one first. */
  async function lastOwners(scope: ProjectScope, slug: string, pause: () => Promise<void>): Promise<string[]> {
    const isVisible = visibilityIn(scope)
    const owners: FormerSlug[] = []
    for (let after = ''; ; ) {
      await pause()
      const last = db.one<FormerSlug>(
        `${FORMER_SLUGS} WHERE account_id = ? AND slug = ? AND project_id > ? ${ORDER} LIMIT 1`,
        scope.accountId,
        slug,
        after
      )
      if (last === undefined) break
      owners.push(last)
      after = last.projectId
    }
    const lastFirst = await sortInSlices(
      owners.filter(({ projectId }) => isVisible(projectId)),
      (a, b) => compareText(b.leftAt, a.leftAt) || a.deleted - b.deleted || compareText(b.blogId, a.blogId)
    )
    return lastFirst.map(({ blogId }) => blogId)
  }

  /** In steps: any number of projects, also deleted ones, may have had the slug. */
  async function resolveFormer(scope: ProjectScope, slug: string): Promise<SlugResolution | null> {
    const pause = createYielder()
    const last = await lastOwners(scope, slug, pause)
    for (const id of last) {
      await pause()
      const moved = db.one<MetadataRow>("SELECT metadata FROM blogs WHERE id = ? AND status = 'published'", id)
      if (moved !== undefined) return { kind: 'moved', blog: toMetadata(moved) }
    }
    for (const id of last) {
      await pause()
      const gone = parseRecord<BlogTombstone>(db.one<RecordRow>('SELECT record FROM tombstones WHERE id = ?', id))
      if (gone !== null) return { kind: 'gone', blog: gone }
    }
    return null
  }

  /** The redirects of these former slugs, each the last of its project, to blogs that are published. */
  function redirectsOf({ accountId }: ProjectScope, former: FormerSlug[]): BlogRedirect[] {
    return db
      .all<BlogRedirect>(
        `SELECT last.value ->> 'projectId' AS projectId, last.value ->> 'slug' AS "from", b.slug AS "to"
         FROM json_each(?) last JOIN blogs b ON b.id = last.value ->> 'blogId'
         WHERE b.status = 'published'
           AND NOT EXISTS (
             SELECT 1 FROM blogs c
             WHERE c.account_id = ? AND c.slug = last.value ->> 'slug' AND c.project_id = last.value ->> 'projectId'
               AND c.status = 'published'
           )
         ORDER BY last.key`,
        JSON.stringify(former),
        accountId
      )
      .map((row) => ({ ...row }))
  }

  return {
    resolveSlug: async (scope, slug) => resolveCurrent(scope, slug) ?? (await resolveFormer(scope, slug)),
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
      const isVisible = visibilityIn(scope)
      const redirects: BlogRedirect[] = []
      const pause = createYielder()
      for (let after: Pick<FormerSlug, 'slug' | 'projectId'> = { slug: '', projectId: '' }; ; ) {
        await pause()
        const rows = db.all<FormerSlug>(
          `${FORMER_SLUGS} WHERE account_id = ? AND (slug, project_id) > (?, ?) ${ORDER} LIMIT ${ROWS_PER_STEP}`,
          scope.accountId,
          after.slug,
          after.projectId
        )
        const last = rows.filter((row, index) => index === 0 || !isSamePlace(row, rows[index - 1]!))
        const visible = last.filter(({ projectId }) => isVisible(projectId))
        if (visible.length > 0) redirects.push(...redirectsOf(scope, visible))
        if (rows.length < ROWS_PER_STEP) return redirects
        // The rest of the last slug of a step is of no interest: its first row decides.
        after = rows.at(-1)!
      }
    }
  }
}

const isSamePlace = (a: FormerSlug, b: FormerSlug): boolean => a.slug === b.slug && a.projectId === b.projectId

/** Whether the scope contains a project. */
function visibilityIn({ projectIds, projectId }: ProjectScope): (id: string) => boolean {
  const allowed = projectIds === null ? null : new Set(projectIds)
  return (id) => (projectId === undefined || projectId === id) && (allowed === null || allowed.has(id))
}
