import { createGrowingLru } from '../../../lib/growing-lru.ts'

/** Batches that follow each other within so many milliseconds are one bulk change. */
const GAP_MS = 2_000
/** For so long, related blogs wait for the end of a bulk change, in milliseconds. */
const MAX_BULK_MS = 10 * 60_000
/** Accounts that are remembered. */
const MAX_ACCOUNTS = 1_000

/** When related blogs that wait for the end of a bulk change are looked at again, in milliseconds. */
export const BULK_DELAY_MS = GAP_MS

/** The bulk changes of blogs in this process, such as imports. */
export interface BulkChanges {
  /** Records the start of a batch of the account. Returns the function that ends it. */
  begin: (accountId: string) => () => void
  /**
   * Whether several batches of the account have begun, and one is in progress or likely to follow. False
   * after ten minutes: a bulk change that never ends must not prevent other work for ever.
   */
  isRunning: (accountId: string) => boolean
}

interface BulkChange {
  startedMs: number
  /** When the last batch ended. */
  endedMs: number
  batches: number
  inProgress: number
}

export function createBulkChanges(nowMs: () => number = () => performance.now()): BulkChanges {
  const accounts = createGrowingLru<string, BulkChange>(MAX_ACCOUNTS)
  const isOver = ({ inProgress, endedMs }: BulkChange): boolean => inProgress === 0 && nowMs() - endedMs > GAP_MS

  return {
    begin(accountId) {
      const known = accounts.get(accountId)
      const bulk =
        known === undefined || isOver(known)
          ? { startedMs: nowMs(), endedMs: -Infinity, batches: 0, inProgress: 0 }
          : known
      accounts.set(accountId, bulk)
      bulk.batches += 1
      bulk.inProgress += 1
      return () => {
        bulk.inProgress -= 1
        bulk.endedMs = nowMs()
      }
    },
    isRunning(accountId) {
      const bulk = accounts.get(accountId)
      return bulk !== undefined && bulk.batches > 1 && !isOver(bulk) && nowMs() - bulk.startedMs <= MAX_BULK_MS
    }
  }
}
