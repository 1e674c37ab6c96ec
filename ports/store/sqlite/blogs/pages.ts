import { createYielder } from '../../../../lib/async.ts'
import { foldLabel } from '../../../../lib/labels.ts'
import type { BlogFilter, BlogPosition } from '../../port.ts'
import type { Database } from '../database.ts'
import { hasTerms } from '../search.ts'
import { and, type Condition } from '../sql.ts'
import { createBlogCounts } from './counts.ts'
import { createFactCache } from './fact-cache.ts'
import { chooseIndex, inPeriod, LABELS, toConditions } from './filters.ts'
import { createBlogSearch } from './search.ts'
import { createBlogSources } from './sources.ts'
import { createOrderedBlogs, type OtherSort } from './ordered.ts'
import { followsIn, NEWEST_FIRST, orderBy } from './orders.ts'
import {
  readPage,
  readPageOnly,
  readRows,
  type OrderedRows,
  type RowSet,
  type Slice,
  type Step,
  type StepSizes
} from '../steps.ts'

/** A narrow index is used for this share of the matches that may be sorted. */
const NARROW_SHARE = 0.125

/**
 * A position in the order of publication. `at` is null among the blogs without a publication date,
 * which come last; with `id` null it is the position before all of them.
 */
interface Position {
  at: string | null
  id: string | null
}

/** Those rows that `has` accepts. */
function havingOnly<Key>({ endOfStep, rows }: OrderedRows<Key>, has: (n: number) => boolean): OrderedRows<Key> {
  const matching = (step: Step<Key>) => rows(step, { skip: 0, limit: -1 }).filter(has)
  return {
    endOfStep,
    count: (step) => matching(step).length,
    rows: (step, { skip, limit }) => matching(step).slice(skip, skip + limit)
  }
}

const ofStatus = ({ accountId, status }: BlogFilter): BlogFilter => ({ accountId, projectIds: null, status })

interface SortOptions {
  slice: Slice
  /** Row numbers that come before the others. */
  first: number[]
  order?: string
  /** Only what follows this position, among the first or the others. */
  after?: (Condition & { inTitle: boolean | undefined }) | undefined
}

/** The rows of a search that match, `count` of them, and the page of these to read. */
interface Matches {
  rows: RowSet
  count: number
  isMatch: (n: number) => boolean
  slice: Slice
  /** Only what follows this position. */
  position: BlogPosition | undefined
}

export type BlogPages = ReturnType<typeof createBlogPages>

/** Finds the row numbers of the blogs on a page of a list. */
export function createBlogPages(db: Database, sizes: StepSizes) {
  const counts = createBlogCounts(db, sizes.rows)
  const sources = createBlogSources(db, sizes, counts)
  const facts = createFactCache(db, sizes, counts)
  const inOrderBy = createOrderedBlogs(db, sizes)
  const blogSearch = createBlogSearch(db, { sizes, counts, facts })

  /**
   * Blogs in order of publication, newest first, in steps through an index. `wanted`: how many of them are read, so
   * that a step is no longer if all blogs of the index match.
   */
  function inOrder(filter: BlogFilter, wanted = sizes.entries): OrderedRows<Position> {
    const { publishedAfter, publishedBefore } = filter
    const { index, columns, covered } = chooseIndex(filter)
    const conditions = toConditions(filter, covered)
    const size = conditions.length === 0 ? Math.max(1, Math.min(wanted, sizes.entries)) : sizes.rows
    const from = `FROM blogs b INDEXED BY ${index}`

    function range({ after, upTo }: Step<Position>): Condition {
      if (after !== null && after.at === null) {
        return and([
          { sql: 'b.published_at IS NULL', values: [] },
          ...(after.id === null ? [] : [{ sql: 'b.id < ?', values: [after.id] }]),
          ...(upTo === null ? [] : [{ sql: 'b.id >= ?', values: [upTo.id] }])
        ])
      }
      const upper = after?.at ?? publishedBefore
      return and([
        ...(upper === undefined ? [] : [{ sql: '(b.published_at, b.id) < (?, ?)', values: [upper, after?.id ?? ''] }]),
        typeof upTo?.at === 'string'
          ? { sql: '(b.published_at, b.id) >= (?, ?)', values: [upTo.at, upTo.id] }
          : { sql: 'b.published_at > ?', values: [publishedAfter ?? ''] }
      ])
    }
    const inStep = (step: Step<Position>) => and([columns, range(step), ...conditions])

    return {
      endOfStep: (after) => {
        const { sql, values } = and([columns, range({ after, upTo: null })])
        const end = db.one<Position>(
          `SELECT b.published_at AS at, b.id ${from} WHERE ${sql} ORDER BY ${NEWEST_FIRST}
           LIMIT 1 OFFSET ${size - 1}`,
          ...values
        )
        const isLast = (after !== null && after.at === null) || (publishedAfter ?? publishedBefore) !== undefined
        return end ?? (isLast ? null : { at: null, id: null })
      },
      ...readRows(db, { n: 'b.n', from, order: NEWEST_FIRST, inStep })
    }
  }

  /** All blogs of the account in this order, without the filters that `has` decides. */
  function ofAccount(filter: BlogFilter): BlogFilter {
    const { accountId, status, publishedAfter, publishedBefore } = filter
    return {
      accountId,
      projectIds: null,
      status,
      ...(publishedAfter === undefined ? {} : { publishedAfter }),
      ...(publishedBefore === undefined ? {} : { publishedBefore })
    }
  }

  /** These blogs, those in `first` before the others. At most `sizes.sorted`, unless an order is requested. */
  function sort(ns: number[], { slice, first, order = NEWEST_FIRST, after }: SortOptions): number[] {
    const isFirst = 'b.n IN (SELECT value FROM json_each(?))'
    const firsts = JSON.stringify(first)
    const following: Condition =
      after === undefined
        ? { sql: 'true', values: [] }
        : after.inTitle === true
          ? { sql: `(NOT ${isFirst} OR ${after.sql})`, values: [firsts, ...after.values] }
          : { sql: `(NOT ${isFirst} AND ${after.sql})`, values: [firsts, ...after.values] }
    return db
      .all<{ n: number }>(
        `SELECT b.n FROM blogs b WHERE b.n IN (SELECT value FROM json_each(?)) AND ${following.sql}
         ORDER BY ${isFirst} DESC, ${order} LIMIT ? OFFSET ?`,
        JSON.stringify(ns),
        ...following.values,
        firsts,
        slice.limit,
        slice.skip
      )
      .map(({ n }) => n)
  }

  /** Blogs with all terms in the title come first. */
  async function search(
    filter: BlogFilter & { terms: string[] },
    slice: Slice,
    position?: BlogPosition
  ): Promise<{ ns: number[]; totalCount: number }> {
    const { all, inTitle } = await blogSearch.find(filter)
    const totalCount = all.size
    const { sort: sorted = '-publishedAt' } = filter
    if (slice.skip >= totalCount) return { ns: [], totalCount }
    if (totalCount > sizes.sorted && sorted !== '-publishedAt') {
      const rows = havingOnly(inOrderBy(ofAccount(filter), sorted), (n) => all.has(n))
      return { ns: await readPageOnly(rows, slice, position ?? null), totalCount }
    }
    if (totalCount <= sizes.sorted) {
      const after = position && { ...followsIn(sorted, position), inTitle: position.inTitle }
      const first = [...inTitle.values()]
      return { ns: sort([...all.values()], { slice, first, order: orderBy(sorted), after }), totalCount }
    }
    const isPastTitles = position === undefined ? slice.skip >= inTitle.size : position.inTitle !== true
    const first = isPastTitles
      ? []
      : await readMatches(filter, { rows: inTitle, count: inTitle.size, isMatch: () => true, slice, position })
    const others =
      first.length < slice.limit
        ? await readMatches(filter, {
            rows: all,
            count: totalCount - inTitle.size,
            isMatch: (n) => !inTitle.has(n),
            slice: { skip: Math.max(0, slice.skip - inTitle.size), limit: slice.limit - first.length },
            position: isPastTitles ? position : undefined
          })
        : []
    return { ns: [...first, ...others], totalCount }
  }

  /**
   * A page of the matches among these rows in order of publication. Few are sorted: to find them by walking through the
   * blogs of the account may take as long as reading all of these.
   */
  async function readMatches(
    filter: BlogFilter,
    { rows, count, isMatch, slice, position }: Matches
  ): Promise<number[]> {
    if (count > sizes.sorted) {
      const start = position === undefined ? null : { at: position.value, id: position.id }
      const isWanted = (n: number) => rows.has(n) && isMatch(n)
      return await readPageOnly(havingOnly(inOrder(ofAccount(filter)), isWanted), slice, start)
    }
    const pause = createYielder()
    const ns: number[] = []
    for (const chunk of rows.chunks(sizes.rows)) {
      await pause()
      for (const n of chunk) if (isMatch(n)) ns.push(n)
    }
    const after = position && { ...followsIn('-publishedAt', position), inTitle: false }
    return sort(ns, { slice, first: [], after })
  }

  /**
   * Finds blogs through an index that contains few: of the tag or author, or of the updates since a time. Null
   * if neither is a filter, or if there are many.
   */
  function findNarrow(
    filter: BlogFilter,
    { skip, limit }: Slice,
    after?: BlogPosition
  ): { ns: number[]; totalCount: number } | null {
    const { accountId, status, updatedSince } = filter
    const kinds = LABELS.filter((name) => filter[name] !== undefined)
    const max = Math.ceil(sizes.sorted * NARROW_SHARE)
    const indexes: Condition[] = kinds.map((kind) => ({
      sql: 'SELECT n FROM blog_labels WHERE account_id = ? AND kind = ? AND label_key = ?',
      values: [accountId, kind, foldLabel(filter[kind]!)]
    }))
    if (updatedSince !== undefined && status !== 'any') {
      indexes.push({
        sql: 'SELECT n FROM blogs INDEXED BY blogs_by_update WHERE account_id = ? AND status = ? AND updated_at >= ?',
        values: [accountId, status, updatedSince]
      })
    }
    const narrow = indexes.find((one) => db.one(`${one.sql} LIMIT 1 OFFSET ?`, ...one.values, max) === undefined)
    if (narrow === undefined) return null
    const following = after === undefined ? [] : [followsIn('-publishedAt', after)]
    const { sql, values } = and([...toConditions(filter), ...inPeriod(filter), ...following])
    const ns = db
      .all<{ n: number }>(
        `SELECT b.n FROM (${narrow.sql}) found CROSS JOIN blogs b ON b.n = found.n WHERE ${sql}
         ORDER BY ${NEWEST_FIRST}`,
        ...narrow.values,
        ...values
      )
      .map(({ n }) => n)
    return { ns: ns.slice(skip, skip + limit), totalCount: ns.length }
  }

  /**
   * In another order than that of publication. Few matches are sorted, if reading them takes less than walking through
   * the index of the order to the end of the page.
   */
  async function findOrdered(
    { sort: sorted, ...filter }: BlogFilter & { sort: OtherSort },
    slice: Slice,
    { after, total = counts.total(filter) }: { after?: BlogPosition; total?: number | undefined } = {}
  ): Promise<number[]> {
    const source = sources.choose(filter)
    const read = source?.count ?? sources.countIndexed(filter)
    const all = sorted === 'publishedAt' ? sources.countIndexed(filter) : counts.total(ofStatus(filter))!
    const walked = Math.min(all, ((slice.skip + slice.limit) * all) / Math.max(1, total ?? read))
    if (Math.min(total ?? read, read) <= sizes.sorted && read < walked) {
      const { ns } =
        source === null
          ? { ns: await readPageOnly(inOrder(filter), { skip: 0, limit: sizes.sorted + 1 }) }
          : await sources.find(filter, source)
      if (ns !== null && ns.length <= sizes.sorted) {
        const following = after && { ...followsIn(sorted, after), inTitle: false }
        return sort(ns, { slice, first: [], order: orderBy(sorted), after: following })
      }
    }
    return await readPageOnly(inOrderBy(filter, sorted, slice.skip + slice.limit), slice, after ?? null)
  }

  /** A page in order of publication of a list whose number of blogs is not stored, and that number. */
  async function findUncounted(filter: BlogFilter, slice: Slice): Promise<{ ns: number[]; totalCount: number }> {
    const found = await facts.find(filter)
    if (found !== null) {
      const { columns, slots } = found
      const totalCount = slots.length
      if (slice.limit === 0 || slice.skip >= totalCount) return { ns: [], totalCount }
      const { ns, newer } = columns.around(slots, slice)
      return { ns: sort(ns, { slice: { skip: slice.skip - newer, limit: slice.limit }, first: [] }), totalCount }
    }
    const source = sources.choose(filter)
    facts.addCompared(filter.accountId, source?.count ?? sources.countIndexed(filter))
    if (source === null) return await readPage(inOrder(filter), slice)
    const { ns, totalCount } = await sources.find(filter, source)
    if (slice.limit === 0 || slice.skip >= totalCount) return { ns: [], totalCount }
    if (ns !== null) return { ns: sort(ns, { slice, first: [] }), totalCount }
    return { ns: await readPageOnly(inOrder(filter), slice), totalCount }
  }

  /** A page in order of publication, whose number of matches is known. */
  async function readKnown(filter: BlogFilter, slice: Slice): Promise<number[]> {
    const found = slice.skip > Math.ceil(sizes.sorted * NARROW_SHARE) ? counts.seek(filter, slice.skip) : null
    const { skip } = found ?? slice
    const start = found === null ? null : { at: found.at, id: found.at === null ? null : '' }
    return await readPageOnly(inOrder(filter, skip + slice.limit), { skip, limit: slice.limit }, start)
  }

  /** A page, and the number of all matches, which is not counted if it is given. */
  async function findPage(
    filter: BlogFilter,
    slice: Slice,
    totalCount?: number
  ): Promise<{ ns: number[]; totalCount: number }> {
    const { terms, sort: sorted } = filter
    // Many lists may begin in the same turn of the event loop.
    await createYielder()()
    if (hasTerms(terms)) return await search({ ...filter, terms }, slice)
    const total = totalCount ?? counts.total(filter)
    if (sorted !== undefined && sorted !== '-publishedAt') {
      const totalCount = total ?? (await findUncounted(filter, { skip: 0, limit: 0 })).totalCount
      const options = { total: totalCount }
      const ns = slice.skip < totalCount ? await findOrdered({ ...filter, sort: sorted }, slice, options) : []
      return { ns, totalCount }
    }
    if (total !== undefined && slice.skip >= total) return { ns: [], totalCount: total }
    const narrow = findNarrow(filter, slice)
    if (narrow !== null) return narrow
    if (total === undefined) return await findUncounted(filter, slice)
    return { ns: await readKnown(filter, slice), totalCount: total }
  }

  /** The blogs after a position, at most `limit`. */
  async function findAfter(filter: BlogFilter, after: BlogPosition, limit: number): Promise<number[]> {
    const slice = { skip: 0, limit }
    const { terms, sort: sorted = '-publishedAt' } = filter
    await createYielder()()
    if (hasTerms(terms)) return (await search({ ...filter, terms }, slice, after)).ns
    if (sorted !== '-publishedAt') return await findOrdered({ ...filter, sort: sorted }, slice, { after })
    const narrow = findNarrow(filter, slice, after)
    return narrow?.ns ?? (await readPageOnly(inOrder(filter, limit), slice, { at: after.value, id: after.id }))
  }

  return { findPage, findAfter }
}
