import type { Database } from './database.ts'

/*
 * Full-text search with FTS5 (https://sqlite.org/fts5.html) over terms that are already case-folded
 * and must match exactly. Each term is indexed as the hexadecimal digits of its UTF-8 bytes, which
 * FTS5 neither splits, folds nor parses as query syntax in any script. A prefix of a term is a
 * prefix of its digits.
 *
 * The rows of an owner (the project of products, the account of blogs) are in partitions. The number of the
 * partition precedes each of its terms, so that a prefix never matches terms of another partition. A search
 * queries one partition after the other.
 *
 * FTS5 merges the row numbers of all terms with a prefix before it returns the first row. So that no query
 * takes long, partitions of products have a limited number of terms. New blogs are added to one partition of
 * their account: earlier versions divided them, too, and `blogs/search-merge.ts` joins what they divided.
 */

/** Terms of a partition, unless a single row has more. A query of one partition takes some milliseconds. */
export const PARTITION_TERMS = 40_000
const PARTITION_DIGITS = 8

/** The partition of a row, and the number of its terms. */
export interface PartitionPlace {
  partitionN: number
  terms: number
}

export interface Partition {
  n: number
  terms: number
}

/** The owners of searchable rows, and their tables of partitions. */
const TABLES = {
  product: { table: 'product_search_partitions', owner: 'project_n', maxTerms: PARTITION_TERMS },
  // Searches read it in steps: see `blogs/search.ts`.
  blog: { table: 'blog_search_partitions', owner: 'account_id', maxTerms: Infinity }
} as const
type Kind = keyof typeof TABLES

/** A term as it is in the index, in a partition. */
export function encodeTerm(partitionN: number, term: string): string {
  return partitionN.toString(16).padStart(PARTITION_DIGITS, '0') + Buffer.from(term, 'utf8').toString('hex')
}

/** The content of a search column for the terms of a row in this partition. */
export function encodeTerms(partitionN: number, terms: string[]): string {
  const text = terms.join('')
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length !== text.length) return terms.map((term) => encodeTerm(partitionN, term)).join(' ')
  // ASCII, as most texts: all terms are converted at once, because each conversion creates a buffer.
  const partition = partitionN.toString(16).padStart(PARTITION_DIGITS, '0')
  const digits = bytes.toString('hex')
  let end = 0
  return terms.map((term) => partition + digits.slice(end, (end += 2 * term.length))).join(' ')
}

/** Whether there is something to search for. Empty terms are ignored. */
export function hasTerms(terms: string[] | undefined): terms is string[] {
  return terms?.some((term) => term !== '') === true
}

/**
 * FTS5 query for the rows of this partition that have all terms. The last one matches as a prefix. At
 * least one term must not be empty.
 */
export function partitionQuery(partitionN: number, terms: string[]): string {
  return terms
    .map((term, at) => encodeTerm(partitionN, term) + (at < terms.length - 1 ? '' : ' *'))
    .filter((_, at) => terms[at] !== '')
    .join(' AND ')
}

/** The partitions of these owners. */
export function findPartitions(db: Database, kind: Kind, owners: (string | number)[]): Partition[] {
  const { table, owner } = TABLES[kind]
  return db.all<Partition>(
    `SELECT n, terms FROM ${table} WHERE ${owner} IN (SELECT value FROM json_each(?))`,
    JSON.stringify(owners)
  )
}

/**
 * Counts the terms of a row in a partition of its owner, and returns its place. The row stays in its
 * partition as long as that has space. `before` is its place until now. Call inside a transaction.
 */
export function placeInPartition(
  db: Database,
  kind: Kind,
  { owner, terms, before }: { owner: string | number; terms: number; before: PartitionPlace | null }
): PartitionPlace {
  const { table, owner: column, maxTerms } = TABLES[kind]
  // A row without terms also counts, so that a partition with rows is never empty.
  const size = terms + 1
  if (before !== null) {
    const { left } = db.one<{ left: number }>(
      `SELECT terms - ? AS left FROM ${table} WHERE n = ?`,
      before.terms,
      before.partitionN
    ) as { left: number }
    if (left === 0 || left + size <= maxTerms) {
      if (size !== before.terms) db.run(`UPDATE ${table} SET terms = ? WHERE n = ?`, left + size, before.partitionN)
      return { partitionN: before.partitionN, terms: size }
    }
    removeFromPartition(db, kind, before)
  }
  const last = db.one<{ n: number; terms: number }>(
    `SELECT n, terms FROM ${table} WHERE ${column} = ? ORDER BY n DESC LIMIT 1`,
    owner
  )
  if (last !== undefined && last.terms + size <= maxTerms) {
    db.run(`UPDATE ${table} SET terms = terms + ? WHERE n = ?`, size, last.n)
    return { partitionN: last.n, terms: size }
  }
  const added = db.one<{ n: number }>(
    `INSERT INTO ${table} (${column}, terms) VALUES (?, ?) RETURNING n`,
    owner,
    size
  ) as { n: number }
  return { partitionN: added.n, terms: size }
}

/** Removes the terms of a row from the count of its partition. Call inside a transaction. */
export function removeFromPartition(db: Database, kind: Kind, { partitionN, terms }: PartitionPlace): void {
  const { table } = TABLES[kind]
  db.run(`UPDATE ${table} SET terms = terms - ? WHERE n = ?`, terms, partitionN)
  db.run(`DELETE FROM ${table} WHERE n = ? AND terms = 0`, partitionN)
}
