import { setTimeout as sleep } from 'node:timers/promises'
import { MongoBulkWriteError } from 'mongodb'
import { problem } from '../../../errors.ts'
import { isDuplicateKey } from '../../../lib/mongodb.ts'
import type { Database } from './database.ts'

/** After losing the next number to other processes for this long, the caller must retry later. */
const TIMEOUT_MS = 20_000
const MAX_RETRY_DELAY_MS = 20

export interface SequencedInsert<Item extends { _id: string }> {
  collection: string
  /** Documents without a sequence, in the order in which they are numbered. */
  documents: Item[]
  /**
   * The last assigned number, including numbers of documents deleted since. Null when nothing can
   * be added any more.
   */
  readLast: () => Promise<number | null>
  /** The `_id`s of documents not to insert: they, or documents that replace them, are stored. */
  findRedundant: (documents: Item[]) => Promise<Set<string>>
}

/**
 * Inserts the documents with consecutive numbers in the field `sequence`. Returns how many this
 * call inserted. Throws `unavailable` when other processes take every number for 20 seconds.
 *
 * There are no gaps, and a reader who sees a number can see all smaller numbers: a unique index
 * assigns each number once, a number is used only after its predecessor was read or written, and an
 * ordered insert stops at the first rejected document. A number is used right after it was read,
 * while deleted documents are weeks old, so that no deleted number is assigned again.
 */
export async function insertInSequence<Item extends { _id: string }>(
  database: Database,
  { collection, documents, readLast, findRedundant }: SequencedInsert<Item>
): Promise<number> {
  const deadline = Date.now() + TIMEOUT_MS
  let remaining = documents
  let inserted = 0
  while (remaining.length > 0) {
    const last = await readLast()
    if (last === null) return inserted
    const outcome = await insertOrdered(
      database,
      collection,
      remaining.map((document, index) => ({ ...document, sequence: last + index + 1 }))
    )
    inserted += outcome.inserted
    if (outcome.complete) return inserted
    if (Date.now() > deadline) {
      throw problem('unavailable', 'Too many concurrent writes to the same sequence. Retry the request later.', {
        headers: { 'Retry-After': '2' }
      })
    }
    const redundant = await findRedundant(remaining)
    // The number was lost to another process: let the others proceed for a moment.
    if (redundant.size === 0) await sleep(Math.random() * MAX_RETRY_DELAY_MS)
    remaining = remaining.filter(({ _id }) => !redundant.has(_id))
  }
  return inserted
}

async function insertOrdered(
  database: Database,
  collection: string,
  documents: { _id: string }[]
): Promise<{ inserted: number; complete: boolean }> {
  try {
    await database.collection<{ _id: string }>(collection).insertMany(documents, { ordered: true })
    return { inserted: documents.length, complete: true }
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError) || !isDuplicateKey(error)) throw error
    return { inserted: error.insertedCount, complete: false }
  }
}
