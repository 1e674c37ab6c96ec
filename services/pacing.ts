import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import type { Store } from '../ports/store/port.ts'
import { type AccountLoad, processLoad } from './account-load.ts'

/** The CPU time of a batch on the event loop, in milliseconds: while other work runs, and otherwise. */
const BUSY_TARGET_MS = 10
const QUIET_TARGET_MS = 25
/** The same while requests or runs of other accounts have precedence now and then: each of them waits for one batch. */
const CONTENDED_CPU_MS = 4
/** How long a batch should take, in milliseconds: a slow store serves other work in between. */
const ELAPSED_TARGET_MS = 200
/** The same while requests or runs of other accounts have precedence now and then. */
const CONTENDED_TARGET_MS = 50
/**
 * While runs of other accounts have precedence, the loop waits for them, but at most so many times as
 * long as the batch took, and so many milliseconds: an account keeps at least a third of its speed.
 */
const MAX_WAIT_FACTOR = 2
const MAX_WAIT_MS = 500
/**
 * The same with a store on a server. Each batch has some commands, which take the same time however
 * many items it has: with 10 ms for a command and 0.5 ms for an item, a batch of 1,000 items spends a
 * sixth of its time on them, one of 100 two thirds. The commands of others run beside it.
 */
const REMOTE_TARGET_MS = 2_000
const REMOTE_CONTENDED_TARGET_MS = 50
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
  load: Pick<AccountLoad, 'giveWay' | 'isContended'>
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

/** The smallest and the largest batch. */
export interface BatchSizes {
  min: number
  max: number
}

/**
 * The sizes for a store in this process, and for one on a server. `first`: the size of a first batch
 * on a server that may be slow.
 */
export interface StoreBatchSizes {
  local: BatchSizes
  remote: BatchSizes & { first: number }
}

export interface PacerOptions extends BatchSizes {
  accountId: string
  /** The size of the first batch, such as the last size of an earlier slice. Default: twice the minimum. */
  first?: number
  /** Whether the store is on a server. Default: false. */
  isRemote?: boolean
  /**
   * Whether a request waits for the batches. Then only work for other accounts makes them small, and not that a local
   * store was slow: they wait for the event loop, and more of them would wait more often. Default: false.
   */
  isRequest?: boolean
}

/** The options for the sizes that fit the store. `last`: the size that an earlier loop ended with. */
export function batchSizes(
  { isRemote }: Pick<Store, 'isRemote'>,
  { local, remote }: StoreBatchSizes,
  last?: number
): BatchSizes & Pick<PacerOptions, 'first' | 'isRemote'> {
  const sizes = isRemote ? remote : local
  return { isRemote, ...sizes, ...(last === undefined ? {} : { first: last }) }
}

/**
 * Paces a loop over batches of an account, so that it does not slow down requests and other jobs. The
 * embedded store saves a batch without leaving the event loop, so its CPU time is limited. With
 * MongoDB the process mostly waits, computations pause for others (`createYielder`), and batches
 * stay large unless the store is slow or other accounts have precedence.
 */
export function createPacer(
  { accountId, min, max, first = 2 * min, isRemote = false, isRequest = false }: PacerOptions,
  { cpuMs, nowMs, load }: Environment = PROCESS
): Pacer {
  const targets = isRemote
    ? {
        busyMs: Infinity,
        quietMs: Infinity,
        contendedCpuMs: Infinity,
        elapsedMs: REMOTE_TARGET_MS,
        contendedMs: REMOTE_CONTENDED_TARGET_MS
      }
    : {
        busyMs: BUSY_TARGET_MS,
        quietMs: QUIET_TARGET_MS,
        contendedCpuMs: CONTENDED_CPU_MS,
        elapsedMs: ELAPSED_TARGET_MS,
        contendedMs: CONTENDED_TARGET_MS
      }
  // A slice begins as small as the one before ended.
  let size = load.isContended(accountId) ? min : Math.min(max, first)
  let batches = 0
  let isOtherWorkRunning = !isRequest
  let startedAt = { cpuMs: cpuMs(), nowMs: nowMs() }

  async function pause(isContended: boolean): Promise<void> {
    batches += 1
    const isProbe = isRequest ? isContended : isOtherWorkRunning || batches % PROBE_INTERVAL === 0
    if (!isProbe) return await setImmediate()
    const pausedAt = cpuMs()
    await wait(REST_MS)
    isOtherWorkRunning = !isRequest && cpuMs() - pausedAt > OTHER_WORK_MS
  }

  return {
    size: () => size,
    async rest() {
      const spentMs = Math.max(1, cpuMs() - startedAt.cpuMs)
      const elapsedMs = Math.max(1, nowMs() - startedAt.nowMs)
      // By at most a factor of two, because one batch may be an exception.
      const isContended = load.isContended(accountId)
      const targetMs = isContended ? targets.contendedCpuMs : isOtherWorkRunning ? targets.busyMs : targets.quietMs
      const maxElapsedMs = isRequest && !isRemote ? Infinity : isContended ? targets.contendedMs : targets.elapsedMs
      const factor = Math.min(targetMs / spentMs, maxElapsedMs / elapsedMs)
      size = Math.min(max, Math.max(min, Math.round(size * Math.min(2, Math.max(0.5, factor)))))
      await pause(isContended)
      // While a batch of a request waits for the event loop, it does not work.
      const workedMs = isRequest && !isRemote ? Math.min(elapsedMs, QUIET_TARGET_MS) : elapsedMs
      await load.giveWay(accountId, Math.min(MAX_WAIT_MS, MAX_WAIT_FACTOR * workedMs))
      startedAt = { cpuMs: cpuMs(), nowMs: nowMs() }
    }
  }
}
