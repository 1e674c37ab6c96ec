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
/** Digits by which a prefix of many terms is divided, of two letters. */
const MAX_LEVELS = 4
/** Precedes the terms in the list of pages; those of the prefix indexes follow a later character. */
const MAIN_INDEX = '0'
/** Follows all hexadecimal digits. */
const AFTER_DIGITS = 'g'
/** Precedes all other hexadecimal digits. */
const FIRST_DIGIT = '0'

const TITLE = 'title'
type Column = typeof TITLE | 'any'
const inColumn = (column: Column): string => (column === 'any' ? '' : `${column} : `)

interface Search {
  partition: Partition
  column: Column
  /** Whether there are no more rows with a single term. */
  canEnd: () => boolean
  /**
   * The rows with one of the terms of the prefix in the title, as far as these are read term by term: added by a search
   * in any column, for the one in titles. Null: not needed.
   */
  titles: RowSet | null
}

interface ReadByTerm {
  rows: RowSet
  titles: RowSet | null
  accept: (n: number) => boolean
  isOver: () => boolean
}

/**
 * The terms of the index in order, with the rows and columns that have them
 * (https://sqlite.org/fts5.html#the_fts5vocab_virtual_table_module).
 */
const CREATE_TERMS = `
  CREATE VIRTUAL TABLE IF NOT EXISTS temp.blog_search_terms USING fts5vocab(main, blog_search, instance)`

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
    coalesce((SELECT pgno >> 1 FROM blog_search_idx WHERE segid = id AND term >= ? ORDER BY term LIMIT 1), last + 1) -
    coalesce((SELECT pgno >> 1 FROM blog_search_idx WHERE segid = id AND term >= ? ORDER BY term LIMIT 1), last + 1)
  ), 0) AS pages
  FROM (
    SELECT id, (SELECT pgno >> 1 FROM blog_search_idx WHERE segid = id ORDER BY term DESC LIMIT 1) AS last
    FROM segments WHERE id IS NOT NULL
  )`

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
  db.runTemporary(CREATE_TERMS)

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

  /** Whether FTS5 would merge the rows of many terms at once. */
  function hasManyTerms(digits: string): boolean {
    const isIndexed = digits.length <= INDEXED_DIGITS && digits.length % 2 === 0
    return !isIndexed && countPages(digits) > sizes.pages
  }

  /**
   * Queries that together find the terms with a prefix, and none of which merges many rows. The rest of a prefix that
   * still has many terms after some digits is read term by term: terms may have a long common part.
   */
  async function* divide(digits: string, levels = MAX_LEVELS): AsyncGenerator<{ query: string } | { prefix: string }> {
    const pause = createYielder()
    await pause()
    if (!hasManyTerms(digits)) yield { query: `${digits} *` }
    else if (levels === 0) yield { prefix: digits }
    else {
      yield { query: digits }
      for (const digit of HEXADECIMAL) yield* divide(digits + digit, levels - 1)
    }
  }

  /**
   * Adds the rows of all terms with this prefix that `accept` accepts, term by term, and those that have one in the
   * title to `titles`.
   */
  async function addRowsByTerm(digits: string, { rows, titles, accept, isOver }: ReadByTerm): Promise<void> {
    const pause = createYielder()
    const add = (n: number, isInTitle: boolean): void => {
      if (accept(n)) rows.add(n)
      if (isInTitle) titles?.add(n)
    }
    for (let [from, read] = [digits, sizes.rows]; read === sizes.rows && !isOver(); ) {
      await pause()
      read = 0
      let last = ''
      db.takeColumns(
        'SELECT term, doc, col FROM blog_search_terms WHERE term >= ? AND term < ? LIMIT ?',
        [from, digits + AFTER_DIGITS, sizes.rows],
        ([term, n, name]) => {
          last = term as string
          read++
          add(n as number, name === TITLE)
          return true
        }
      )
      // The step may have ended among the rows of its last term.
      if (read === sizes.rows) {
        await addRows(last, rows, accept)
        if (titles !== null) await addRows(`${TITLE} : (${last})`, titles, () => true)
      }
      from = last + FIRST_DIGIT
    }
  }

  async function addAll(from: RowSet, rows: RowSet, accept: (n: number) => boolean): Promise<void> {
    const pause = createYielder()
    for (const ns of from.chunks(sizes.rows)) {
      await pause()
      for (const n of ns) if (accept(n)) rows.add(n)
    }
  }

  /** Adds the rows of a partition that have all terms in the column, or in any one. The last term is a prefix. */
  async function addMatches(
    rows: RowSet,
    terms: string[],
    { partition, column, canEnd, titles }: Search
  ): Promise<void> {
    const words = terms
      .slice(0, -1)
      .filter((term) => term !== '')
      .map((term) => encodeTerm(partition.n, term))
    const last = terms.at(-1)!
    const digits = encodeTerm(partition.n, last)
    const prefix = last === '' ? [] : [`${digits} *`]
    if (last === '' || partition.terms <= PARTITION_TERMS || !hasManyTerms(digits)) {
      await addRows(`${inColumn(column)}(${[...words, ...prefix].join(' AND ')})`, rows, () => true)
      return
    }
    const withWords = new RowSet()
    if (words.length > 0) await addRows(`${inColumn(column)}(${words.join(' AND ')})`, withWords, () => true)
    const end = rows.size + withWords.size
    const isOver = () => (words.length > 0 ? rows.size >= end : canEnd())
    const accept = (n: number) => words.length === 0 || withWords.has(n)
    if (column === TITLE && titles !== null) await addAll(titles, rows, accept)
    // All terms are read for the titles, too, which takes as long as the rest.
    const isRead = () => isOver() && (column === TITLE || titles === null)
    for await (const part of divide(digits)) {
      if (isRead()) return
      if ('query' in part) {
        if (!isOver()) await addRows(`${inColumn(column)}(${part.query})`, rows, accept)
      } else if (column === 'any') await addRowsByTerm(part.prefix, { rows, titles, accept, isOver: isRead })
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
    const titles = new Map(partitions.map(({ n }) => [n, filter.sort === undefined ? new RowSet() : null]))
    for (const partition of partitions) {
      await addMatches(found, terms, { partition, column: 'any', canEnd, titles: titles.get(partition.n)! })
    }
    const all = await select(found, filter)
    if (all.size === 0 || filter.sort !== undefined) return { all, inTitle }
    const foundInTitle = new RowSet()
    const canEndTitles = () => foundInTitle.size === max && countChanges() === changes
    for (const partition of partitions) {
      const search = { partition, column: TITLE, canEnd: canEndTitles, titles: titles.get(partition.n)! } as const
      await addMatches(foundInTitle, terms, search)
    }
    for (const ns of foundInTitle.chunks(sizes.rows)) for (const n of ns) if (all.has(n)) inTitle.add(n)
    return { all, inTitle }
  }

  return { find }
}
