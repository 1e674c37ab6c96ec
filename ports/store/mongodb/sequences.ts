import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { MongoBulkWriteError } from 'mongodb'
import { problem } from '../../../errors.ts'
import { isDuplicateKey } from '../../../lib/mongodb.ts'
import { commandSizesOf } from './command-sizes.ts'
import type { Database } from './database.ts'

/** After losing the next number to other processes for this long, the caller must retry later. */
const TIMEOUT_MS = 20_000
const MAX_RETRY_DELAY_MS = 20
/**
 * How long the number that this process assigned last is remembered. Much shorter than documents
 * are stored (`SETTLE_MS` in `services/webhooks/event-trimmer.ts`), so that no number of a document
 * that was deleted meanwhile is assigned again.
 */
const REMEMBER_MS = 60_000
const MAX_REMEMBERED = 10_000

/** Identifies a sequence: the collection, and the account or webhook. */
export interface SequenceId {
  collection: string
  key: string
}

export interface SequencedInsert<Item extends { _id: string }> extends SequenceId {
  /** Documents without a sequence, in the order in which they are numbered. */
  documents: Item[]
  /**
   * The last assigned number, including numbers of documents deleted since. Null when nothing can
   * be added any more.
   */
  readLast: () => Promise<number | null>
  /** Receives the last number that was assigned, after all documents have been inserted. */
  onInserted?: (sequence: number) => void
  /** The `_id`s of documents not to insert: they, or documents that replace them, are stored. */
  findRedundant: (documents: Item[]) => Promise<Set<string>>
}

const lastNumbers = new WeakMap<Database, LRUCache<string, number>>()

/** The numbers that this process assigned last, by collection and key. */
function getLastNumbers(database: Database): LRUCache<string, number> {
  const known = lastNumbers.get(database) ?? new LRUCache<string, number>({ max: MAX_REMEMBERED, ttl: REMEMBER_MS })
  lastNumbers.set(database, known)
  return known
}

/** The number that this process assigned last, if it did within the last minute. */
export function lastNumber(database: Database, { collection, key }: SequenceId): number | undefined {
  return getLastNumbers(database).get(`${collection} ${key}`)
}

/** To be called when documents were stored or deleted in another way, such as by an import of all data. */
export function forgetNumbers(database: Database): void {
  lastNumbers.delete(database)
}

/** Remembers a number that is stored. Undefined: the number is to be read again. */
export function rememberNumber(database: Database, { collection, key }: SequenceId, last: number | undefined): void {
  getLastNumbers(database).set(`${collection} ${key}`, last)
}

/**
 * Inserts the documents with consecutive numbers in the field `sequence`. Returns the `_id`s of
 * those that this call inserted. Throws `unavailable` when other processes take every number for 20
 * seconds.
 *
 * There are no gaps, and a reader who sees a number can see all smaller numbers: a unique index
 * assigns each number once, a number is used only after its predecessor was read or written, and an
 * ordered insert stops at the first rejected document. A number is used at most a minute after its
 * predecessor was read or written, while deleted documents are at least five minutes old, so that no
 * deleted number is assigned again.
 */
export async function insertInSequence<Item extends { _id: string }>(
  database: Database,
  { collection, documents, key, readLast, findRedundant }: SequencedInsert<Item>
): Promise<Set<string>> {
  const deadline = Date.now() + TIMEOUT_MS
  const inserted = new Set<string>()
  let remaining = documents
  while (remaining.length > 0) {
    const last = lastNumber(database, { collection, key }) ?? (await readLast())
    if (last === null) return inserted
    const outcome = await insertOrdered(
      database,
      collection,
      remaining.map((document, index) => ({ ...document, sequence: last + index + 1 }))
    )
    for (const { _id } of remaining.slice(0, outcome.inserted)) inserted.add(_id)
    rememberNumber(database, { collection, key }, outcome.complete ? last + remaining.length : undefined)
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

/** Inserts documents up to the first one that a unique index rejects. */
export async function insertOrdered(
  database: Database,
  collection: string,
  documents: { _id: string }[]
): Promise<{ inserted: number; complete: boolean }> {
  let inserted = 0
  try {
    await commandSizesOf(database, collection).inParts(documents, async (part) => {
      await database.collection<{ _id: string }>(collection).insertMany(part, { ordered: true })
      inserted += part.length
    })
    return { inserted, complete: true }
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError) || !isDuplicateKey(error)) throw error
    return { inserted: inserted + error.insertedCount, complete: false }
  }
}
