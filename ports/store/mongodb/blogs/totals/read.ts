import { ApiError } from '../../../../../errors.ts'
import { createYielder } from '../../../../../lib/async.ts'
import { mergeSpellings, type LabelCount } from '../../../../../lib/labels.ts'
import type { BlogFilter, BlogLabel, ProjectScope } from '../../../port.ts'
import type { Database } from '../../database.ts'
import { readInSlices } from '../../slices.ts'
import { blogCollection, type BlogDocument } from '../documents.ts'
import { createTimeCounts, isCountedByTime, type TimeCounts } from './by-time.ts'
import {
  countBlogs,
  countedLabelOf,
  countedState,
  encodeName,
  isCounted,
  labelCounts,
  labelCountsOf,
  STATE_FIELDS,
  stateOf,
  statusesOf,
  type CountedLabel,
  type Counts,
  type TimeField
} from './counts.ts'
import { totalsKey, type TotalsDocument } from './documents.ts'
import { foldChanges } from './fold.ts'
import { areTimesStored, areTotalsStored } from './enabled.ts'

export interface TotalSizes {
  /** With this many marked blogs, they are added to the counts. */
  fold: number
  /** More marked blogs are not read. */
  max: number
}

const SIZES: TotalSizes = { fold: 50, max: 500 }

/** The counts of an account, and the marked blogs beside them. */
interface Snapshot {
  counts: Counts
  changed: BlogDocument[]
  generation: number
  /** Null: blogs are not counted by time. */
  timesSince: number | null
}

export interface BlogTotals {
  /** The number of blogs of the list. Null: it must be counted. */
  count: (filter: BlogFilter) => Promise<number | null>
  /** The blogs of a list by time, with up to three commands more. Null: they must be counted. */
  byTime: (filter: BlogFilter, field: TimeField) => Promise<TimeCounts | null>
  /** The labels of published blogs. Null: they must be counted. */
  countByLabel: (
    by: BlogLabel,
    scope: ProjectScope & { accountId: string; locale?: string }
  ) => Promise<LabelCount[] | null>
  /** Waits until nothing runs in the background, and starts nothing more. Throws what it threw. */
  close: () => Promise<void>
}

/** Reads stored totals with one command. Changes since then are added to the counts in the background. */
export function createBlogTotals(database: Database, sizes: TotalSizes = SIZES): BlogTotals {
  const folding = new Map<string, Promise<void>>()
  let isClosed = false
  let failed: { error: unknown } | null = null

  function startFolding(accountId: string): void {
    if (isClosed || folding.has(accountId)) return
    const run = async (): Promise<void> => {
      const count = await database.run(() => foldChanges(database, accountId))
      if (count >= sizes.fold && !isClosed) await run()
    }
    const done = run()
      .catch((error: unknown) => {
        // The next read starts again. It reports an outage by itself.
        if (!(error instanceof ApiError && error.code === 'unavailable')) failed = { error }
      })
      .finally(() => folding.delete(accountId))
    folding.set(accountId, done)
  }

  /** Throws what the last work in the background threw, which is a bug. */
  function throwFailure(): void {
    if (failed === null) return
    const { error } = failed
    failed = null
    throw error
  }

  /** Null while changes are being added to the counts, or with too many marked blogs. */
  async function read(accountId: string, paths: string[], isStored: (found: TotalsDocument) => boolean) {
    if (!(await areTotalsStored(database))) return null
    throwFailure()
    const parts = (['begin', 'changed', 'counts'] as const).map((part) => totalsKey(accountId, part))
    const limit = sizes.max + 2
    const found = await readInSlices(
      blogCollection(database).find(
        // The first condition is the one of the index.
        { totalsKey: { $gt: '' }, $and: [{ totalsKey: { $in: parts } }] },
        {
          projection: {
            ...STATE_FIELDS,
            ...Object.fromEntries(paths.map((path) => [`counts.${path}`, 1])),
            counted: 1,
            totalsKey: 1,
            cleared: 1,
            generation: 1,
            timesSince: 1,
            uncounted: 1
          },
          // The counts must be read last: see `fold.ts`.
          sort: { totalsKey: 1 },
          limit
        }
      )
    )
    const [begin, changed, counts] = parts.map((key) => found.filter((one) => one.totalsKey === key))
    const [header] = begin as unknown as TotalsDocument[]
    const [stored] = counts as unknown as TotalsDocument[]
    const isCleared = found.length < limit && (header?.cleared ?? 0) === (stored?.generation ?? 0)
    if (!isCleared || changed!.length >= sizes.fold) startFolding(accountId)
    if (!isCleared || (stored !== undefined && !isStored(stored))) return null
    return {
      counts: stored?.counts ?? {},
      changed: changed!,
      generation: stored?.generation ?? 0,
      timesSince: stored === undefined ? 0 : (stored.timesSince ?? null)
    } satisfies Snapshot
  }

  /** The paths of the counts that a list needs. */
  const pathsOf = (filter: BlogFilter, { kind, key }: CountedLabel): string[] =>
    statusesOf(filter).map((status) => `${kind}.${status}.${encodeName(key)}`)

  return {
    count: async (filter) => {
      const label = countedLabelOf(filter)
      if (label === null) return null
      const isStored = ({ uncounted }: TotalsDocument) => uncounted?.includes(label.kind) !== true
      const snapshot = await read(filter.accountId, pathsOf(filter, label), isStored)
      if (snapshot === null) return null
      let total = countBlogs(snapshot.counts, filter, label)
      const pause = createYielder()
      for (const blog of snapshot.changed) {
        total += Number(isCounted(stateOf(blog), filter, label))
        total -= Number(isCounted(countedState(blog, snapshot.timesSince), filter, label))
        await pause()
      }
      return total
    },
    byTime: async (filter, field) => {
      if (!isCountedByTime(filter)) return null
      const paths = statusesOf(filter).map((status) => `${field}.${status}`)
      const isStored = ({ uncounted }: TotalsDocument) => uncounted?.includes(field) !== true
      const snapshot = await read(filter.accountId, paths, isStored)
      if (snapshot === null) return null
      const { timesSince } = snapshot
      if (timesSince === null) {
        // Counts that began before the database was migrated begin again.
        if (await areTimesStored(database)) startFolding(filter.accountId)
        return null
      }
      const { accountId } = filter
      return await createTimeCounts(database, { snapshot: { ...snapshot, accountId, timesSince }, filter, field })
    },
    countByLabel: async (by, scope) => {
      const isStored = ({ uncounted }: TotalsDocument) => uncounted?.includes(by) !== true
      const snapshot = await read(scope.accountId, [`${by}.published`], isStored)
      if (snapshot === null) return null
      const spellings = new Map<string, number>()
      const pause = createYielder()
      async function add(labels: Iterable<LabelCount>, sign: 1 | -1): Promise<void> {
        for (const { label, count } of labels) {
          spellings.set(label, (spellings.get(label) ?? 0) + sign * count)
          await pause()
        }
      }
      await add(labelCounts(snapshot.counts, by, scope), 1)
      for (const blog of snapshot.changed) {
        await add(labelCountsOf(stateOf(blog), by, scope), 1)
        await add(labelCountsOf(countedState(blog, snapshot.timesSince), by, scope), -1)
      }
      const counts = [...spellings].filter(([, count]) => count > 0)
      return await mergeSpellings(counts.map(([label, count]) => ({ label, count })))
    },
    close: async () => {
      isClosed = true
      await Promise.all(folding.values())
      throwFailure()
    }
  }
}

const totals = new WeakMap<Database, BlogTotals>()

/** The totals of a database, which all parts of its store share. */
export function blogTotalsOf(database: Database): BlogTotals {
  const existing = totals.get(database) ?? createBlogTotals(database)
  totals.set(database, existing)
  return existing
}
