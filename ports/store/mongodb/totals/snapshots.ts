import { setTimeout as sleep } from 'node:timers/promises'
import type { Document } from 'mongodb'
import { createGrowingLru } from '../../../../lib/growing-lru.ts'
import { ApiError } from '../../../../errors.ts'
import type { Database } from '../database.ts'
import { readInSlices } from '../slices.ts'
import { markedOf, totalsCollection, totalsKey, type CountedCollection, type TotalsDocument } from './documents.ts'

export interface TotalSizes {
  /** With this many marked records, they are added to the counts. */
  fold: number
  /** More marked records are not read. */
  max: number
}

/**
 * Work in the background rests for so many times as long as it took: an import changes each of its records several
 * times, and what is added to the counts meanwhile is added again.
 */
const REST = 2

export const TOTAL_SIZES: TotalSizes = { fold: 50, max: 500 }
/** For so many accounts, a process remembers that they had too many marked records. */
const MAX_CROWDED = 10_000

/** The counts of an account, and the marked records beside them. Null: without counts. */
export interface Snapshot<Record, Totals> {
  stored: Totals | null
  changed: Record[]
}

export interface SnapshotOptions {
  counted: CountedCollection
  /** What is read of marked records. */
  stateFields: Document
  /** Fields of the counts that are always read. */
  totalsFields?: Document
  /** Whether the counts contain all records, apart from those that are marked. */
  areStored: () => Promise<boolean>
  /** Adds changes of an account to its counts, and returns how many. */
  fold: (accountId: string) => Promise<number>
  sizes: TotalSizes
}

export interface Snapshots<Record, Totals> {
  /**
   * Reads these paths of the counts, with one command. Null while changes are being added to the counts, or with too
   * many marked records: then the next read first counts them in the index alone.
   */
  read: (accountId: string, paths: string[]) => Promise<Snapshot<Record, Totals> | null>
  /** Adds changes of an account to its counts in the background, until few are left. */
  startFolding: (accountId: string) => void
  /** Waits until nothing runs in the background, and starts nothing more. Throws what it threw. */
  close: () => Promise<void>
}

/** Reads stored totals. Changes since then are added to the counts in the background. */
export function createSnapshots<
  Record extends { _id: string; totalsKey?: string },
  Totals extends TotalsDocument<unknown, unknown>
>(
  database: Database,
  { counted, stateFields, totalsFields = {}, areStored, fold, sizes }: SnapshotOptions
): Snapshots<Record, Totals> {
  const folding = new Map<string, Promise<void>>()
  const crowded = createGrowingLru<string, true>(MAX_CROWDED)
  const closing = new AbortController()
  const { signal } = closing
  let failed: { error: unknown } | null = null

  function startFolding(accountId: string): void {
    if (signal.aborted || folding.has(accountId)) return
    const done = foldAll(accountId)
      .catch((error: unknown) => {
        // The next read starts again. It reports an outage by itself.
        if (!(error instanceof ApiError && error.code === 'unavailable')) failed = { error }
      })
      .finally(() => folding.delete(accountId))
    folding.set(accountId, done)
  }

  async function foldAll(accountId: string): Promise<void> {
    while (!signal.aborted) {
      const startedMs = performance.now()
      const count = await database.run(() => fold(accountId))
      if (count < sizes.fold || signal.aborted) return
      // Rejects when the store is closed.
      await sleep(REST * (performance.now() - startedMs), null, { signal }).catch(() => {})
    }
  }

  /** Throws what the last work in the background threw, which is a bug. */
  function throwFailure(): void {
    if (failed === null) return
    const { error } = failed
    failed = null
    throw error
  }

  /** Whether the last read found too many marked records, and there still are. */
  async function isCrowded(accountId: string): Promise<boolean> {
    if (crowded.get(accountId) === undefined) return false
    const records = totalsCollection<Document & { _id: string }>(database, counted)
    if ((await records.countDocuments(markedOf(accountId), { limit: sizes.max + 1 })) > sizes.max) return true
    crowded.delete(accountId)
    return false
  }

  return {
    startFolding,
    async read(accountId, paths) {
      if (!(await areStored())) return null
      throwFailure()
      if (await isCrowded(accountId)) {
        startFolding(accountId)
        return null
      }
      const parts = (['begin', 'changed', 'counts'] as const).map((part) => totalsKey(accountId, part))
      const limit = sizes.max + 2
      const found = await readInSlices(
        totalsCollection<Document & { _id: string }>(database, counted).find(
          // The first condition is the one of the index.
          { totalsKey: { $gt: '' }, $and: [{ totalsKey: { $in: parts } }] },
          {
            projection: {
              ...stateFields,
              ...Object.fromEntries(paths.map((path) => [`counts.${path}`, 1])),
              ...totalsFields,
              counted: 1,
              totalsKey: 1,
              cleared: 1,
              generation: 1,
              uncounted: 1
            },
            // The counts must be read last: see `generations.ts`.
            sort: { totalsKey: 1 },
            limit
          }
        )
      )
      const [begin, changed, counts] = parts.map((key) => found.filter((one) => one.totalsKey === key))
      if (found.length === limit) crowded.set(accountId, true)
      const [header] = begin as unknown as Totals[]
      const [stored = null] = counts as unknown as Totals[]
      const isCleared = found.length < limit && (header?.cleared ?? 0) === (stored?.generation ?? 0)
      if (!isCleared || changed!.length >= sizes.fold) startFolding(accountId)
      return isCleared ? { stored, changed: changed as unknown as Record[] } : null
    },
    close: async () => {
      closing.abort()
      await Promise.all(folding.values())
      throwFailure()
    }
  }
}
