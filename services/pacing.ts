import { performance } from 'node:perf_hooks'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'

/** How long a batch should keep the process busy, in milliseconds: while other work runs, and otherwise. */
const BUSY_TARGET_MS = 10
const QUIET_TARGET_MS = 45
/** How long a batch should take, in milliseconds: a slow store serves other work in between. */
const ELAPSED_TARGET_MS = 200
/** The pause after a batch while other work runs, in milliseconds: long enough for several steps of a request. */
const REST_MS = 4
/** One batch in so many is followed by a pause that finds out whether other work runs. */
const PROBE_INTERVAL = 3
/** The process runs other work if it is busy for so many milliseconds of a pause. */
const OTHER_WORK_MS = 1

export interface Pacer {
  /** The number of items of the next batch. */
  size: () => number
  /** To be called after each batch: lets other work of the process run, and adapts the size. */
  rest: () => Promise<void>
}

interface Clock {
  busyMs: () => number
  nowMs: () => number
}

const PROCESS_CLOCK: Clock = {
  busyMs: () => performance.eventLoopUtilization().active,
  nowMs: () => performance.now()
}

/**
 * Paces a loop over batches, so that it does not slow down requests and other jobs. The embedded store
 * saves a batch without leaving the event loop; with MongoDB the process mostly waits, and batches
 * stay large unless the store is slow. `clock` is replaced in tests; `busyMs` reads how long the process
 * has been busy.
 */
export function createPacer(
  { min, max }: { min: number; max: number },
  { busyMs, nowMs }: Clock = PROCESS_CLOCK
): Pacer {
  let size = Math.min(max, 2 * min)
  let batches = 0
  let isOtherWorkRunning = true
  let startedAt = { busyMs: busyMs(), nowMs: nowMs() }

  async function pause(): Promise<void> {
    batches += 1
    if (!isOtherWorkRunning && batches % PROBE_INTERVAL !== 0) return await setImmediate()
    const pausedAt = busyMs()
    await wait(REST_MS)
    isOtherWorkRunning = busyMs() - pausedAt > OTHER_WORK_MS
  }

  return {
    size: () => size,
    async rest() {
      const spentMs = Math.max(1, busyMs() - startedAt.busyMs)
      const elapsedMs = Math.max(1, nowMs() - startedAt.nowMs)
      // By at most a factor of two, because one batch may be an exception.
      const targetMs = isOtherWorkRunning ? BUSY_TARGET_MS : QUIET_TARGET_MS
      const factor = Math.min(targetMs / spentMs, ELAPSED_TARGET_MS / elapsedMs)
      size = Math.min(max, Math.max(min, Math.round(size * Math.min(2, Math.max(0.5, factor)))))
      await pause()
      startedAt = { busyMs: busyMs(), nowMs: nowMs() }
    }
  }
}
