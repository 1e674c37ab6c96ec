import type { Document } from 'mongodb'
import { createYielder } from '../../../../lib/async.ts'
import type { Database } from '../database.ts'
import { markedOf, totalsCollection, totalsId, type CountedCollection, type TotalsDocument } from './documents.ts'
import { holdCounts, type Hold } from './holds.ts'
import { storedBytes } from './sizes.ts'

/** Reads until the counts have not changed in between. From the second time on, they are held. */
const MAX_ATTEMPTS = 5

export interface UsageSizes {
  /** Marked records that the server reads for one reply. */
  part: number
  /** More marked records are only read while the counts are held. */
  withoutHold: number
}

const USAGE_SIZES: UsageSizes = { part: 500, withoutHold: 2_000 }

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
  /** Completes the last generation, and adds some changes to the counts. */
  fold: () => Promise<unknown>
  sizes?: UsageSizes
}

/**
 * The number and the bytes of an account's records: what the counts contain, and the marked records beside them, whose
 * sizes the server computes. `marked`: how many these are. Null: the counts have no sizes.
 */
export async function readUsage<Totals extends SizedTotals>(
  database: Database,
  {
    fields = {},
    isSized = () => true,
    since = () => 0,
    uncounted = [],
    fold,
    sizes = USAGE_SIZES,
    ...account
  }: UsageOptions<Totals>
): Promise<(RecordUsage & { marked: number }) | null> {
  const { counted, accountId } = account
  const totals = totalsCollection<Totals>(database, counted)
  const ids = (['begin', 'counts'] as const).map((part) => totalsId(accountId, part))
  const projection = { cleared: 1, generation: 1, 'counts.bytes': 1, 'counts.all': 1, ...fields }

  async function readCounts() {
    const found = (await totals.find({ _id: { $in: ids } } as object, { projection }).toArray()) as unknown as Totals[]
    const [header, stored = null] = ids.map((id) => found.find(({ _id }) => _id === id))
    const generation = stored?.generation ?? 0
    return { stored, generation, isCleared: (header?.cleared ?? 0) >= generation }
  }

  let hold: Hold | null = null
  /** Adds up the changes beside these counts. Null: the counts have changed meanwhile, or must be held first. */
  async function addUp({ stored, generation }: Awaited<ReturnType<typeof readCounts>>, isLast: boolean) {
    const changes = await addUpMarked(
      database,
      { ...account, since: stored === null ? 0 : since(stored), uncounted, part: sizes.part },
      async (marked) => (hold === null ? marked < sizes.withoutHold : await hold.renew(generation)) || isLast
    )
    // With processes that hold nothing, the last result may contain a few changes twice, or not.
    if (isLast) return changes
    if (changes === null) {
      // Each of many measurements adds some changes, whatever the others hold, and the first one makes the counts.
      if (hold === null) await fold()
      return null
    }
    const after = await readCounts()
    return after.generation === generation && after.isCleared ? changes : null
  }

  for (let attempt = 1; ; attempt++) {
    const isLast = attempt === MAX_ATTEMPTS
    try {
      if (attempt > 1) hold = await holdCounts(database, counted, { accountId })
      const before = await readCounts()
      if (before.stored !== null && !isSized(before.stored)) return null
      const isIncomplete = !before.isCleared && !isLast
      if (isIncomplete) await fold()
      // The fold has removed the marks of this generation. Only a hold keeps it from adding others.
      const changes = isIncomplete && hold === null ? null : await addUp(before, isLast)
      if (changes === null) continue
      const counts = before.stored?.counts
      return {
        records: sumOf(counts?.all ?? {}) + changes.records,
        bytes: (counts?.bytes ?? 0) + changes.bytes,
        marked: changes.marked
      }
    } finally {
      await hold?.release()
      hold = null
    }
  }
}

/**
 * The marked records and their bytes, read in parts. After each one, `goesOn` is asked with the number of records that
 * are read. Null: it has returned false.
 */
async function addUpMarked(
  database: Database,
  {
    counted,
    accountId,
    since,
    uncounted,
    part
  }: { counted: CountedCollection; accountId: string; since: number; uncounted: readonly string[]; part: number },
  goesOn: (marked: number) => Promise<boolean>
): Promise<(RecordUsage & { marked: number }) | null> {
  const isCounted = {
    $and: [{ $eq: [{ $type: '$counted.state' }, 'object'] }, { $gte: ['$counted.generation', since] }]
  }
  const isDeleted = { $eq: ['$deleted', true] }
  const changes = database.collection<Document>(counted.name).aggregate<RecordUsage>(
    [
      { $match: markedOf(accountId) },
      {
        $project: {
          _id: 0,
          records: { $subtract: [{ $cond: [isDeleted, 0, 1] }, { $cond: [isCounted, 1, 0] }] },
          bytes: {
            $subtract: [
              { $cond: [isDeleted, 0, storedBytes(accountId, uncounted)] },
              { $cond: [isCounted, { $ifNull: ['$counted.state.bytes', 0] }, 0] }
            ]
          }
        }
      }
    ],
    { batchSize: part }
  )
  const sum = { marked: 0, records: 0, bytes: 0 }
  const pause = createYielder()
  // Leaving the loop closes the cursor.
  for await (const { records, bytes } of changes) {
    if (sum.marked > 0 && sum.marked % part === 0 && !(await goesOn(sum.marked))) return null
    sum.marked += 1
    sum.records += records
    sum.bytes += Number(bytes)
    await pause()
  }
  return sum
}

function sumOf(branch: object): number {
  let sum = 0
  for (const value of Object.values(branch)) sum += typeof value === 'object' ? sumOf(value as object) : Number(value)
  return sum
}
