import type { Document } from 'mongodb'
import type { Database } from '../database.ts'
import { markedOf, totalsCollection, totalsId, type CountedCollection, type TotalsDocument } from './documents.ts'
import { storedBytes } from './sizes.ts'

/** Reads until the counts have not changed in between. */
const MAX_ATTEMPTS = 5

export interface RecordUsage {
  records: number
  bytes: number
}

interface SizedCounts {
  /** The bytes of all records. */
  bytes?: number
  /** Every record once, by whatever. */
  all?: object
}

export type SizedTotals = TotalsDocument<SizedCounts, unknown>

export interface UsageOptions<Totals extends SizedTotals> {
  counted: CountedCollection
  accountId: string
  /** Other fields of the counts that `isSized` and `since` need. */
  fields?: Document
  /** Whether the counts contain the bytes of all records, apart from those that are marked. Default: always. */
  isSized?: (totals: Totals) => boolean
  /** What was counted before this generation is not in the counts. Default: 0. */
  since?: (totals: Totals) => number
  /** Fields with documents that the service makes, which do not count. */
  uncounted?: readonly string[]
  /** Completes the last generation. */
  fold: () => Promise<unknown>
}

/**
 * The number and the bytes of an account's records: what the counts contain, and the marked records beside them, which
 * the server adds up. `marked`: how many these are. Null: the counts have no sizes.
 */
export async function readUsage<Totals extends SizedTotals>(
  database: Database,
  { counted, accountId, fields = {}, isSized = () => true, since = () => 0, uncounted = [], fold }: UsageOptions<Totals>
): Promise<(RecordUsage & { marked: number }) | null> {
  const totals = totalsCollection<Totals>(database, counted)
  const ids = (['begin', 'counts'] as const).map((part) => totalsId(accountId, part))
  const projection = { cleared: 1, generation: 1, 'counts.bytes': 1, 'counts.all': 1, ...fields }

  async function readCounts() {
    const found = (await totals.find({ _id: { $in: ids } } as object, { projection }).toArray()) as unknown as Totals[]
    const [header, stored = null] = ids.map((id) => found.find(({ _id }) => _id === id))
    const generation = stored?.generation ?? 0
    return { stored, generation, isCleared: (header?.cleared ?? 0) >= generation }
  }

  for (let attempt = 1; ; attempt++) {
    const before = await readCounts()
    if (before.stored !== null && !isSized(before.stored)) return null
    if (!before.isCleared && attempt < MAX_ATTEMPTS) {
      await fold()
      continue
    }
    const changes = await addUpMarked(database, {
      counted,
      accountId,
      since: before.stored === null ? 0 : since(before.stored),
      uncounted
    })
    const after = await readCounts()
    // With other processes that add changes all the time, the last result may contain a few of them twice, or not.
    if (attempt < MAX_ATTEMPTS && (after.generation !== before.generation || !after.isCleared)) continue
    const counts = before.stored?.counts
    return {
      records: sumOf(counts?.all ?? {}) + changes.records,
      bytes: (counts?.bytes ?? 0) + changes.bytes,
      marked: changes.marked
    }
  }
}

async function addUpMarked(
  database: Database,
  {
    counted,
    accountId,
    since,
    uncounted
  }: { counted: CountedCollection; accountId: string; since: number; uncounted: readonly string[] }
): Promise<RecordUsage & { marked: number }> {
  const isCounted = {
    $and: [{ $eq: [{ $type: '$counted.state' }, 'object'] }, { $gte: ['$counted.generation', since] }]
  }
  const isDeleted = { $eq: ['$deleted', true] }
  const [found] = await database
    .collection<Document>(counted.name)
    .aggregate<RecordUsage & { marked: number }>([
      { $match: markedOf(accountId) },
      {
        $project: {
          records: { $subtract: [{ $cond: [isDeleted, 0, 1] }, { $cond: [isCounted, 1, 0] }] },
          bytes: {
            $subtract: [
              { $cond: [isDeleted, 0, storedBytes(accountId, uncounted)] },
              { $cond: [isCounted, { $ifNull: ['$counted.state.bytes', 0] }, 0] }
            ]
          }
        }
      },
      { $group: { _id: null, marked: { $sum: 1 }, records: { $sum: '$records' }, bytes: { $sum: '$bytes' } } }
    ])
    .toArray()
  return { marked: found?.marked ?? 0, records: found?.records ?? 0, bytes: Number(found?.bytes ?? 0) }
}

function sumOf(branch: object): number {
  let sum = 0
  for (const value of Object.values(branch)) sum += typeof value === 'object' ? sumOf(value as object) : Number(value)
  return sum
}
