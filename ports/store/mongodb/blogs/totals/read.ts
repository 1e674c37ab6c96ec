import { createYielder } from '../../../../../lib/async.ts'
import { mergeSpellings, type LabelCount } from '../../../../../lib/labels.ts'
import type { BlogFilter, BlogLabel, ProjectScope } from '../../../port.ts'
import type { Database } from '../../database.ts'
import { encodeName } from '../../totals/documents.ts'
import { createSnapshots, TOTAL_SIZES, type TotalSizes } from '../../totals/snapshots.ts'
import type { BlogDocument } from '../documents.ts'
import { createTimeCounts, isCountedByTime, type TimeCounts } from './by-time.ts'
import {
  countBlogs,
  countedLabelOf,
  countedState,
  isCounted,
  labelCounts,
  labelCountsOf,
  STATE_FIELDS,
  stateOf,
  statusesOf,
  type CountedLabel,
  type CountKind,
  type Counts,
  type TimeField
} from './counts.ts'
import { COUNTED_BLOGS, type BlogTotalsDocument } from './documents.ts'
import { foldChanges } from './fold.ts'
import { areTimesStored, areTotalsStored } from './enabled.ts'

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
  /** Adds changes of an account to its counts in the background, until few are left. */
  startFolding: (accountId: string) => void
  /** Waits until nothing runs in the background, and starts nothing more. Throws what it threw. */
  close: () => Promise<void>
}

/** Reads stored totals with one command. Changes since then are added to the counts in the background. */
export function createBlogTotals(database: Database, sizes: TotalSizes = TOTAL_SIZES): BlogTotals {
  const snapshots = createSnapshots<BlogDocument, BlogTotalsDocument>(database, {
    counted: COUNTED_BLOGS,
    stateFields: STATE_FIELDS,
    totalsFields: { timesSince: 1 },
    areStored: async () => await areTotalsStored(database),
    fold: async (accountId) => await foldChanges(database, accountId),
    sizes
  })

  /** Null while changes are being added to the counts, with too many marked blogs, or without this kind of counts. */
  async function read(accountId: string, paths: string[], kind: CountKind): Promise<Snapshot | null> {
    const found = await snapshots.read(accountId, paths)
    if (found === null || found.stored?.uncounted?.includes(kind) === true) return null
    const { stored, changed } = found
    return {
      counts: stored?.counts ?? {},
      changed,
      generation: stored?.generation ?? 0,
      timesSince: stored === null ? 0 : (stored.timesSince ?? null)
    }
  }

  /** The paths of the counts that a list needs. */
  const pathsOf = (filter: BlogFilter, { kind, key }: CountedLabel): string[] =>
    statusesOf(filter).map((status) => `${kind}.${status}.${encodeName(key)}`)

  return {
    count: async (filter) => {
      const label = countedLabelOf(filter)
      if (label === null) return null
      const snapshot = await read(filter.accountId, pathsOf(filter, label), label.kind)
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
      const snapshot = await read(filter.accountId, paths, field)
      if (snapshot === null) return null
      const { timesSince } = snapshot
      if (timesSince === null) {
        // Counts that began before the database was migrated begin again.
        if (await areTimesStored(database)) snapshots.startFolding(filter.accountId)
        return null
      }
      const { accountId } = filter
      return await createTimeCounts(database, { snapshot: { ...snapshot, accountId, timesSince }, filter, field })
    },
    countByLabel: async (by, scope) => {
      const snapshot = await read(scope.accountId, [`${by}.published`], by)
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
    startFolding: snapshots.startFolding,
    close: snapshots.close
  }
}

const totals = new WeakMap<Database, BlogTotals>()

/** The totals of a database, which all parts of its store share. */
export function blogTotalsOf(database: Database): BlogTotals {
  const existing = totals.get(database) ?? createBlogTotals(database)
  totals.set(database, existing)
  return existing
}
