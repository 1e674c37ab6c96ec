import { createGrowingLru } from './growing-lru.ts'

/** CPU time of a short task in milliseconds. Others wait this long for a thread that is borrowed. */
export const SHORT_TASK_MS = 50
/** After a task that was not short, the account borrows no thread for this time. */
const NOT_BORROWING_MS = 2_000
/** After a task that was ended with its thread: others may have waited for it, and for a new thread to start. */
const NOT_BORROWING_AFTER_END_MS = 60_000
/** When there are more, those that ran a task the longest ago are forgotten: they must run a short task again. */
const MAX_ACCOUNTS = 1_000

/** How many threads each account occupies, and which ones it may occupy. */
export interface ThreadShares {
  /** A task of the account starts (1), or its thread is free again (-1). */
  count: (account: string, change: 1 | -1) => void
  /** Whether the account occupies less than its share, and is entitled to a further thread. */
  isBelowShare: (account: string) => boolean
  /** Whether the account occupies threads that others are entitled to. */
  isAboveShare: (account: string) => boolean
  /** Whether the account may occupy a thread that nobody else needs now: its last tasks were short. */
  mayBorrow: (account: string) => boolean
  /** Whether tasks of the account were not short a moment ago, so that the next one is probably not, either. */
  isSlow: (account: string) => boolean
  /** A task of the account has ended after this CPU time. Infinity: it was ended together with its thread. */
  noteTask: (account: string, cpuMs: number) => void
}

/**
 * Counts the threads of accounts, and tells those with short tasks from others. `share`: the threads that each account
 * is entitled to.
 */
export function createThreadShares(share: number, nowMs: () => number = () => performance.now()): ThreadShares {
  const running = new Map<string, number>()
  /** Until when an account borrows no threads, whatever its tasks take. */
  const excludedUntil = createGrowingLru<string, number>(MAX_ACCOUNTS)
  /** Time alone tells nothing about the next task of an account: it has to run a short one first. */
  const borrowers = createGrowingLru<string, true>(MAX_ACCOUNTS)
  const runningOf = (account: string): number => running.get(account) ?? 0
  const isSlow = (account: string): boolean => (excludedUntil.get(account) ?? -Infinity) > nowMs()

  return {
    count(account, change) {
      const count = runningOf(account) + change
      if (count === 0) running.delete(account)
      else running.set(account, count)
    },
    isBelowShare: (account) => runningOf(account) < share,
    isAboveShare: (account) => runningOf(account) > share,
    mayBorrow: (account) => borrowers.has(account),
    isSlow,
    noteTask(account, cpuMs) {
      const untilMs = excludedUntil.get(account) ?? -Infinity
      if (cpuMs > SHORT_TASK_MS) {
        const excludedMs = cpuMs === Infinity ? NOT_BORROWING_AFTER_END_MS : NOT_BORROWING_MS
        excludedUntil.set(account, Math.max(untilMs, nowMs() + excludedMs))
        borrowers.delete(account)
      } else if (untilMs <= nowMs()) borrowers.set(account, true)
    }
  }
}
