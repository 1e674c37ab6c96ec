import { AsyncLocalStorage } from 'node:async_hooks'
import { createGrowingLru } from '../../lib/growing-lru.ts'
import { problem } from '../../errors.ts'
import { createFairQueue } from '../../lib/fair-queue.ts'
import { createRecentUse } from '../../lib/recent-use.ts'

/** Limits the concurrency and the memory of image processing in this process. */
export interface ImageSlots {
  /** Memory of all steps that run at once. */
  readonly memoryBytes: number
  /**
   * Runs a task at the account's turn. Throws `busy` with Retry-After if too many tasks of the account and of this kind
   * wait. A task whose step would be slow while too many others are is ended by `withMemory`, and run again later.
   */
  run: <T>(task: ImageTask, work: () => Promise<T>) => Promise<T>
  /**
   * Runs a step of a task of the account, which decodes or encodes, when so many bytes are free, in the order of the
   * calls. A step that needs more than seven eighths of them is the only one of those that need more than an eighth.
   * Call it in a task, and do not catch its errors before the task has ended.
   */
  withMemory: <T>(step: ImageStep, work: () => Promise<T>) => Promise<T>
  /** Runs the step of a task of the account that reads the metadata of an image, which needs little memory. */
  measureReading: <T>(accountId: string, work: () => Promise<T>) => Promise<T>
}

export interface ImageStep {
  accountId: string
  bytes: number
  /** The pixels that are decoded: of all frames. */
  pixels: number
  /** Whether the step is slow, whatever its pixels. Default: false. */
  isSlow?: boolean
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

/**
 * A step that takes longer is slow, and so is one of more pixels, before it has begun: of an upload, a megapixel takes
 * 20 to 100 ms. Other accounts should not wait longer for small images.
 */
const SLOW_MS = 250
const SLOW_PIXELS = 4_000_000
/** Metadata takes milliseconds, and the process that reads it some hundred to start. */
const SLOW_READING_MS = 2_000
/** For how long all tasks of an account count as slow after one of few pixels that was. */
const SLOW_FOR_MS = 60_000
const MAX_ACCOUNTS = 1_000
/** After so many milliseconds, half of the time that the tasks of an account took is forgotten. */
const HALF_LIFE_MS = 10_000
/** At every so many starts, the next task is that of the account that was not next for the longest time. */
const STARTS_IN_TURN = 8

/**
 * The share of the memory that only small steps use: those that need no more than that. They pass
 * larger ones that wait, which may take seconds.
 */
const SMALL_SHARE = 1 / 8

/** The error of a task that must wait until fewer slow ones run. */
class SlowTask extends Error {}

interface RunningTask {
  accountId: string
  isSlow: boolean
  /** How long its steps waited for memory. */
  waitMs: number
}

/**
 * Creates slots. The next task is that of the account whose tasks took the least time lately; accounts with equal times
 * take turns. All of a task counts, whatever it does: an account whose tasks count as nothing would always be next.
 * Slow tasks leave one slot to others, however many they are: a small file may have a picture of 40 megapixels, which
 * takes seconds to decode, and no task can be interrupted.
 */
export function createImageSlots(options: ImageSlotOptions): ImageSlots {
  const { running: maxRunning, waiting, memoryBytes, nowMs = () => performance.now() } = options
  const maxPerAccount = Math.max(1, maxRunning - 1)
  /** By account, kind, and whether the tasks are known to be slow. */
  const queue = createFairQueue<() => void>()
  const running = new Set<RunningTask>()
  const current = new AsyncLocalStorage<RunningTask>()
  /** Until when the tasks of an account count as slow. */
  const slowUntil = createGrowingLru<string, number>(MAX_ACCOUNTS)
  const use = createRecentUse(HALF_LIFE_MS, nowMs)
  let starts = 0
  const smallMemory = createMemory(memoryBytes * SMALL_SHARE)
  const largeMemory = createMemory(memoryBytes * (1 - SMALL_SHARE))

  const isSlow = (accountId: string): boolean => (slowUntil.get(accountId) ?? -Infinity) > nowMs()
  const countRunning = (isCounted: (task: RunningTask) => boolean): number =>
    running.values().reduce((sum, task) => sum + Number(isCounted(task)), 0)
  const maySlowStart = (): boolean => countRunning((task) => task.isSlow) < maxPerAccount

  function isReady(key: string): boolean {
    const accountId = accountOf(key)
    if (countRunning((task) => task.accountId === accountId) >= maxPerAccount) return false
    return !(key.startsWith(SLOW) || isSlow(accountId)) || maySlowStart()
  }

  function next(): (() => void) | null {
    if (starts % STARTS_IN_TURN === STARTS_IN_TURN - 1) return queue.next(isReady)
    let [best, leastMs]: [string | null, number] = [null, Infinity]
    for (const key of queue.accounts()) {
      if (!isReady(key)) continue
      const ms = use.of(accountOf(key))
      if (ms < leastMs) [best, leastMs] = [key, ms]
    }
    return best === null ? null : queue.next((key) => key === best)
  }

  function startNext(): void {
    for (;;) {
      const start = running.size < maxRunning ? next() : null
      if (start === null) return
      starts += 1
      start()
    }
  }

  /** Runs a task in a slot. */
  async function runNext<T>({ accountId, kind }: ImageTask, isKnownSlow: boolean, work: () => Promise<T>): Promise<T> {
    const task = await new Promise<RunningTask>((resolve) => {
      queue.add(keyOf({ accountId, kind }, isKnownSlow), () => {
        const entered = { accountId, isSlow: isKnownSlow || isSlow(accountId), waitMs: 0 }
        running.add(entered)
        resolve(entered)
      })
      startNext()
    })
    const startMs = nowMs()
    try {
      return await current.run(task, work)
    } finally {
      use.add(accountId, nowMs() - startMs - task.waitMs)
      running.delete(task)
      startNext()
    }
  }

  /** Only steps can make an account slow: the store and the disk may be busy with others. */
  async function measure<T>(accountId: string, slowMs: number, work: () => Promise<T>): Promise<T> {
    const startMs = nowMs()
    try {
      return await work()
    } finally {
      if (nowMs() - startMs > slowMs) slowUntil.set(accountId, nowMs() + SLOW_FOR_MS)
    }
  }

  return {
    memoryBytes,
    async run({ accountId, kind }, work) {
      const key = keyOf({ accountId, kind }, false)
      const count = queue.count(key) + queue.count(keyOf({ accountId, kind }, true))
      if (count >= waiting && !(running.size < maxRunning && isReady(key))) {
        throw problem('busy', 'Too many images are being processed. Try again.', { headers: { 'Retry-After': '1' } })
      }
      let isKnownSlow = false
      for (;;) {
        try {
          return await runNext({ accountId, kind }, isKnownSlow, work)
        } catch (error) {
          if (!(error instanceof SlowTask)) throw error
          isKnownSlow = true
        }
      }
    },

    async withMemory({ accountId, bytes, pixels, isSlow: isKnownSlow = false }, work) {
      const task = current.getStore()
      const isSlowStep = isKnownSlow || pixels > SLOW_PIXELS
      if (task !== undefined && isSlowStep && !task.isSlow) {
        if (!maySlowStart()) throw new SlowTask()
        task.isSlow = true
      }
      const calledMs = nowMs()
      return await (bytes <= memoryBytes * SMALL_SHARE ? smallMemory : largeMemory)(bytes, async () => {
        if (task !== undefined) task.waitMs += nowMs() - calledMs
        // Such steps are slow themselves, and say nothing about others of the account.
        return isSlowStep ? await work() : await measure(accountId, SLOW_MS, work)
      })
    },

    measureReading: async (accountId, work) => await measure(accountId, SLOW_READING_MS, work)
  }
}

const SLOW = 'slow-'
/** Kinds contain no spaces; account ids may contain anything. */
const keyOf = ({ accountId, kind }: ImageTask, isSlow: boolean): string => `${isSlow ? SLOW : ''}${kind} ${accountId}`
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
