import { problem } from '../../errors.ts'
import { createFairQueue } from '../../lib/fair-queue.ts'

/** Limits the concurrency and the memory of image processing in this process. */
export interface ImageSlots {
  /** Memory of all steps that run at once. */
  readonly memoryBytes: number
  /**
   * Runs a task at the account's turn. Throws `busy` with Retry-After if too many tasks of the
   * account wait.
   */
  run: <T>(accountId: string, work: () => Promise<T>) => Promise<T>
  /**
   * Runs a step of a task when so many bytes are free, in the order of the calls. A step that needs
   * more than seven eighths of them is the only one of those that need more than an eighth.
   */
  withMemory: <T>(bytes: number, work: () => Promise<T>) => Promise<T>
}

export interface ImageSlotOptions {
  /** Tasks that run at once. One account runs at most one less, but at least one. */
  running: number
  /** Tasks of one account that wait. */
  waiting: number
  /** Memory of all steps that run at once. */
  memoryBytes: number
}

/**
 * The share of the memory that only small steps use: those that need no more than that. They pass
 * larger ones that wait, which may take seconds.
 */
const SMALL_SHARE = 1 / 8

/** Creates slots. Accounts take turns. */
export function createImageSlots({ running: maxRunning, waiting, memoryBytes }: ImageSlotOptions): ImageSlots {
  const maxPerAccount = Math.max(1, maxRunning - 1)
  const queue = createFairQueue<() => void>()
  const runningByAccount = new Map<string, number>()
  let running = 0
  const smallMemory = createMemory(memoryBytes * SMALL_SHARE)
  const largeMemory = createMemory(memoryBytes * (1 - SMALL_SHARE))

  const isReady = (accountId: string): boolean => (runningByAccount.get(accountId) ?? 0) < maxPerAccount

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
    async run(accountId, work) {
      if (queue.count(accountId) >= waiting && !(running < maxRunning && isReady(accountId))) {
        throw problem('busy', 'Too many images are being processed. Try again.', { headers: { 'Retry-After': '1' } })
      }
      await new Promise<void>((resolve) => {
        queue.add(accountId, () => {
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

    withMemory: async (bytes, work) =>
      await (bytes <= memoryBytes * SMALL_SHARE ? smallMemory : largeMemory)(bytes, work)
  }
}

/** Runs steps when so many bytes are free, in the order of the calls. A step may need all of them. */
function createMemory(totalBytes: number): ImageSlots['withMemory'] {
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
