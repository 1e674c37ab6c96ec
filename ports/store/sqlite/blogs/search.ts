import { createYielder } from '../../../../lib/async.ts'
import type { BlogFilter } from '../../port.ts'
import type { Database } from '../database.ts'
import { encodeTerm, findPartitions, PARTITION_TERMS, type Partition } from '../search.ts'
import { and } from '../sql.ts'
import { RowSet, type StepSizes } from '../steps.ts'
import type { BlogCounts } from './counts.ts'
import type { FactCache } from './fact-cache.ts'
import { inPeriod, toConditions } from './filters.ts'

/** Digits of the longest prefixes that have an index of their own: see `search-schema.ts`. */
const INDEXED_DIGITS = 14
const HEXADECIMAL = [...'0123456789abcdef']
/** Precedes the terms in the list of pages; those of the prefix indexes follow a later character. */
const MAIN_INDEX = '0'
/** Follows all hexadecimal digits. */
const AFTER_DIGITS = 'g'

/**
 * The pages of the index from the first one that begins with a term between two texts to the first one after them. Each
 * segment of the index has a list of the first terms of its pages, which are shortened
 * (https://sqlite.org/fts5.html#the_segment_b_tree_index_table).
 */
const COUNT_PAGES = `
  WITH RECURSIVE segments (id) AS (
    SELECT min(segid) FROM blog_search_idx
    UNION ALL SELECT (SELECT min(segid) FROM blog_search_idx WHERE segid > id) FROM segments WHERE id IS NOT NULL
  )
  SELECT coalesce(sum(
    (SELECT pgno >> 1 FROM blog_search_idx WHERE segid = id AND term >= ? ORDER BY term LIMIT 1) -
    (SELECT pgno >> 1 FROM blog_search_idx WHERE segid = id AND term >= ? ORDER BY term LIMIT 1)
  ), 0) AS pages
  FROM segments WHERE id IS NOT NULL`

/**
 * Finds blogs by their terms. All blogs of an account are in one partition, in which a search takes a few lookups,
 * however many they are. FTS5 returns the rows of a whole term, and of a prefix that has an index, one after the other,
 * so that they are read in steps. It merges the rows of all terms with another prefix at once: a prefix of many terms
 * is divided into longer ones.
 */
export function createBlogSearch(
  db: Database,
  { sizes, counts, facts }: { sizes: StepSizes; counts: BlogCounts; facts: FactCache }
) {
  /** Adds the rows of this FTS5 query that `accept` accepts. */
  async function addRows(query: string, rows: RowSet, accept: (n: number) => boolean): Promise<void> {
    const pause = createYielder()
    let [last, read] = [0, sizes.entries]
    while (read === sizes.entries) {
      await pause()
      read = 0
      db.takeColumns(
        'SELECT rowid FROM blog_search WHERE blog_search MATCH ? AND rowid > ? ORDER BY rowid LIMIT ?',
        [query, last, sizes.entries],
        ([n]) => {
          last = n as number
          read++
          if (accept(last)) rows.add(last)
          return true
        }
      )
    }
  }

  /** The number of rows that were written since the database was opened. */
  const countChanges = (): number => db.one<{ n: number }>('SELECT total_changes() AS n')!.n

  function countPages(digits: string): number {
    const [start, end] = [Buffer.from(MAIN_INDEX + digits), Buffer.from(MAIN_INDEX + digits + AFTER_DIGITS)]
    return db.one<{ pages: number }>(COUNT_PAGES, end, start)!.pages
  }

  /** FTS5 queries that together find the terms with a prefix, none of which merges many rows. */
  function divide(digits: string): string[] {
    const isIndexed = digits.length <= INDEXED_DIGITS && digits.length % 2 === 0
    if (isIndexed || countPages(digits) <= sizes.pages) return [`${digits} *`]
    return [digits, ...HEXADECIMAL.flatMap((digit) => divide(digits + digit))]
  }

  /**
   * Adds the rows of a partition that have all terms in the column, or in any one. The last term is a prefix.
   * `canEnd`: whether there are no more rows with a single term.
   */
  async function addMatches(
    rows: RowSet,
    terms: string[],
    { partition, column, canEnd }: { partition: Partition; column: string; canEnd: () => boolean }
  ): Promise<void> {
    const words = terms
      .slice(0, -1)
      .filter((term) => term !== '')
      .map((term) => encodeTerm(partition.n, term))
    const last = terms.at(-1)!
    const digits = encodeTerm(partition.n, last)
    const prefixes = last === '' ? [] : partition.terms <= PARTITION_TERMS ? [`${digits} *`] : divide(digits)
    if (prefixes.length <= 1) {
      await addRows(`${column}(${[...words, ...prefixes].join(' AND ')})`, rows, () => true)
      return
    }
    if (words.length === 0) {
      for (const prefix of prefixes) if (!canEnd()) await addRows(`${column}(${prefix})`, rows, () => true)
      return
    }
    const withWords = new RowSet()
    await addRows(`${column}(${words.join(' AND ')})`, withWords, () => true)
    const end = rows.size + withWords.size
    for (const prefix of prefixes) {
      if (rows.size < end) await addRows(`${column}(${prefix})`, rows, (n) => withWords.has(n))
    }
  }

  /** Those of the rows that are in the list. Many rows are compared in memory, if the account is there. */
  async function select(rows: RowSet, filter: BlogFilter): Promise<RowSet> {
    const selected = new RowSet()
    const known = rows.size > sizes.rows ? await facts.find(filter) : null
    if (known !== null) {
      for (const slot of known.slots) {
        const n = known.columns.rowOf(slot)
        if (rows.has(n)) selected.add(n)
      }
      return selected
    }
    if (rows.size > sizes.rows) facts.addCompared(filter.accountId, rows.size)
    const { sql, values } = and([...toConditions(filter), ...inPeriod(filter)])
    const pause = createYielder()
    for (const ns of rows.chunks(sizes.rows)) {
      await pause()
      db.takeColumns(
        `SELECT b.n FROM json_each(?) CROSS JOIN blogs b INDEXED BY blogs_facts ON b.n = value WHERE ${sql}`,
        [JSON.stringify(ns), ...values],
        ([n]) => {
          selected.add(n as number)
          return true
        }
      )
    }
    return selected
  }

  /**
   * The blogs of a list that have all terms, of which the last one matches as a prefix, and those of them with all
   * terms in the title. At least one term must not be empty.
   */
  async function find(filter: BlogFilter & { terms: string[] }): Promise<{ all: RowSet; inTitle: RowSet }> {
    const { accountId, terms } = filter
    const [found, inTitle] = [new RowSet(), new RowSet()]
    const partitions = findPartitions(db, 'blog', [accountId])
    const [max, changes] = [counts.total({ accountId, projectIds: null, status: 'any' })!, countChanges()]
    const canEnd = () => found.size === max && countChanges() === changes
    for (const partition of partitions) await addMatches(found, terms, { partition, column: '', canEnd })
    const all = await select(found, filter)
    if (all.size === 0 || filter.sort !== undefined) return { all, inTitle }
    const foundInTitle = new RowSet()
    const canEndTitles = () => foundInTitle.size === max && countChanges() === changes
    for (const partition of partitions) {
      await addMatches(foundInTitle, terms, { partition, column: 'title : ', canEnd: canEndTitles })
    }
    for (const ns of foundInTitle.chunks(sizes.rows)) for (const n of ns) if (all.has(n)) inTitle.add(n)
    return { all, inTitle }
  }

  return { find }
}
