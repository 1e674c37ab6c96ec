import { LRUCache } from 'lru-cache'
import { problem } from '../../errors.ts'
import { createFairQueue } from '../../lib/fair-queue.ts'

/** Limits the concurrency and the memory of image processing in this process. */
export interface ImageSlots {
  /** Memory of all steps that run at once. */
  readonly memoryBytes: number
  /**
   * Runs a task at the account's turn. Throws `busy` with Retry-After if too many tasks of the account and of this kind
   * wait.
   */
  run: <T>(task: ImageTask, work: () => Promise<T>) => Promise<T>
  /**
   * Runs a step of a task of the account, which decodes or encodes, when so many bytes are free, in the order of the
   * calls. A step that needs more than seven eighths of them is the only one of those that need more than an eighth.
   */
  withMemory: <T>(step: { accountId: string; bytes: number }, work: () => Promise<T>) => Promise<T>
}

/** `derived`: a size or a social image, which anybody may request. Those of an account do not delay its uploads. */
export interface ImageTask {
  accountId: string
  kind: 'upload' | 'derived'
}

export interface ImageSlotOptions {
  /** Tasks that run at once. One account runs at most one less, but at least one. */
  running: number
  /** Tasks of one account and kind that wait. */
  waiting: number
  /** Memory of all steps that run at once. */
  memoryBytes: number
  /** The clock, in milliseconds. */
  nowMs?: () => number
}

/** A step that takes longer is slow: an upload of a JPEG photo of 12 megapixels takes a second, of 24 two. */
const SLOW_MS = 1_000
/** For how long the tasks of an account count as slow after one that was. */
const SLOW_FOR_MS = 60_000
const MAX_ACCOUNTS = 1_000

/**
 * The share of the memory that only small steps use: those that need no more than that. They pass
 * larger ones that wait, which may take seconds.
 */
const SMALL_SHARE = 1 / 8

/**
 * Creates slots. Accounts take turns. Accounts with slow tasks leave one slot to others, however many they are: a small
 * file may have a picture of 40 megapixels, which takes seconds to decode, and no task can be interrupted.
 */
export function createImageSlots(options: ImageSlotOptions): ImageSlots {
  const { running: maxRunning, waiting, memoryBytes, nowMs = () => performance.now() } = options
  const maxPerAccount = Math.max(1, maxRunning - 1)
  /** By account and kind. */
  const queue = createFairQueue<() => void>()
  const runningByAccount = new Map<string, number>()
  /** Until when the tasks of an account count as slow. */
  const slowUntil = new LRUCache<string, number>({ max: MAX_ACCOUNTS })
  let running = 0
  const smallMemory = createMemory(memoryBytes * SMALL_SHARE)
  const largeMemory = createMemory(memoryBytes * (1 - SMALL_SHARE))

  const isSlow = (accountId: string): boolean => (slowUntil.get(accountId) ?? -Infinity) > nowMs()
  const countSlow = (): number =>
    runningByAccount.entries().reduce((sum, [accountId, count]) => sum + (isSlow(accountId) ? count : 0), 0)

  function isReady(key: string): boolean {
    const accountId = accountOf(key)
    if ((runningByAccount.get(accountId) ?? 0) >= maxPerAccount) return false
    return !isSlow(accountId) || countSlow() < maxPerAccount
  }

  function enter(accountId: string): void {
    running++
    runningByAccount.set(accountId, (runningByAccount.get(accountId) ?? 0) + 1)
  }

  function leave(accountId: string): void {
    running--
    const left = runningByAccount.get(accountId)! - 1
    if (left === 0) runningByAccount.delete(accountId)
    else runningByAccount.set(accountId, left)
    startNext()
  }

  function startNext(): void {
    for (;;) {
      const start = running < maxRunning ? queue.next(isReady) : null
      if (start === null) return
      start()
    }
  }

  return {
    memoryBytes,
    async run({ accountId, kind }, work) {
      const key = keyOf({ accountId, kind })
      if (queue.count(key) >= waiting && !(running < maxRunning && isReady(key))) {
        throw problem('busy', 'Too many images are being processed. Try again.', { headers: { 'Retry-After': '1' } })
      }
      await new Promise<void>((resolve) => {
        queue.add(key, () => {
          enter(accountId)
          resolve()
        })
        startNext()
      })
      try {
        return await work()
      } finally {
        leave(accountId)
      }
    },

    async withMemory({ accountId, bytes }, work) {
      // Without the time that the step waits, and without the store and the disk, which may be busy with others.
      const measured = async () => {
        const startMs = nowMs()
        try {
          return await work()
        } finally {
          if (nowMs() - startMs > SLOW_MS) slowUntil.set(accountId, nowMs() + SLOW_FOR_MS)
        }
      }
      return await (bytes <= memoryBytes * SMALL_SHARE ? smallMemory : largeMemory)(bytes, measured)
    }
  }
}

/** Kinds contain no spaces; account ids may contain anything. */
const keyOf = ({ accountId, kind }: ImageTask): string => `${kind} ${accountId}`
const accountOf = (key: string): string => key.slice(key.indexOf(' ') + 1)

/** Runs steps when so many bytes are free, in the order of the calls. A step may need all of them. */
function createMemory(totalBytes: number): <T>(bytes: number, work: () => Promise<T>) => Promise<T> {
  const waiting: { bytes: number; start: () => void }[] = []
  let freeBytes = totalBytes

  function startSteps(): void {
    while (waiting.length > 0 && waiting[0]!.bytes <= freeBytes) {
      const { bytes, start } = waiting.shift()!
      freeBytes -= bytes
      start()
    }
  }

  return async (needed, work) => {
    const bytes = Math.min(needed, totalBytes)
    await new Promise<void>((resolve) => {
      waiting.push({ bytes, start: resolve })
      startSteps()
    })
    try {
      return await work()
    } finally {
      freeBytes += bytes
      startSteps()
    }
  }
}
