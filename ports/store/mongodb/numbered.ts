import { setTimeout } from 'node:timers/promises'
import { MongoBulkWriteError } from 'mongodb'
import { problem } from '../../../errors.ts'
import type { Database } from './database.ts'
import { isDuplicate } from './driver-errors.ts'

/**
 * For so long others may win the next number again and again, before the caller is told to come
 * later.
 */
const MOST_MS = 20_000
const MOST_WAIT_MS = 20

export interface Numbering<Numbered extends { _id: string }> {
  collection: string
  /** Without their numbers, in the order of those. */
  documents: Numbered[]
  /**
   * The last number that was given, also to what is gone since; null: nothing can be added any
   * more.
   */
  last: () => Promise<number | null>
  /**
   * The `_id`s of those that need not be added, because they are there or something takes their
   * place.
   */
  needless: (documents: Numbered[]) => Promise<Set<string>>
}

/**
 * Inserts the documents with the numbers that come next, in the field `sequence`, and returns how
 * many of them it inserted itself; throws `unavailable` when others are faster for 20 seconds.
 *
 * There are no gaps, and who sees a number can see all smaller ones: a unique index lets a number
 * be given once, a number is given only after the one before it was seen or written,
 * and an ordered insert stops at the first that is refused. A number that was read is used at once,
 * and what is swept is weeks old; so none that was swept is given again.
 */
export async function insertNumbered<Numbered extends { _id: string }>(
  database: Database,
  { collection, documents, last, needless }: Numbering<Numbered>
): Promise<number> {
  const endMs = Date.now() + MOST_MS
  let left = documents
  let inserted = 0
  while (left.length > 0) {
    const from = await last()
    if (from === null) return inserted
    const outcome = await insert(
      database,
      collection,
      left.map((document, at) => ({ ...document, sequence: from + at + 1 }))
    )
    inserted += outcome.inserted
    if (outcome.whole) return inserted
    if (Date.now() > endMs) {
      throw problem('unavailable', 'Too many write here just now.', { headers: { 'Retry-After': '2' } })
    }
    const done = await needless(left)
    // Who lost a number lets the others go on a little.
    if (done.size === 0) await setTimeout(Math.random() * MOST_WAIT_MS)
    left = left.filter(({ _id }) => !done.has(_id))
  }
  return inserted
}

async function insert(
  database: Database,
  collection: string,
  documents: { _id: string }[]
): Promise<{ inserted: number; whole: boolean }> {
  try {
    await database.collection<{ _id: string }>(collection).insertMany(documents, { ordered: true })
    return { inserted: documents.length, whole: true }
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError) || !isDuplicate(error)) throw error
    return { inserted: error.insertedCount, whole: false }
  }
}
