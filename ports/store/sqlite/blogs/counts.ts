import { foldLabel } from '../../../../lib/labels.ts'
import { compareText } from '../../../../lib/text.ts'
import { languageOf } from '../../../../lib/transliterate.ts'
import { BLOG_STATUSES } from '../../../../schemas/blog.ts'
import type { BlogFilter, ProjectScope } from '../../port.ts'
import { BUCKET_LENGTHS } from '../blog-counts-schema.ts'
import { CATEGORY_MARK } from '../blog-times-schema.ts'
import type { Database } from '../database.ts'
import { and, type Condition } from '../sql.ts'
import { STEP_SIZES } from '../steps.ts'
import { toConditions } from './filters.ts'

/*
 * Reads the counts of blogs that triggers maintain: see `blog-counts-schema.ts` and `blog-times-schema.ts`.
 * Each takes a few index lookups
 * for each project that an API key is confined to, however many blogs there are.
 */

export const LABELS = ['category', 'tag', 'author'] as const

/** Follows every character of a time. */
const AFTER_ALL = '~'
const SCOPES = 'json_each(?) CROSS JOIN'
/** Rows of these projects and states. */
const IN_SCOPE = 'account_id = ? AND project_id = value ->> 0 AND status = value ->> 1 AND kind = ?'
/** Rows of the times of all blogs, or of a category. */
const TIMED = `${IN_SCOPE} AND category = ?`

type TimeKind = 'updated' | 'published'
/** Which blogs of the second of a time to add. */
type OfSecond = 'counted' | 'all' | 'none'

/** The projects whose counts add up to those of a scope. '' are all projects of the account. */
export function projectsOf({ projectIds, projectId }: ProjectScope): string[] {
  if (projectId === undefined) return projectIds === null ? [''] : [...new Set(projectIds)]
  return projectIds === null || projectIds.includes(projectId) ? [projectId] : []
}

interface LocaleCount {
  locale: string
  count: number
}

/** Whether counts of a locale belong to the list. */
const hasLocale =
  ({ locale, language }: BlogFilter) =>
  (row: LocaleCount): boolean =>
    (locale === undefined || row.locale === locale.toLowerCase()) &&
    (language === undefined || languageOf(row.locale) === language)

/** The filters besides the scope and the status that have a value. */
const isSet = (filter: BlogFilter, names: readonly (keyof BlogFilter)[]): (keyof BlogFilter)[] =>
  names.filter((name) => filter[name] !== undefined)

/** `maxCompared`: how many blogs one statement may compare with a filter. */
export function createBlogCounts(db: Database, maxCompared = STEP_SIZES.rows) {
  /** JSON for SCOPES. */
  const scopesOf = (filter: BlogFilter): string => {
    const statuses = filter.status === 'any' ? BLOG_STATUSES : [filter.status]
    return JSON.stringify(projectsOf(filter).flatMap((project) => statuses.map((status) => [project, status])))
  }

  /** The sum of these counts, of the locale and language of the list. */
  function addUp(filter: BlogFilter, { sql, values }: Condition): number {
    if (filter.language !== undefined) {
      return db
        .all<LocaleCount>(sql, ...values)
        .filter(hasLocale(filter))
        .reduce((sum, { count }) => sum + count, 0)
    }
    const inLocale = filter.locale === undefined ? [] : [filter.locale.toLowerCase()]
    return db.one<{ count: number }>(
      `SELECT coalesce(sum(count), 0) AS count FROM (${sql}) ${inLocale.length > 0 ? 'WHERE locale = ?' : ''}`,
      ...values,
      ...inLocale
    )!.count
  }

  /** Blogs with this label, or all, by locale and language. */
  function countLabel(filter: BlogFilter, name: (typeof LABELS)[number] | undefined): number {
    const { accountId } = filter
    const rows = `SELECT locale, count FROM ${SCOPES} blog_counts WHERE ${IN_SCOPE} AND label_key = ?`
    const key = name === undefined ? '' : foldLabel(filter[name]!)
    return addUp(filter, { sql: rows, values: [scopesOf(filter), accountId, name ?? 'all', key] })
  }

  /** The values of TIMED. */
  const timedValues = (filter: BlogFilter, kind: TimeKind): [string, string, TimeKind, string] => [
    scopesOf(filter),
    filter.accountId,
    kind,
    filter.category === undefined ? '' : CATEGORY_MARK + foldLabel(filter.category)
  ]

  /** Blogs with a time of this kind. */
  function countTimed(filter: BlogFilter, kind: TimeKind): number {
    const rows = `SELECT locale, count FROM ${SCOPES} blog_times WHERE ${TIMED} AND length = ?`
    return addUp(filter, { sql: rows, values: [...timedValues(filter, kind), BUCKET_LENGTHS[0]] })
  }

  /** Blogs of the second of a time. */
  function countBucket(filter: BlogFilter, kind: TimeKind, time: string): number {
    const length = BUCKET_LENGTHS.at(-1)!
    const rows = `SELECT locale, count FROM ${SCOPES} blog_times WHERE ${TIMED} AND length = ? AND start = ?`
    return addUp(filter, { sql: rows, values: [...timedValues(filter, kind), length, time.slice(0, length)] })
  }

  /** Blogs of the second of a time, at that time (not with `>`) or later. */
  function countInSecond(filter: BlogFilter, kind: TimeKind, { operator, time }: { operator: string; time: string }) {
    const { status } = filter
    const columns = status === 'any' ? 'any' : projectsOf(filter).includes('') ? 'account' : 'projects'
    const index = {
      updated: { any: 'blogs_of_any_status_by_update', account: 'blogs_by_update', projects: 'blogs_by_update' },
      published: { any: 'blogs_of_any_status', account: 'blogs_listed', projects: 'blogs_by_project' }
    }[kind][columns]
    const { sql, values } = and([
      ...toConditions({ ...filter, updatedSince: undefined } as BlogFilter),
      { sql: `b.${kind}_at ${operator} ? AND b.${kind}_at < ?`, values: [time, time.slice(0, 19) + AFTER_ALL] }
    ])
    return db.one<{ count: number }>(
      `SELECT count(*) AS count FROM blogs b INDEXED BY ${index} WHERE ${sql}`,
      ...values
    )!.count
  }

  /**
   * Blogs with a time of this kind at or after `time`, with `>` only after it. Blogs of its second are counted one by
   * one, unless all or none of them shall be added. Undefined if they are too many.
   */
  function countSince(
    filter: BlogFilter,
    kind: TimeKind,
    { operator, time, ofSecond = 'counted' }: { operator: '>=' | '>'; time: string; ofSecond?: OfSecond }
  ): number | undefined {
    // Whole buckets that follow the one of the time, within the next larger bucket.
    const parts = BUCKET_LENGTHS.map((length, at) => ({
      length,
      after: time.slice(0, length),
      until: (at === 0 ? '' : time.slice(0, BUCKET_LENGTHS[at - 1])) + AFTER_ALL
    }))
    const values = timedValues(filter, kind)
    const rows = parts.map(
      ({ length }) => `SELECT locale, count FROM ${SCOPES} blog_times
        WHERE ${TIMED} AND length = ${length} AND start > ? AND start < ?`
    )
    const count = addUp(filter, {
      sql: rows.join(' UNION ALL '),
      values: parts.flatMap(({ after, until }) => [...values, after + AFTER_ALL, until])
    })
    if (ofSecond === 'none') return count
    const inSecond = countBucket(filter, kind, time)
    if (inSecond === 0 || ofSecond === 'all') return count + inSecond
    const { accountId, status } = filter
    // The index contains those that the other filters leave out, too.
    const compared = countBucket({ accountId, projectIds: null, status }, kind, time)
    return compared > maxCompared ? undefined : count + countInSecond(filter, kind, { operator, time })
  }

  /**
   * The number of blogs of a list without `terms`, from stored counts. Undefined for combinations that have none:
   * several of category, tag and author; a time with a tag or an author; both kinds of times; and a time in a second
   * with thousands of blogs.
   */
  const total = (filter: BlogFilter): number | undefined => countMatches(filter, { from: 'counted', before: 'counted' })

  /** The same, or more by blogs in the seconds of its times. */
  const atMost = (filter: BlogFilter): number | undefined => countMatches(filter, { from: 'all', before: 'none' })

  function countMatches(filter: BlogFilter, ofSecond: { from: OfSecond; before: OfSecond }): number | undefined {
    const { updatedSince, publishedAfter, publishedBefore } = filter
    const labels = isSet(filter, LABELS) as (typeof LABELS)[number][]
    const isPeriod = publishedAfter !== undefined || publishedBefore !== undefined
    if (labels.length > 1) return undefined
    if (updatedSince === undefined && !isPeriod) return countLabel(filter, labels[0])
    if (isSet(filter, ['tag', 'author']).length > 0) return undefined
    if (!isPeriod) {
      return countSince(filter, 'updated', { operator: '>=', time: updatedSince!, ofSecond: ofSecond.from })
    }
    if (updatedSince !== undefined) return undefined
    const from =
      publishedAfter === undefined
        ? countTimed(filter, 'published')
        : countSince(filter, 'published', { operator: '>', time: publishedAfter, ofSecond: ofSecond.from })
    const before =
      publishedBefore === undefined
        ? 0
        : countSince(filter, 'published', { operator: '>=', time: publishedBefore, ofSecond: ofSecond.before })
    return from === undefined || before === undefined ? undefined : Math.max(0, from - before)
  }

  /**
   * Where a list in order of publication, newest first, continues after its first `skip` blogs: directly after a time
   * and then after some blogs more, of one second. Null for lists whose blogs are not counted by time: those of a
   * tag, author or time of update, and those that end in a second with thousands of blogs.
   */
  function seek(filter: BlogFilter, skip: number): { at: string | null; skip: number } | null {
    const { publishedBefore } = filter
    if (isSet(filter, ['tag', 'author', 'updatedSince']).length > 0) return null
    const before =
      publishedBefore === undefined ? 0 : countSince(filter, 'published', { operator: '>=', time: publishedBefore })
    if (before === undefined) return null
    let left = skip + before
    let start = ''
    for (const length of BUCKET_LENGTHS) {
      const buckets = new Map<string, number>()
      const rows = db.all<LocaleCount & { start: string }>(
        `SELECT start, locale, count FROM ${SCOPES} blog_times
         WHERE ${TIMED} AND length = ${length} AND start > ? AND start < ?`,
        ...timedValues(filter, 'published'),
        start,
        start + AFTER_ALL
      )
      for (const bucket of rows.filter(hasLocale(filter))) {
        buckets.set(bucket.start, (buckets.get(bucket.start) ?? 0) + bucket.count)
      }
      const newestFirst = [...buckets].sort(([a], [b]) => compareText(b, a))
      const found = newestFirst.find(([, count]) => {
        if (left < count) return true
        left -= count
        return false
      })
      // Beyond all blogs with a time.
      if (found === undefined) return { at: null, skip: left }
      ;[start] = found
    }
    return { at: start + AFTER_ALL, skip: left }
  }

  return { total, atMost, seek }
}

export type BlogCounts = ReturnType<typeof createBlogCounts>
