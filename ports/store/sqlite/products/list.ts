import type { ProductFilter, ProductStore } from '../../port.ts'
import { createYielder } from '../../../../lib/async.ts'
import type { Database } from '../database.ts'
import { partitionQuery, findPartitions, hasTerms } from '../search.ts'
import type { Condition } from '../sql.ts'
import {
  forEachStep,
  readPage,
  readPageOnly,
  RowSet,
  type OrderedRows,
  type Slice,
  type Step,
  type StepSizes
} from '../steps.ts'
import { createProductCounts, isCounted } from './counts.ts'
import {
  FILTERS,
  filterSteps,
  inProjects,
  OF_ALL,
  where,
  type FilterKey,
  type ListFilter,
  type NarrowFilter
} from './filters.ts'
import { MergedKeys } from './merged-keys.ts'
import { findProjectNs, readEach } from './rows.ts'

/** The products of some projects, and the conditions that all matches meet. */
interface Query {
  projectNs: number[]
  conditions: Condition[]
}

export function createProductLists(db: Database, sizes: StepSizes): Pick<ProductStore, 'list'> {
  const counts = createProductCounts(db, sizes)

  /** The products of all projects, in order of externalId, then projectId. */
  function inOrder({ projectNs, conditions }: Query, rowsPerStep: number): OrderedRows<string> {
    const from = 'products p INDEXED BY products_by_external_id'
    const inStep = ({ after, upTo }: Step<string>) =>
      where([
        inProjects(projectNs),
        { sql: 'p.external_id > ?', values: [after ?? ''] },
        upTo === null ? null : { sql: 'p.external_id <= ?', values: [upTo] },
        ...conditions
      ])
    const merged = projectNs.length === 1 ? null : new MergedKeys(db, projectNs)
    // The order by project is needed only if there are several.
    const [tables, order] =
      projectNs.length === 1
        ? [from, 'p.external_id']
        : [`${from} JOIN product_projects pp ON pp.n = p.project_n`, 'p.external_id, pp.project_id']

    return {
      endOfStep: (after) =>
        merged === null
          ? (db.one<{ key: string }>(
              `SELECT p.external_id AS key FROM ${from} WHERE p.project_n = ? AND p.external_id > ?
               ORDER BY p.external_id LIMIT 1 OFFSET ?`,
              projectNs[0]!,
              after ?? '',
              rowsPerStep - 1
            )?.key ?? null)
          : // The rows of several projects are sorted.
            merged.advance(after, Math.min(rowsPerStep, sizes.rows)),
      count: (step) => {
        const { sql, values } = inStep(step)
        return db.one<{ count: number }>(`SELECT count(*) AS count FROM ${from} WHERE ${sql}`, ...values)!.count
      },
      rows: (step, { skip, limit }) => {
        const { sql, values } = inStep(step)
        return db
          .all<{
            n: number
          }>(`SELECT p.n FROM ${tables} WHERE ${sql} ORDER BY ${order} LIMIT ? OFFSET ?`, ...values, limit, skip)
          .map(({ n }) => n)
      }
    }
  }

  /** The products in the set, in order of externalId, then projectId. */
  function inOrderOf(projectNs: number[], set: RowSet): OrderedRows<string> {
    const all = inOrder({ projectNs, conditions: [] }, sizes.rows)
    const matching = (step: Step<string>) => all.rows(step, { skip: 0, limit: -1 }).filter((n) => set.has(n))
    return {
      endOfStep: all.endOfStep,
      count: (step) => matching(step).length,
      rows: (step, { skip, limit }) => matching(step).slice(skip, skip + limit)
    }
  }

  /** These products, sorted. At most `sizes.sorted`. */
  function sort(ns: number[], { skip, limit }: Slice): number[] {
    return db
      .all<{ n: number }>(
        `SELECT p.n FROM products p JOIN product_projects pp ON pp.n = p.project_n
         WHERE p.n IN (SELECT value FROM json_each(?)) ORDER BY p.external_id, pp.project_id LIMIT ? OFFSET ?`,
        JSON.stringify(ns),
        limit,
        skip
      )
      .map(({ n }) => n)
  }

  /** A page of the products that a filter leaves, and their number. Null: they are too many to sort. */
  async function findNarrow(
    { projectNs, conditions }: Query,
    filter: NarrowFilter,
    slice: Slice
  ): Promise<{ ns: number[] | null; totalCount: number }> {
    const found: number[] = []
    let page: number[] | null = null
    let totalCount = 0
    const tables = `products p INDEXED BY ${filter.index}`
    const size = conditions.length === 0 ? sizes.entries : sizes.rows

    function readStep({ sql, values }: Condition, count: number, isOnly: boolean): void {
      totalCount += count
      if (totalCount > sizes.sorted || count === 0) return
      if (isOnly) {
        page = db
          .all<{ n: number }>(
            `SELECT p.n FROM ${tables} WHERE ${sql} ORDER BY +p.external_id LIMIT ? OFFSET ?`,
            ...values,
            slice.limit,
            slice.skip
          )
          .map(({ n }) => n)
      } else {
        for (const { n } of db.all<{ n: number }>(`SELECT p.n FROM ${tables} WHERE ${sql}`, ...values)) found.push(n)
      }
    }

    for (const projectN of projectNs) {
      const { endOfStep, inStep } = filterSteps(db, { filter, projectN, size })
      await forEachStep<FilterKey>(endOfStep, ({ after, upTo }) => {
        const condition = where([inStep({ after, upTo }), ...conditions])
        // Steps of row numbers are full, except for the last one.
        const isFull = conditions.length === 0 && filter.column === null && upTo !== null
        const count = isFull
          ? size
          : db.one<{ count: number }>(
              `SELECT count(*) AS count FROM ${tables} WHERE ${condition.sql}`,
              ...condition.values
            )!.count
        readStep(condition, count, projectNs.length === 1 && after === null && upTo === null)
      })
    }
    return { ns: totalCount > sizes.sorted ? null : (page ?? sort(found, slice)), totalCount }
  }

  /** The products with all terms. */
  async function findByTerms({ projectNs, conditions }: Query, terms: string[]) {
    const pause = createYielder()
    const set = new RowSet()
    let ns: number[] | null = []
    const { sql, values } = where([{ sql: 'true', values: [] }, ...conditions])
    for (const { n: partitionN } of findPartitions(db, 'product', projectNs)) {
      await pause()
      const found: number[] = []
      db.takeColumns(
        'SELECT rowid FROM product_search WHERE product_search MATCH ?',
        [partitionQuery(partitionN, terms)],
        ([n]) => {
          found.push(n as number)
          return true
        }
      )
      // A partition may have thousands of matches.
      for (let start = 0; start < found.length; start += sizes.rows) {
        const some = found.slice(start, start + sizes.rows)
        const matching =
          conditions.length === 0
            ? some
            : db
                .all<{ n: number }>(
                  `SELECT p.n FROM json_each(?) CROSS JOIN products p ON p.n = json_each.value WHERE ${sql}`,
                  JSON.stringify(some),
                  ...values
                )
                .map(({ n }) => n)
        for (const n of matching) {
          set.add(n)
          ns?.push(n)
        }
        if (set.size > sizes.sorted) ns = null
        await pause()
      }
    }
    return { ns, set }
  }

  /** The number of products of lists with at most one filter, from stored counts. Undefined for other lists. */
  async function countStored(projectNs: number[], filter: ProductFilter): Promise<number | undefined> {
    const names = (Object.keys(FILTERS) as (keyof ProductFilter)[]).filter((name) => filter[name] !== undefined)
    const [kind = 'status', ...others] = names
    if (hasTerms(filter.terms) || others.length > 0 || !isCounted(kind)) return undefined
    return await counts.count(projectNs, kind, filter[kind])
  }

  /** A page of a list whose number of products is stored. */
  async function findKnown(
    { projectNs, filters, total }: { projectNs: number[]; filters: ListFilter[]; total: number },
    slice: Slice
  ): Promise<number[]> {
    if (slice.limit === 0 || slice.skip >= total) return []
    const [first] = filters
    const conditions = filters.map(({ equal, from, to, rest }) => where([equal, from, to, rest]))
    if (first !== undefined && first.index !== OF_ALL && total <= sizes.sorted) {
      const rest = first.rest === undefined ? [] : [first.rest]
      const { ns } = await findNarrow({ projectNs, conditions: rest }, first, slice)
      if (ns !== null) return ns
    }
    // If all products match, a step is no longer than the page.
    const size = first === undefined ? slice.skip + slice.limit : sizes.rows
    return await readPageOnly(inOrder({ projectNs, conditions }, Math.min(size, sizes.entries)), slice)
  }

  async function findPage(
    query: Query & { filters: ListFilter[]; terms: string[] | undefined },
    slice: Slice
  ): Promise<{ ns: number[]; totalCount: number }> {
    const { projectNs, filters, terms } = query
    const conditions = filters.map(({ equal, from, to, rest }) => where([equal, from, to, rest]))
    if (hasTerms(terms)) {
      const { ns, set } = await findByTerms({ projectNs, conditions }, terms)
      if (slice.skip >= set.size) return { ns: [], totalCount: set.size }
      return {
        ns: ns === null ? await readPageOnly(inOrderOf(projectNs, set), slice) : sort(ns, slice),
        totalCount: set.size
      }
    }
    const [first, ...others] = filters
    if (first === undefined) return await readPage(inOrder({ projectNs, conditions: [] }, sizes.entries), slice)
    const remaining = [first.rest, ...others.flatMap(({ equal, from, to, rest }) => [equal, from, to, rest])].filter(
      (condition) => condition !== undefined
    )
    const { ns, totalCount } = await findNarrow({ projectNs, conditions: remaining }, first, slice)
    if (slice.skip >= totalCount) return { ns: [], totalCount }
    return { ns: ns ?? (await readPageOnly(inOrder({ projectNs, conditions }, sizes.rows), slice)), totalCount }
  }

  return {
    list: async (filter, { page, pageSize }) => {
      // Many lists may begin in the same turn of the event loop.
      await createYielder()()
      const projectNs = findProjectNs(db, filter)
      if (projectNs.length === 0) return { products: [], totalCount: 0 }
      const filters = Object.entries(FILTERS).flatMap(([name, toSql]) => {
        const value = filter[name as keyof ProductFilter]
        return value === undefined ? [] : [toSql(value as string)]
      })
      const slice = { skip: (page - 1) * pageSize, limit: pageSize }
      const total = await countStored(projectNs, filter)
      if (total !== undefined) {
        const known = await findKnown({ projectNs, filters, total }, slice)
        return { products: await readEach(db, known), totalCount: total }
      }
      const query = { projectNs, conditions: [], filters, terms: filter.terms }
      const { ns, totalCount } = await findPage(query, slice)
      return { products: await readEach(db, ns), totalCount }
    }
  }
}
