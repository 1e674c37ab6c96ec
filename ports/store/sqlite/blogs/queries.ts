import type { SQLInputValue } from 'node:sqlite'
import { createYielder } from '../../../../lib/async.ts'
import { mergeSpellings, type LabelCount } from '../../../../lib/labels.ts'
import type { RemovedBlog } from '../../../../schemas/blog.ts'
import type { BlogLabel, BlogStore, RecordRef } from '../../port.ts'
import type { Database } from '../database.ts'
import { inScope, toSweepPage } from '../sql.ts'
import { forEachStep, type StepSizes } from '../steps.ts'
import { projectsOf } from './counts.ts'

type Overview = 'countByLabel' | 'removedSince' | 'dueToPublish' | 'renderedByOtherRules'

const ROWS_PER_STEP = 2000

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

/** Merges two lists, each of which has the newest first. */
async function mergeNewestFirst(a: RemovedBlog[], b: RemovedBlog[]): Promise<RemovedBlog[]> {
  if (a.length === 0 || b.length === 0) return [...a, ...b]
  const isBefore = (one: RemovedBlog, other: RemovedBlog) =>
    one.at > other.at || (one.at === other.at && one.id > other.id)
  const pause = createYielder()
  const merged: RemovedBlog[] = []
  for (let [fromA, fromB] = [0, 0]; merged.length < a.length + b.length; ) {
    if (fromB === b.length || (fromA < a.length && isBefore(a[fromA]!, b[fromB]!))) merged.push(a[fromA++]!)
    else merged.push(b[fromB++]!)
    await pause()
  }
  return merged
}

/** Lists over many blogs. */
export function createBlogQueries(db: Database, sizes: StepSizes): Pick<BlogStore, Overview> {
  /** The rows of this SELECT, newest first. It ends within its WHERE clause. */
  async function readRemoved(
    select: string,
    { at, id, values }: { at: string; id: string; values: SQLInputValue[] }
  ): Promise<RemovedBlog[]> {
    const removed: RemovedBlog[] = []
    await forEachStep<RemovedBlog>(
      (after) => {
        const rows = db.all<RemovedBlog>(
          `${select} ${after === null ? '' : `AND ${at} <= ? AND (${at}, ${id}) < (?, ?)`}
           ORDER BY ${at} DESC, ${id} DESC LIMIT ${ROWS_PER_STEP}`,
          ...values,
          ...(after === null ? [] : [after.at, after.at, after.id])
        )
        for (const row of rows) removed.push({ ...row })
        return rows.length < ROWS_PER_STEP ? null : rows.at(-1)!
      },
      () => {}
    )
    return removed
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
    removedSince: async (scope, since) => {
      const withdrawn = inScope(scope, 'b')
      const deleted = inScope(scope, 't')
      return await mergeNewestFirst(
        await readRemoved(
          `SELECT b.id, b.slug, b.withdrawn_at AS at FROM blogs b
           WHERE ${withdrawn.sql} AND b.withdrawn_at >= ? AND b.status <> 'published'`,
          { at: 'b.withdrawn_at', id: 'b.id', values: [...withdrawn.values, since] }
        ),
        await readRemoved(
          `SELECT t.id, t.record ->> '$.slug' AS slug, t.deleted_at AS at FROM tombstones t
           WHERE ${deleted.sql} AND t.was_public = 1 AND t.deleted_at >= ?`,
          { at: 't.deleted_at', id: 't.id', values: [...deleted.values, since] }
        )
      )
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
    // An index serves each of the two ranges, which leave out the blogs of these rules.
    renderedByOtherRules: async (rulesVersion, { after, limit }) => {
      const [version, id] = after === null ? ['', ''] : (JSON.parse(after) as [string, string])
      const read = (range: string, values: string[], max: number) =>
        db.all<RecordRef & { rulesVersion: string }>(
          `SELECT account_id AS accountId, id, rules_version AS rulesVersion FROM blogs
           WHERE (rules_version, id) > (?, ?) AND ${range} ORDER BY rules_version, id LIMIT ?`,
          version,
          id,
          ...values,
          max
        )
      const older = read('rules_version < ?', [rulesVersion], limit)
      const found = [...older, ...read('rules_version > ?', [rulesVersion], limit - older.length)]
      return toSweepPage(found, limit, {
        keyOf: (row) => JSON.stringify([row.rulesVersion, row.id]),
        toItem: ({ accountId, id }) => ({ accountId, id })
      })
    }
  }
}
