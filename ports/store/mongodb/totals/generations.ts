import type { AnyBulkWriteOperation } from 'mongodb'
import { isDuplicateKey } from '../../../../lib/mongodb.ts'
import { commandSizesOf } from '../command-sizes.ts'
import type { Database } from '../database.ts'
import {
  totalsCollection,
  totalsId,
  totalsKey,
  type CountedCollection,
  type FoldedRecord,
  type TotalsDocument,
  type TotalsFields
} from './documents.ts'
import { notHeld } from './holds.ts'

/*
 * The steps in which changes are added to the counts: (1) the counts of the next generation replace those of the last
 * one, (2) marks are removed, (3) it is recorded that they are. A crash leaves either the counts before, or the counts
 * after with marks that the next call removes first. Every step may be repeated, also by a process that slept in
 * between.
 */

type AnyTotals = TotalsDocument<unknown, unknown>
type MarkedDocument = TotalsFields<unknown> & { _id: string }

export interface Generations<Totals extends AnyTotals> {
  /** The last counts, or null, and whether all of their marks are removed. */
  last: Totals | null
  isCleared: boolean
}

/** Reads the counts of an account. */
export async function readGeneration<Totals extends AnyTotals>(
  database: Database,
  counted: CountedCollection,
  accountId: string
): Promise<Generations<Totals>> {
  const totals = totalsCollection<AnyTotals>(database, counted)
  const [header, last] = await Promise.all([
    totals.findOne({ _id: totalsId(accountId, 'begin') }),
    totals.findOne({ _id: totalsId(accountId, 'counts') })
  ])
  return { last: last as Totals | null, isCleared: (header?.cleared ?? 0) >= (last?.generation ?? 0) }
}

/** Stores the counts of the next generation. False if another process was faster, or holds the counts. */
export async function replaceCounts<Totals extends AnyTotals>(
  database: Database,
  counted: CountedCollection,
  { accountId, ...fields }: Omit<Totals, '_id' | 'totalsKey'> & { accountId: string; generation: number }
): Promise<boolean> {
  const totals = totalsCollection<AnyTotals>(database, counted)
  const _id = totalsId(accountId, 'counts')
  const after = { ...counted.reserved(_id), totalsKey: totalsKey(accountId, 'counts'), ...fields }
  try {
    if (fields.generation === 1) return (await totals.insertOne({ _id, ...after })).acknowledged
    const before = { _id, generation: fields.generation - 1, ...notHeld() }
    return (await totals.replaceOne(before, after)).matchedCount === 1
  } catch (error) {
    if (isDuplicateKey(error)) return false
    throw error
  }
}

/** Removes the marks of changes that are in the counts. A record that has changed since then stays marked. */
export async function clearMarks<State>(
  database: Database,
  counted: CountedCollection,
  {
    accountId,
    generation,
    folded,
    toWrite = markRemoval
  }: {
    accountId: string
    generation: number
    folded: readonly FoldedRecord<State>[]
    /** The write for a record that has not changed since then. Default: the mark is replaced by the counted state. */
    toWrite?: (record: FoldedRecord<State>, generation: number) => AnyBulkWriteOperation<MarkedDocument>
  }
): Promise<void> {
  const records = database.collection<MarkedDocument>(counted.name)
  await commandSizesOf(database, counted.name).inParts(folded, async (part) => {
    const result = await records.bulkWrite(
      part.map((record) => toWrite(record, generation)),
      { ordered: false }
    )
    if (result.matchedCount + result.deletedCount === part.length) return
    await records.bulkWrite(
      part.map(({ id, state }) => ({
        updateOne: {
          // Marks are different in each change: the first write has not matched, or was made by another process.
          filter: {
            _id: id,
            totalsKey: totalsKey(accountId, 'changed'),
            'counted.generation': { $not: { $gte: generation } }
          },
          update: { $set: { counted: { generation, state } } }
        }
      })),
      { ordered: false }
    )
  })
}

export function markRemoval<State>(
  { id, mark, state }: FoldedRecord<State>,
  generation: number
): AnyBulkWriteOperation<MarkedDocument> {
  return {
    updateOne: {
      filter: { _id: id, totalsMark: mark },
      update: {
        $set: { counted: { generation, state } },
        $unset: { totalsKey: '', totalsMark: '' }
      }
    }
  }
}

/** Records that the marks of this generation are removed. From then on, its counts are read. */
export async function recordCleared(
  database: Database,
  counted: CountedCollection,
  { accountId, generation }: { accountId: string; generation: number }
): Promise<void> {
  const _id = totalsId(accountId, 'begin')
  await totalsCollection<AnyTotals>(database, counted).updateOne(
    { _id },
    {
      $max: { cleared: generation },
      $setOnInsert: { ...counted.reserved(_id), totalsKey: totalsKey(accountId, 'begin') }
    },
    { upsert: true }
  )
}
