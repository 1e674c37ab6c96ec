import { createYielder } from '../../../lib/async.ts'
import type { Database } from './database.ts'
import { and, type Condition } from './sql.ts'

/*
 * SQLite runs in the serving thread, so a statement that reads many rows would block all requests.
 * Long queries are divided into steps of a few milliseconds, with pauses between them. Changes that
 * are made during a pause may or may not be included in the result.
 */

export interface StepSizes {
  /** Index entries that one step counts. */
  entries: number
  /** Rows that one step reads. */
  rows: number
  /** Labels that one step counts. Each is a group of its own if no two blogs have one in common. */
  labels: number
  /** Up to this many matches are sorted. With more, a page is found by reading all rows in their order. */
  sorted: number
  /** Pages of the search index, of 1,000 to 2,000 entries each, that one search for a prefix merges. */
  pages: number
  /** Blogs of all accounts together whose facts are in memory. */
  cached: number
}

export const STEP_SIZES: StepSizes = {
  entries: 20_000,
  rows: 4000,
  labels: 1000,
  sorted: 4000,
  pages: 60,
  cached: 300_000
}

/** Which of all matches to return. */
export interface Slice {
  skip: number
  limit: number
}

/** The rows of one step: after `after` (null: from the beginning), up to `upTo` (null: to the end). */
export interface Step<Key> {
  after: Key | null
  upTo: Key | null
}

/** Reads rows in the order of an index. `N`: what identifies a row, its number or a key. */
export interface OrderedRows<Key, N = number> {
  /** The key of the last row of the step that begins after `after`; null if it contains the rest. */
  endOfStep: (after: Key | null) => Key | null
  /** The number of matches in a step. */
  count: (step: Step<Key>) => number
  /** The row numbers of these matches of a step, in order. */
  rows: (step: Step<Key>, slice: Slice) => N[]
}

/**
 * Counts and reads the rows of a step. `n`: the column that identifies them, `from`: the FROM clause, `inStep`: what
 * the rows of a step meet.
 */
export function readRows<Key, N extends number | string = number>(
  db: Pick<Database, 'one' | 'all'>,
  { n, from, order, inStep }: { n: string; from: string; order: string; inStep: (step: Step<Key>) => Condition }
): Pick<OrderedRows<Key, N>, 'count' | 'rows'> {
  return {
    count: (step) => {
      const { sql, values } = inStep(step)
      return db.one<{ count: number }>(`SELECT count(*) AS count ${from} WHERE ${sql}`, ...values)!.count
    },
    rows: (step, { skip, limit }) => {
      const { sql, values } = inStep(step)
      return db
        .all<{ n: N }>(
          `SELECT ${n} AS n ${from} WHERE ${sql} ORDER BY ${order} LIMIT ? OFFSET ?`,
          ...values,
          limit,
          skip
        )
        .map((row) => row.n)
    }
  }
}

/** Calls `run` for one step after the other, from `start`, until it returns false. */
export async function forEachStep<Key>(
  endOfStep: (after: Key | null) => Key | null,
  run: (step: Step<Key>) => boolean | void,
  start: Key | null = null
): Promise<void> {
  const pause = createYielder()
  for (let after = start; ; ) {
    // Before the first step too: many queries may begin in the same turn of the event loop.
    await pause()
    const upTo = endOfStep(after)
    // Finding the end of a step can take as long as reading it.
    await pause()
    if (run({ after, upTo }) === false || upTo === null) return
    after = upTo
  }
}

/** A page of the matches in order, and their number. */
export async function readPage<Key, N = number>(
  { endOfStep, count, rows }: OrderedRows<Key, N>,
  { skip, limit }: Slice
): Promise<{ ns: N[]; totalCount: number }> {
  const ns: N[] = []
  let totalCount = 0
  await forEachStep(endOfStep, (step) => {
    const found = count(step)
    const skipped = Math.max(0, skip - totalCount)
    if (ns.length < limit && skipped < found) ns.push(...rows(step, { skip: skipped, limit: limit - ns.length }))
    totalCount += found
  })
  return { ns, totalCount }
}

/** A page of the matches after `start` in order. Reads no further than the end of the page. */
export async function readPageOnly<Key>(
  { endOfStep, count, rows }: OrderedRows<Key>,
  { skip, limit }: Slice,
  start: Key | null = null
): Promise<number[]> {
  const ns: number[] = []
  let skipped = skip
  await forEachStep(
    endOfStep,
    (step) => {
      const found = rows(step, { skip: skipped, limit: limit - ns.length })
      ns.push(...found)
      if (found.length > 0) skipped = 0
      else if (skipped > 0) skipped -= count(step)
      return ns.length < limit
    },
    start
  )
  return ns
}

/** The number of rows. */
export async function countRows<Key>({ endOfStep, count }: Pick<OrderedRows<Key>, 'endOfStep' | 'count'>) {
  let total = 0
  await forEachStep(endOfStep, (step) => {
    total += count(step)
  })
  return total
}

/** The place of a record in a list with the newest first. */
export interface CreatedKey {
  createdAt: string
  id: string
}

/** Before all records. */
const NEWEST: CreatedKey = { createdAt: '~', id: '' }

/**
 * The ids of records with these properties, the newest first, from an index of `columns`, `created_at DESC` and
 * `id DESC`. A record is not read: in a table without row numbers, SQLite would read each that it skips.
 */
export function newestFirst(
  db: Pick<Database, 'one' | 'all'>,
  { table, columns }: { table: string; columns: Condition },
  { entries } = STEP_SIZES
): OrderedRows<CreatedKey, string> {
  const before = ({ createdAt, id }: CreatedKey) => ({ sql: '(created_at, id) < (?, ?)', values: [createdAt, id] })
  const order = 'created_at DESC, id DESC'
  return {
    endOfStep: (after) => {
      const { sql, values } = and([columns, before(after ?? NEWEST)])
      return (
        db.one<CreatedKey>(
          `SELECT created_at AS createdAt, id FROM ${table} WHERE ${sql} ORDER BY ${order} LIMIT 1 OFFSET ?`,
          ...values,
          entries - 1
        ) ?? null
      )
    },
    ...readRows<CreatedKey, string>(db, {
      n: 'id',
      from: `FROM ${table}`,
      order,
      inStep: ({ after, upTo }) =>
        and([
          columns,
          before(after ?? NEWEST),
          ...(upTo === null ? [] : [{ sql: '(created_at, id) >= (?, ?)', values: [upTo.createdAt, upTo.id] }])
        ])
    })
  }
}

const WORD_BITS = 32
const BLOCK_WORDS = 2048
const BLOCK_BITS = WORD_BITS * BLOCK_WORDS

/** A set of row numbers. Needs about a bit for each. */
export class RowSet {
  readonly #blocks = new Map<number, Uint32Array>()
  size = 0

  add(n: number): void {
    const key = Math.floor(n / BLOCK_BITS)
    let block = this.#blocks.get(key)
    if (block === undefined) this.#blocks.set(key, (block = new Uint32Array(BLOCK_WORDS)))
    const bit = n % BLOCK_BITS
    const mask = 1 << (bit % WORD_BITS)
    const word = Math.floor(bit / WORD_BITS)
    if ((block[word]! & mask) === 0) this.size++
    block[word]! |= mask
  }

  has(n: number): boolean {
    const bit = n % BLOCK_BITS
    const word = this.#blocks.get(Math.floor(n / BLOCK_BITS))?.[Math.floor(bit / WORD_BITS)] ?? 0
    return (word & (1 << (bit % WORD_BITS))) !== 0
  }

  *values(): Generator<number> {
    for (const key of [...this.#blocks.keys()].sort((a, b) => a - b)) {
      for (const [word, bits] of this.#blocks.get(key)!.entries()) {
        for (let rest = bits; rest !== 0; rest &= rest - 1) {
          yield key * BLOCK_BITS + word * WORD_BITS + (WORD_BITS - 1 - Math.clz32(rest & -rest))
        }
      }
    }
  }

  /** The row numbers in ascending order, in lists of this length. */
  *chunks(length: number): Generator<number[]> {
    let chunk: number[] = []
    for (const n of this.values()) {
      chunk.push(n)
      if (chunk.length < length) continue
      yield chunk
      chunk = []
    }
    if (chunk.length > 0) yield chunk
  }
}
