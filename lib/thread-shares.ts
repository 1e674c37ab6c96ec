import { LRUCache } from 'lru-cache'

/** CPU time of a short task in milliseconds. Others wait this long for a thread that is borrowed. */
export const SHORT_TASK_MS = 50
/** After a task that was not short, the account borrows no thread for this time. */
const NOT_BORROWING_MS = 2_000
/** When there are more, those that ran a task the longest ago are forgotten: they must run a short task again. */
const MAX_ACCOUNTS = 1_000

/** How many threads each account occupies, and whether it may occupy more than its share. */
export interface ThreadShares {
  /** A task of the account starts (1), or its thread is free again (-1). */
  count: (account: string, change: 1 | -1) => void
  /** Whether the account occupies less than its share, and is entitled to a further thread. */
  isBelowShare: (account: string) => boolean
  /** Whether the account occupies threads that others are entitled to. */
  isAboveShare: (account: string) => boolean
  /** Whether the account may occupy a thread that nobody else needs now: its last tasks were short. */
  mayBorrow: (account: string) => boolean
  /** A task of the account has ended, or was ended, after this CPU time. */
  noteTask: (account: string, cpuMs: number) => void
}

/** Counts the threads of accounts. `share`: the threads that each account is entitled to. */
export function createThreadShares(share: number, nowMs: () => number = () => performance.now()): ThreadShares {
  const running = new Map<string, number>()
  /** Since when an account may borrow threads. */
  const borrowingSince = new LRUCache<string, number>({ max: MAX_ACCOUNTS })
  const runningOf = (account: string): number => running.get(account) ?? 0

  return {
    count(account, change) {
      const count = runningOf(account) + change
      if (count === 0) running.delete(account)
      else running.set(account, count)
    },
    isBelowShare: (account) => runningOf(account) < share,
    isAboveShare: (account) => runningOf(account) > share,
    mayBorrow: (account) => (borrowingSince.get(account) ?? Infinity) <= nowMs(),
    noteTask(account, cpuMs) {
      if (cpuMs > SHORT_TASK_MS) borrowingSince.set(account, nowMs() + NOT_BORROWING_MS)
      else if (!borrowingSince.has(account)) borrowingSince.set(account, nowMs())
    }
  }
}
