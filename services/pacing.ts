import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { type AccountLoad, processLoad } from './account-load.ts'

/** The CPU time of a batch on the event loop, in milliseconds: while other work runs, and otherwise. */
const BUSY_TARGET_MS = 10
const QUIET_TARGET_MS = 25
/** How long a batch should take, in milliseconds: a slow store serves other work in between. */
const ELAPSED_TARGET_MS = 200
/** The same while runs of other accounts have precedence. */
const CONTENDED_TARGET_MS = 50
/**
 * While runs of other accounts have precedence, the loop waits for them, but at most so many times as
 * long as the batch took, and so many milliseconds: an account keeps at least a third of its speed.
 */
const MAX_WAIT_FACTOR = 2
const MAX_WAIT_MS = 500
/** The pause after a batch while other work runs, in milliseconds: long enough for several steps of a request. */
const REST_MS = 4
/** One batch in so many is followed by a pause that finds out whether other work runs. */
const PROBE_INTERVAL = 3
/** The process runs other work if it uses so many milliseconds of CPU time in a pause. */
const OTHER_WORK_MS = 1

export interface Pacer {
  /** The number of items of the next batch. */
  size: () => number
  /**
   * To be called after each batch: lets other work of the process run, gives way to accounts that used
   * less time, and adapts the size.
   */
  rest: () => Promise<void>
}

/** What a pacer reads. Replaced in tests. `cpuMs`: the CPU time of the event loop so far. */
interface Environment {
  cpuMs: () => number
  nowMs: () => number
  load: Pick<AccountLoad, 'giveWay'>
}

/**
 * CPU time instead of busy time: on a loaded machine, the process would take the time of others for
 * its own work, and the time that it waits for the disk for work that smaller batches reduce. Each
 * batch is a transaction, so small ones cost a multiple per item.
 */
const PROCESS: Environment = {
  load: processLoad,
  cpuMs() {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  },
  nowMs: () => performance.now()
}

/**
 * Paces a loop over batches of an account, so that it does not slow down requests and other jobs. The
 * embedded store saves a batch without leaving the event loop; with MongoDB the process mostly waits,
 * and batches stay large unless the store is slow or other accounts have precedence. `first` is the
 * size of the first batch, such as the last size of an earlier slice.
 */
export function createPacer(
  { accountId, min, max, first = 2 * min }: { accountId: string; min: number; max: number; first?: number },
  { cpuMs, nowMs, load }: Environment = PROCESS
): Pacer {
  let size = Math.min(max, first)
  let batches = 0
  let isOtherWorkRunning = true
  let isContended = false
  let startedAt = { cpuMs: cpuMs(), nowMs: nowMs() }

  async function pause(): Promise<void> {
    batches += 1
    if (!isOtherWorkRunning && batches % PROBE_INTERVAL !== 0) return await setImmediate()
    const pausedAt = cpuMs()
    await wait(REST_MS)
    isOtherWorkRunning = cpuMs() - pausedAt > OTHER_WORK_MS
  }

  return {
    size: () => size,
    async rest() {
      const spentMs = Math.max(1, cpuMs() - startedAt.cpuMs)
      const elapsedMs = Math.max(1, nowMs() - startedAt.nowMs)
      // By at most a factor of two, because one batch may be an exception.
      const targetMs = isOtherWorkRunning ? BUSY_TARGET_MS : QUIET_TARGET_MS
      const maxElapsedMs = isContended ? CONTENDED_TARGET_MS : ELAPSED_TARGET_MS
      const factor = Math.min(targetMs / spentMs, maxElapsedMs / elapsedMs)
      size = Math.min(max, Math.max(min, Math.round(size * Math.min(2, Math.max(0.5, factor)))))
      await pause()
      isContended = await load.giveWay(accountId, Math.min(MAX_WAIT_MS, MAX_WAIT_FACTOR * elapsedMs))
      startedAt = { cpuMs: cpuMs(), nowMs: nowMs() }
    }
  }
}
