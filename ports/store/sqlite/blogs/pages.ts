import { createYielder } from '../../../../lib/async.ts'
import { foldLabel } from '../../../../lib/labels.ts'
import type { BlogSort } from '../../../../schemas/blog.ts'
import type { BlogFilter, BlogPosition } from '../../port.ts'
import type { Database } from '../database.ts'
import { partitionQuery, findPartitions, hasTerms } from '../search.ts'
import { and, inScope, type Condition } from '../sql.ts'
import { countUpdated } from './count-updated.ts'
import { followsIn, NEWEST_FIRST, orderBy } from './orders.ts'
import { readPage, readPageOnly, RowSet, type OrderedRows, type Slice, type Step, type StepSizes } from '../steps.ts'

/** A narrow index is used for this share of the matches that may be sorted. */
const NARROW_SHARE = 0.125

const EQUALS = {
  category: { sql: 'b.category_key = ?', normalize: foldLabel },
  locale: { sql: 'b.locale = ?', normalize: (locale: string) => locale.toLowerCase() },
  language: { sql: 'b.language = ?', normalize: (language: string) => language }
} as const
/** The orders for which the index of the project is used. */
const ORDERS_OF_PROJECT: ReadonlySet<BlogSort> = new Set(['-publishedAt', 'publishedAt'])
const LABELS = ['tag', 'author'] as const

/**
 * A position in the order of publication. `at` is null among the blogs without a publication date,
 * which come last; with `id` null it is the position before all of them.
 */
interface Position {
  at: string | null
  id: string | null
}

type Filtered = keyof typeof EQUALS | 'scope' | 'status'

interface SortOptions {
  slice: Slice
  /** Row numbers that come before the others. */
  first: number[]
  order?: string
  /** Only what follows this position, among the first or the others. */
  after?: (Condition & { inTitle: boolean | undefined }) | undefined
}

/** The conditions of all filters but the period, without those in `covered`. */
function toConditions(filter: BlogFilter, covered: Filtered[] = []): Condition[] {
  const { accountId, status, updatedSince } = filter
  const conditions = covered.includes('scope') ? [] : [inScope(filter, 'b')]
  if (status !== 'any' && !covered.includes('status')) conditions.push({ sql: 'b.status = ?', values: [status] })
  for (const name of ['category', 'locale', 'language'] as const) {
    const { sql, normalize } = EQUALS[name]
    const value = filter[name]
    if (value !== undefined && !covered.includes(name)) conditions.push({ sql, values: [normalize(value)] })
  }
  if (updatedSince !== undefined) conditions.push({ sql: 'b.updated_at >= ?', values: [updatedSince] })
  for (const kind of LABELS) {
    const label = filter[kind]
    if (label === undefined) continue
    conditions.push({
      sql: `EXISTS (
        SELECT 1 FROM blog_labels l WHERE l.account_id = ? AND l.kind = ? AND l.label_key = ? AND l.n = b.n
      )`,
      values: [accountId, kind, foldLabel(label)]
    })
  }
  return conditions
}

function inPeriod({ publishedAfter, publishedBefore }: BlogFilter): Condition[] {
  return [
    ...(publishedAfter === undefined ? [] : [{ sql: 'b.published_at > ?', values: [publishedAfter] }]),
    ...(publishedBefore === undefined ? [] : [{ sql: 'b.published_at < ?', values: [publishedBefore] }])
  ]
}

/**
 * An index in order of publication that contains all blogs of the filter, the columns before, and
 * the filters that these columns answer.
 */
function chooseIndex(filter: BlogFilter): { index: string; columns: Condition; covered: Filtered[] } {
  const { accountId, status, category, locale } = filter
  const projects = [...(filter.projectId === undefined ? [] : [filter.projectId]), ...(filter.projectIds ?? [])]
  const isOneProject = projects.length === 1
  const scope: Filtered[] = filter.projectId === undefined && filter.projectIds === null ? ['scope'] : []
  const by = (index: string, columns: Record<string, string>, covered: Filtered[] = scope) => ({
    index,
    columns: and(
      Object.entries({ account_id: accountId, ...columns }).map(([column, value]) => ({
        sql: `b.${column} = ?`,
        values: [value]
      }))
    ),
    covered
  })
  if (status === 'any') return by('blogs_of_any_status', {})
  if (category !== undefined) {
    const key = { category_key: foldLabel(category), status }
    return by('blogs_by_category', key, [...scope, 'status', 'category'])
  }
  if (isOneProject) return by('blogs_by_project', { project_id: projects[0]!, status }, ['scope', 'status'])
  if (locale !== undefined) {
    return by('blogs_by_locale', { locale: locale.toLowerCase(), status }, [...scope, 'status', 'locale'])
  }
  return by('blogs_listed', { status }, [...scope, 'status'])
}

export type BlogPages = ReturnType<typeof createBlogPages>

/** Finds the row numbers of the blogs on a page of a list. */
export function createBlogPages(db: Database, sizes: StepSizes) {
  /** Blogs in order of publication, newest first, in steps through an index. */
  function inOrder(filter: BlogFilter): OrderedRows<Position> {
    const { publishedAfter, publishedBefore } = filter
    const { index, columns, covered } = chooseIndex(filter)
    const conditions = toConditions(filter, covered)
    const size = conditions.length === 0 ? sizes.entries : sizes.rows
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
      count: (step) => {
        const { sql, values } = inStep(step)
        return db.one<{ count: number }>(`SELECT count(*) AS count ${from} WHERE ${sql}`, ...values)!.count
      },
      rows: (step, { skip, limit }) => {
        const { sql, values } = inStep(step)
        return db
          .all<{
            n: number
          }>(`SELECT b.n ${from} WHERE ${sql} ORDER BY ${NEWEST_FIRST} LIMIT ? OFFSET ?`, ...values, limit, skip)
          .map(({ n }) => n)
      }
    }
  }

  /** The blogs that `has` accepts, in order of publication. */
  function inOrderOf(filter: BlogFilter, has: (n: number) => boolean): OrderedRows<Position> {
    const { accountId, status, publishedAfter, publishedBefore } = filter
    const all = inOrder({
      accountId,
      projectIds: null,
      status,
      ...(publishedAfter === undefined ? {} : { publishedAfter }),
      ...(publishedBefore === undefined ? {} : { publishedBefore })
    })
    const matching = (step: Step<Position>) => all.rows(step, { skip: 0, limit: -1 }).filter(has)
    return {
      endOfStep: all.endOfStep,
      count: (step) => matching(step).length,
      rows: (step, { skip, limit }) => matching(step).slice(skip, skip + limit)
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

  /** Searches partition by partition. Blogs with all terms in the title come first. */
  async function search(
    filter: BlogFilter & { terms: string[] },
    slice: Slice,
    position?: BlogPosition
  ): Promise<{ ns: number[]; totalCount: number }> {
    const pause = createYielder()
    const [all, inTitle] = [new RowSet(), new RowSet()]
    let found: { ns: number[]; first: number[] } | null = { ns: [], first: [] }
    const { sql, values } = and([...toConditions(filter), ...inPeriod(filter)])
    for (const partitionN of findPartitions(db, 'blog', [filter.accountId])) {
      await pause()
      const query = partitionQuery(partitionN, filter.terms)
      const matches = db.all<{ n: number }>(
        `SELECT b.n FROM blog_search CROSS JOIN blogs b ON b.n = blog_search.rowid
         WHERE blog_search MATCH ? AND ${sql}`,
        query,
        ...values
      )
      for (const { n } of matches) {
        all.add(n)
        found?.ns.push(n)
      }
      if (matches.length === 0 || filter.sort !== undefined) continue
      for (const { n } of db.all<{ n: number }>(
        'SELECT rowid AS n FROM blog_search WHERE blog_search MATCH ?',
        `title : (${query})`
      )) {
        if (!all.has(n)) continue
        inTitle.add(n)
        found?.first.push(n)
      }
      if (all.size > sizes.sorted && filter.sort === undefined) found = null
    }
    const totalCount = all.size
    if (slice.skip >= totalCount) return { ns: [], totalCount }
    if (found !== null) {
      const after = position && { ...followsIn(filter.sort ?? '-publishedAt', position), inTitle: position.inTitle }
      const order = filter.sort === undefined ? {} : { order: orderBy(filter.sort) }
      return { ns: sort(found.ns, { slice, first: found.first, ...order, after }), totalCount }
    }
    const start = position === undefined ? null : { at: position.value, id: position.id }
    const isPastTitles = position === undefined ? slice.skip >= inTitle.size : position.inTitle !== true
    const first = isPastTitles
      ? []
      : await readPageOnly(
          inOrderOf(filter, (n) => inTitle.has(n)),
          slice,
          start
        )
    const others =
      first.length < slice.limit
        ? await readPageOnly(
            inOrderOf(filter, (n) => all.has(n) && !inTitle.has(n)),
            { skip: Math.max(0, slice.skip - inTitle.size), limit: slice.limit - first.length },
            isPastTitles ? start : null
          )
        : []
    return { ns: [...first, ...others], totalCount }
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
    const kind = LABELS.find((name) => filter[name] !== undefined)
    const max = Math.ceil(sizes.sorted * NARROW_SHARE)
    let narrow: Condition
    if (kind !== undefined) {
      narrow = {
        sql: 'SELECT n FROM blog_labels WHERE account_id = ? AND kind = ? AND label_key = ?',
        values: [accountId, kind, foldLabel(filter[kind]!)]
      }
    } else if (updatedSince !== undefined && status !== 'any') {
      narrow = {
        sql: 'SELECT n FROM blogs INDEXED BY blogs_by_update WHERE account_id = ? AND status = ? AND updated_at >= ?',
        values: [accountId, status, updatedSince]
      }
    } else return null
    if (db.one(`${narrow.sql} LIMIT 1 OFFSET ?`, ...narrow.values, max) !== undefined) return null
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

  /** In another order than that of publication: an index contains the order. */
  function findOrdered(
    { sort: sorted, ...filter }: BlogFilter & { sort: BlogSort },
    { skip, limit }: Slice,
    { after, totalCount }: { after?: BlogPosition; totalCount?: number | undefined }
  ): { ns: number[]; totalCount: number } {
    const following = after === undefined ? [] : [followsIn(sorted, after)]
    const { sql, values } = and([...toConditions(filter), ...inPeriod(filter), ...following])
    // A unary plus excludes the index of the project, which would require a sort. The index of the
    // order contains the project.
    const where = ORDERS_OF_PROJECT.has(sorted) ? sql : sql.replaceAll('b.project_id', '+b.project_id')
    const count = (): number =>
      db.one<{ count: number }>(`SELECT count(*) AS count FROM blogs b WHERE ${where}`, ...values)!.count
    const total = totalCount ?? (after === undefined ? count() : 0)
    const rows = db.all<{ n: number }>(
      `SELECT b.n FROM blogs b WHERE ${where} ORDER BY ${orderBy(sorted)} LIMIT ? OFFSET ?`,
      ...values,
      limit,
      skip
    )
    return { ns: rows.map(({ n }) => n), totalCount: total }
  }

  /** A page, and the number of all matches, which is not counted if it is given. */
  async function findPage(
    filter: BlogFilter,
    slice: Slice,
    totalCount?: number
  ): Promise<{ ns: number[]; totalCount: number }> {
    const { terms, sort: sorted } = filter
    if (hasTerms(terms)) return await search({ ...filter, terms }, slice)
    if (sorted !== undefined && sorted !== '-publishedAt') {
      return findOrdered({ ...filter, sort: sorted }, slice, { totalCount })
    }
    const narrow = findNarrow(filter, slice)
    if (narrow !== null) return narrow
    const total = totalCount ?? (await countUpdated({ db, sizes }, filter))
    if (total === undefined) return await readPage(inOrder(filter), slice)
    return { ns: await readPageOnly(inOrder(filter), slice), totalCount: total }
  }

  /** The blogs after a position, at most `limit`. */
  async function findAfter(filter: BlogFilter, after: BlogPosition, limit: number): Promise<number[]> {
    const slice = { skip: 0, limit }
    const { terms, sort: sorted = '-publishedAt' } = filter
    if (hasTerms(terms)) return (await search({ ...filter, terms }, slice, after)).ns
    if (sorted !== '-publishedAt') return findOrdered({ ...filter, sort: sorted }, slice, { after }).ns
    const narrow = findNarrow(filter, slice, after)
    return narrow?.ns ?? (await readPageOnly(inOrder(filter), slice, { at: after.value, id: after.id }))
  }

  return { findPage, findAfter }
}
