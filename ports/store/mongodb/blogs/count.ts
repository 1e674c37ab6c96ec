import type { Collection, Filter } from 'mongodb'
import type { BlogFilter } from '../../port.ts'
import type { Database } from '../database.ts'
import { blogCollection, type BlogDocument } from './documents.ts'
import { toFilter, type Slice } from './filters.ts'
import { isCountedByTime, mayLackTime, type TimeBound, type TimeRange } from './totals/by-time.ts'
import { TIME_FIELDS, type TimeField } from './totals/counts.ts'
import { blogTotalsOf } from './totals/read.ts'

/** The indexes of counts, by a field of the filter. The first one is used: its values have the fewest blogs. */
const COUNT_INDEXES = {
  anyStatus: { 'keys.tags': 'list_of_tag', 'metadata.updatedAt': 'list_any_status_by_update', projectId: 'by_project' },
  oneStatus: {
    'keys.tags': 'list_of_tag',
    'keys.authors': 'list_of_author',
    'keys.category': 'list_of_category',
    'metadata.updatedAt': 'list_by_update',
    'metadata.publishedAt': 'list_by_date',
    projectId: 'list_of_project',
    'keys.locale': 'list_of_locale'
  }
} as const

/**
 * Counts the blogs of a list without search terms. The index is named: an order leaves few indexes to choose
 * from, but a count has none, so that nearly all indexes of blogs are candidates. The server tries them, and
 * may take one that reads the blogs of other accounts.
 */
async function countIn(blogs: Collection<BlogDocument>, filter: Filter<BlogDocument>, limit?: number): Promise<number> {
  const values = new Map<string, unknown>(Object.entries(filter))
  const isAnyStatus = !values.has('metadata.status')
  const indexes = Object.entries(isAnyStatus ? COUNT_INDEXES.anyStatus : COUNT_INDEXES.oneStatus)
  // Several projects are several ranges of their index, but one of the indexes by date.
  const isUsed = (field: string): boolean =>
    field === 'projectId' ? typeof values.get(field) === 'string' : values.has(field)
  const [, hint] = indexes.find(([field]) => isUsed(field)) ?? []
  return await blogs.countDocuments(filter, {
    hint: hint ?? (isAnyStatus ? 'list_any_status_by_date' : 'list_by_date'),
    ...(limit === undefined ? {} : { limit })
  })
}

/** The number of blogs of a list without search terms: stored, or counted by the server. */
export async function countTotal(database: Database, filter: BlogFilter, few = FEW): Promise<number> {
  const stored = await blogTotalsOf(database).count(filter)
  if (stored !== null) return stored
  const times = timesOf(filter)
  if (times === null) return await countIn(blogCollection(database), toFilter(filter))
  return await countByTime(database, times, few)
}

/** A count of so many index entries takes less time than the commands for stored counts by time. */
const FEW = 1_000
const MAX_LARGE_LISTS = 10_000

/** The accounts of which a count with a time had more than a few blogs. For others, the server counts first. */
const accountsWithMany = new WeakMap<Database, Set<string>>()

interface ListByTime {
  /** Without the time. */
  filter: BlogFilter
  field: TimeField
  since?: TimeBound
  before?: TimeBound
}

/** Null for a list whose only time is not the one of update, or those of publication. */
function timesOf({ updatedSince, publishedAfter, publishedBefore, ...filter }: BlogFilter): ListByTime | null {
  const isPublished = publishedAfter !== undefined || publishedBefore !== undefined
  if (isPublished === (updatedSince !== undefined)) return null
  if (updatedSince !== undefined) {
    return { filter, field: 'updated', since: { time: updatedSince, isIncluded: true } }
  }
  return {
    filter,
    field: 'published',
    ...(publishedAfter === undefined ? {} : { since: { time: publishedAfter, isIncluded: false } }),
    ...(publishedBefore === undefined ? {} : { before: { time: publishedBefore, isIncluded: true } })
  }
}

async function countByTime(database: Database, { filter, field, since, before }: ListByTime, few: number) {
  const blogs = blogCollection(database)
  const many = accountsWithMany.get(database) ?? new Set<string>()
  accountsWithMany.set(database, many)
  const inRange = (range: TimeRange, listed = filter): Filter<BlogDocument> => ({
    ...toFilter(listed),
    [TIME_PATHS[field]]: range
  })
  const range: TimeRange = {
    ...(since === undefined ? {} : { [since.isIncluded ? '$gte' : '$gt']: since.time }),
    ...(before === undefined ? {} : { $lt: before.time })
  }
  const all = inRange(range)
  if (!isCountedByTime(filter)) return await countIn(blogs, all)
  if (!many.has(filter.accountId)) {
    // A limit is one of matches: of many blogs in this time, few may be in the project or the language.
    const { accountId, status } = filter
    const isWide =
      isNarrowed(filter) && (await countIn(blogs, inRange(range, { accountId, projectIds: null, status }), few)) >= few
    const count = isWide ? few : await countIn(blogs, all, few)
    if (count < few) return count
    if (many.size >= MAX_LARGE_LISTS) many.clear()
    many.add(accountId)
  }
  const times = await blogTotalsOf(database).byTime(filter, field)
  const countFrom = async (bound: TimeBound) =>
    (await times?.since(bound, (range) => countIn(blogs, inRange(range)))) ?? null
  const from = since === undefined ? (times?.total() ?? null) : await countFrom(since)
  const after = before === undefined ? 0 : await countFrom(before)
  // A range whose end is before its beginning is empty.
  return from === null || after === null ? await countIn(blogs, all) : Math.max(0, from - after)
}

const isNarrowed = ({ projectIds, projectId, locale, language }: BlogFilter): boolean =>
  projectIds !== null || projectId !== undefined || locale !== undefined || language !== undefined

const TIME_PATHS = { updated: 'metadata.updatedAt', published: 'metadata.publishedAt' } as const

/** Up to here, the server skips the blogs before a page. */
export const MAX_SKIP = 1_000

/**
 * The ids of a page without search terms, read from an index alone. The beginning of a deep page is found by the counts
 * by time.
 */
export async function findIdsInOrder(
  database: Database,
  filter: BlogFilter,
  { order, skip, limit, maxSkip = MAX_SKIP }: Slice & { maxSkip?: number }
): Promise<string[]> {
  if (limit <= 0) return []
  const conditions = toFilter(filter)
  const start = skip <= maxSkip ? null : await findStart(database, filter, { order, skip, limit, maxSkip })
  const found = await blogCollection(database)
    .find(start === null ? conditions : { ...conditions, ...start.range }, {
      projection: { _id: 1 },
      sort: order,
      skip: start?.skip ?? skip,
      limit
    })
    .toArray()
  return found.map(({ _id }) => _id)
}

/** Null for an order or a filter without counts by time. */
async function findStart(
  database: Database,
  filter: BlogFilter,
  { order, skip, limit, maxSkip }: Slice & { maxSkip: number }
) {
  const [path] = Object.keys(order)
  const field = TIME_FIELDS.find((one) => TIME_PATHS[one] === path)
  const { updatedSince, publishedAfter, publishedBefore } = filter
  const hasTime = [updatedSince, publishedAfter, publishedBefore].some((time) => time !== undefined)
  if (field === undefined || hasTime) return null
  const times = await blogTotalsOf(database).byTime(filter, field)
  if (times === null) return null
  const isDescending = order._id === -1
  // Blogs without the time are first, or last in a descending order: no range contains them.
  if (mayLackTime(filter, field) && (!isDescending || skip + limit > times.total())) return null
  const start = await times.startOf({ isDescending, skip, maxSkip })
  return start === null ? null : { range: { [TIME_PATHS[field]]: start.range }, skip: start.skip }
}
