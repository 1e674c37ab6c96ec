import type { SQLInputValue } from 'node:sqlite'
import { createYielder } from '../../../../lib/async.ts'
import { mergeSpellings, type LabelCount } from '../../../../lib/labels.ts'
import type { RemovedBlog } from '../../../../schemas/blog.ts'
import type { BlogStore, RecordRef } from '../../port.ts'
import type { Database } from '../database.ts'
import { and, inScope, toSweepPage, type Condition } from '../sql.ts'
import { forEachStep, type StepSizes } from '../steps.ts'

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

  /** Counts the spellings of all tags or authors. A frequent label takes several steps. */
  async function countLabels(
    { accountId, kind }: { accountId: string; kind: 'tag' | 'author' },
    { sql, values }: Condition
  ): Promise<SpellingCounts> {
    const counts = new SpellingCounts()
    const ofKind = 'l.account_id = ? AND l.kind = ? AND (l.label_key, l.n) > (?, ?)'
    await forEachStep<{ key: string; n: number }>(
      (after) =>
        db.one<{ key: string; n: number }>(
          `SELECT l.label_key AS key, l.n FROM blog_labels l WHERE ${ofKind} ORDER BY l.label_key, l.n
           LIMIT 1 OFFSET ${sizes.labels - 1}`,
          accountId,
          kind,
          after?.key ?? '',
          after?.n ?? 0
        ) ?? null,
      ({ after, upTo }) => {
        const rows = db.all<LabelCount>(
          `SELECT l.label, count(*) AS count FROM blog_labels l JOIN blogs b USING (n)
           WHERE ${ofKind} AND ${upTo === null ? '' : '(l.label_key, l.n) <= (?, ?) AND'} ${sql}
           GROUP BY l.label_key, l.label`,
          accountId,
          kind,
          after?.key ?? '',
          after?.n ?? 0,
          ...(upTo === null ? [] : [upTo.key, upTo.n]),
          ...values
        )
        counts.add(rows)
      }
    )
    return counts
  }

  /**
   * Counts the spellings of all categories, in an index that has all columns. All blogs of a category are
   * in the same step: an index has ten thousand of them in a millisecond.
   */
  async function countCategories(accountId: string, { sql, values }: Condition): Promise<SpellingCounts> {
    const counts = new SpellingCounts()
    await forEachStep<string>(
      (after) =>
        db.one<{ key: string }>(
          `SELECT b.category_key AS key FROM blogs b INDEXED BY blogs_by_category
           WHERE b.account_id = ? AND b.category_key > ? ORDER BY b.category_key
           LIMIT 1 OFFSET ${sizes.labels - 1}`,
          accountId,
          after ?? ''
        )?.key ?? null,
      ({ after, upTo }) => {
        const rows = db.all<LabelCount>(
          `SELECT b.category AS label, count(*) AS count FROM blogs b INDEXED BY blogs_by_category
           WHERE ${sql} AND b.category_key > ? ${upTo === null ? '' : 'AND b.category_key <= ?'}
           GROUP BY b.category_key, b.category`,
          ...values,
          after ?? '',
          ...(upTo === null ? [] : [upTo])
        )
        counts.add(rows)
      }
    )
    return counts
  }

  return {
    countByLabel: async (by, scope) => {
      const { sql, values } = and([
        inScope(scope, 'b'),
        { sql: "b.status = 'published'", values: [] },
        ...(scope.locale === undefined ? [] : [{ sql: 'b.locale = ?', values: [scope.locale.toLowerCase()] }])
      ])
      const published = { sql, values }
      const counts =
        by === 'category'
          ? await countCategories(scope.accountId, published)
          : await countLabels({ accountId: scope.accountId, kind: by }, published)
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
    dueToPublish: async (now, limit) =>
      db
        .all<RecordRef & { publishAt: string }>(
          `SELECT account_id AS accountId, id, publish_at AS publishAt FROM blogs
           WHERE status = 'scheduled' AND publish_at <= ? ORDER BY publish_at, id LIMIT ?`,
          now,
          limit
        )
        .map((row) => ({ ...row })),
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
