import { mergeSpellings, type LabelCount } from '../../../../lib/labels.ts'
import { compareText } from '../../../../lib/text.ts'
import type { RemovedBlog } from '../../../../schemas/blog.ts'
import type { BlogLabel, BlogStore, ProjectScope, RecordRef, RemovalPosition } from '../../port.ts'
import type { Database } from '../database.ts'
import { toSweepPage } from '../sql.ts'
import { forEachStep, type StepSizes } from '../steps.ts'
import { projectsOf } from './counts.ts'

type Overview = 'countByLabel' | 'removedSince' | 'dueToPublish' | 'renderedByOtherRules'

/** Removed blogs that one step reads. SQLite parses the record of each, and finds it by a long key: up to 50 µs. */
const REMOVED_PER_STEP = 150

/** The counts of spellings from several steps. */
class SpellingCounts {
  readonly #counts = new Map<string, number>()

  add(rows: LabelCount[]): void {
    for (const { label, count } of rows) this.#counts.set(label, (this.#counts.get(label) ?? 0) + count)
  }

  *entries(): Generator<LabelCount> {
    for (const [label, count] of this.#counts) yield { label, count }
  }
}

/** A query for removed blogs, up to its condition of the time, and the column of that. */
interface RemovedRows {
  select: string
  at: string
}

/*
 * The project is not a condition, so that a step is short although other projects have many removed blogs. A blog
 * that was renamed after it was unpublished has the slug that it gave up then: readers know no other.
 */
const WITHDRAWN: RemovedRows = {
  select: `
    SELECT id, coalesce(
        (SELECT f.slug FROM former_slugs f WHERE f.blog_id = blogs.id AND f.left_at > withdrawn_at
         ORDER BY f.left_at LIMIT 1),
        slug
      ) AS slug, withdrawn_at AS at, project_id AS projectId, status <> 'published' AS isRemoved
    FROM blogs WHERE account_id = ? AND withdrawn_at`,
  at: 'withdrawn_at'
}
const DELETED: RemovedRows = {
  select: `
    SELECT id, record ->> '$.slug' AS slug, deleted_at AS at, project_id AS projectId, 1 AS isRemoved
    FROM tombstones WHERE was_public = 1 AND account_id = ? AND deleted_at`,
  at: 'deleted_at'
}

const LEFT: RemovedRows = {
  select: `
    SELECT blog_id AS id, slug, left_at AS at, project_id AS projectId, 1 AS isRemoved, current_project_id AS isIn
    FROM blog_departures WHERE account_id = ? AND left_at`,
  at: 'left_at'
}

interface RemovedRow extends RemovedBlog {
  projectId: string
  isRemoved: number
  /** The project of a blog that left `projectId`. */
  isIn?: string
}

const compareRemoved = (a: RemovedBlog, b: RemovedBlog): number => compareText(a.at, b.at) || compareText(a.id, b.id)

/** Lists over many blogs. */
export function createBlogQueries(db: Database, sizes: StepSizes): Pick<BlogStore, Overview> {
  /** Up to `limit` of these removed blogs in the scope, oldest first. */
  async function readRemoved(
    { select, at }: RemovedRows,
    { accountId, projectId, projectIds }: ProjectScope,
    { since, after: start, limit }: { since: string; after: RemovalPosition | null; limit: number }
  ): Promise<RemovedBlog[]> {
    const removed: RemovedBlog[] = []
    const isInScope = (project: string) =>
      (projectId === undefined || project === projectId) && (projectIds?.includes(project) ?? true)
    await forEachStep<RemovalPosition>(
      (after) => {
        const rows = db.all<RemovedRow>(
          `${select} >= ? ${after === null ? '' : `AND (${at}, id) > (?, ?)`} ORDER BY ${at}, id LIMIT ?`,
          accountId,
          after === null || after.at < since ? since : after.at,
          ...(after === null ? [] : [after.at, after.id]),
          REMOVED_PER_STEP
        )
        for (const { id, slug, at: time, projectId: project, isRemoved, isIn } of rows) {
          const isGone = isRemoved === 1 && isInScope(project) && (isIn === undefined || !isInScope(isIn))
          if (isGone) removed.push({ id, slug, at: time })
        }
        return rows.length < REMOVED_PER_STEP || removed.length >= limit ? null : rows.at(-1)!
      },
      () => {},
      start
    )
    return removed.slice(0, limit)
  }

  /** Adds the stored counts of the spellings of all labels of a kind in a project, '' for all projects. */
  async function addLabelCounts(
    counts: SpellingCounts,
    by: BlogLabel,
    { accountId, project, locale }: { accountId: string; project: string; locale: string | undefined }
  ): Promise<void> {
    const ofKind = "account_id = ? AND project_id = ? AND kind = ? AND status = 'published' AND label_key > ?"
    const kind = [accountId, project, by]
    await forEachStep<string>(
      (after) =>
        db.one<{ key: string }>(
          `SELECT label_key AS key FROM blog_counts WHERE ${ofKind}
           ORDER BY label_key LIMIT 1 OFFSET ${sizes.labels - 1}`,
          ...kind,
          after ?? ''
        )?.key ?? null,
      ({ after, upTo }) => {
        const rows = db.all<LabelCount>(
          `SELECT label, sum(count) AS count FROM blog_counts
           WHERE ${ofKind} ${upTo === null ? '' : 'AND label_key <= ?'} ${locale === undefined ? '' : 'AND locale = ?'}
           GROUP BY label_key, label`,
          ...kind,
          after ?? '',
          ...(upTo === null ? [] : [upTo]),
          ...(locale === undefined ? [] : [locale.toLowerCase()])
        )
        counts.add(rows)
      }
    )
  }

  return {
    countByLabel: async (by, scope) => {
      const counts = new SpellingCounts()
      const { accountId, locale } = scope
      for (const project of projectsOf(scope)) await addLabelCounts(counts, by, { accountId, project, locale })
      return await mergeSpellings(counts.entries())
    },
    removedSince: async (scope, since, { after, limit }) => {
      const page = { since, after, limit }
      const removed: RemovedBlog[] = []
      // Who sees all projects sees each blog where it is.
      const seesAll = scope.projectIds === null && scope.projectId === undefined
      for (const rows of seesAll ? [WITHDRAWN, DELETED] : [WITHDRAWN, DELETED, LEFT]) {
        removed.push(...(await readRemoved(rows, scope, page)))
      }
      return removed.sort(compareRemoved).slice(0, limit)
    },
    dueToPublish: async (now, { after, limit }) => {
      const [at, id] = after === null ? ['', ''] : (JSON.parse(after) as [string, string])
      const rows = db.all<RecordRef & { publishAt: string }>(
        `SELECT account_id AS accountId, id, publish_at AS publishAt FROM blogs
         WHERE status = 'scheduled' AND publish_at <= ? AND (publish_at, id) > (?, ?)
         ORDER BY publish_at, id LIMIT ?`,
        now,
        at,
        id,
        limit
      )
      return toSweepPage(rows, limit, {
        keyOf: (row) => JSON.stringify([row.publishAt, row.id]),
        toItem: (row) => ({ ...row })
      })
    },
    // An index serves each of the two ranges, which leave out the blogs of these rules. Of two lower bounds, SQLite
    // uses one, and would read all blogs of these rules for the other.
    renderedByOtherRules: async (rulesVersion, { after, limit }) => {
      const [version, id] = after === null ? ['', ''] : (JSON.parse(after) as [string, string])
      const read = (range: string, values: string[], max: number) =>
        db.all<RecordRef & { rulesVersion: string }>(
          `SELECT account_id AS accountId, id, rules_version AS rulesVersion FROM blogs
           WHERE ${range} ORDER BY rules_version, id LIMIT ?`,
          ...values,
          max
        )
      const isAmongNewer = version > rulesVersion
      const older = isAmongNewer
        ? []
        : read('(rules_version, id) > (?, ?) AND rules_version < ?', [version, id, rulesVersion], limit)
      const newer = isAmongNewer
        ? read('(rules_version, id) > (?, ?)', [version, id], limit)
        : read('rules_version > ?', [rulesVersion], limit - older.length)
      const found = [...older, ...newer]
      return toSweepPage(found, limit, {
        keyOf: (row) => JSON.stringify([row.rulesVersion, row.id]),
        toItem: ({ accountId, id }) => ({ accountId, id })
      })
    }
  }
}
