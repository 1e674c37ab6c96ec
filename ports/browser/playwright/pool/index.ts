import { launchInstance, type BrowserInstance, type PooledProcess, type RecyclePolicy } from './browser-instance.ts'
import { createFairQueue } from '../../../../lib/fair-queue.ts'
import { BrowserGoneError, type Task, runTask } from './run-task.ts'

export { BrowserGoneError } from './run-task.ts'

const RECYCLE_POLICY: RecyclePolicy = {
  maxTasks: 50,
  maxAgeMs: 600_000,
  maxBytes: 1_200_000_000,
  idleMs: 60_000,
  responseTimeoutMs: 10_000
}
const MAX_PARALLEL = 2
/** An inspection has 25 seconds. */
const TASK_TIMEOUT_MS = 35_000
/**
 * A crash may have been caused by another task in the same browser, so a task is retried once, in a
 * browser of its own.
 */
const MAX_ATTEMPTS = 2

export interface PoolOptions<Process extends PooledProcess> extends Partial<RecyclePolicy> {
  launch: () => Promise<Process>
  /** The maximum of parallel tasks over all accounts, and of processes. Default 2. */
  maxParallel?: number | undefined
  /** A task that takes longer loses its browser. Without the start of the browser. Default 35 s. */
  taskTimeoutMs?: number
}

export interface Pool<Process extends PooledProcess> {
  /**
   * Waits for the account's turn and runs the task in a browser that serves only this account. The
   * task must close what it opens, and stop when `signal` is aborted. If the browser crashes, the
   * task is repeated once in a new one without other tasks. Rejects with the error of the task, with
   * a BrowserGoneError, with the reason of `signal`, and with the error of `launch`.
   */
  use: <Value>(accountId: string, task: Task<Process, Value>, signal: AbortSignal) => Promise<Value>
  /** Ends all browsers and running tasks. Resolves when the processes have exited. */
  close: () => Promise<void>
}

/** Opens a pool of browsers. The first browser is started by the first task. */
export function openPool<Process extends PooledProcess>({
  launch,
  maxParallel = MAX_PARALLEL,
  taskTimeoutMs = TASK_TIMEOUT_MS,
  ...policy
}: PoolOptions<Process>): Pool<Process> {
  const queue = createFairQueue<() => void>()
  const instances = new Set<BrowserInstance<Process>>()
  const ending = new Set<Promise<void>>()
  const closing = new AbortController()
  let active = 0

  function instanceFor(account: string, isExclusive: boolean): BrowserInstance<Process> {
    for (const instance of instances) {
      if (!isExclusive && instance.account === account && !instance.isExhausted()) return instance
    }
    // At least one instance is idle: there are at most `maxParallel`, and this task is one of as
    // many active tasks.
    for (const instance of instances) {
      if (instance.running() === 0 && (instance.isExhausted() || instances.size >= maxParallel)) track(instance.end())
    }
    const instance = launchInstance(account, {
      ...RECYCLE_POLICY,
      ...policy,
      isExclusive,
      launch,
      onEnd: (ended) => {
        instances.delete(ended)
        track(ended.end())
      }
    })
    instances.add(instance)
    return instance
  }

  function track(end: Promise<void>): void {
    if (ending.has(end)) return
    ending.add(end)
    end.catch(() => {}).finally(() => ending.delete(end))
  }

  async function attempt<Value>(
    account: string,
    task: Task<Process, Value>,
    { signal, isExclusive }: { signal: AbortSignal; isExclusive: boolean }
  ): Promise<Value> {
    if (closing.signal.aborted) throw new BrowserGoneError('closed')
    const instance = instanceFor(account, isExclusive)
    instance.beginTask()
    try {
      return await runTask(instance, task, { timeoutMs: taskTimeoutMs, signal, closing: closing.signal })
    } finally {
      track(instance.finishTask())
    }
  }

  async function run<Value>(account: string, task: Task<Process, Value>, signal: AbortSignal): Promise<Value> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await attempt(account, task, { signal, isExclusive: attempts > 1 })
      } catch (error) {
        if (closing.signal.aborted) throw new BrowserGoneError('closed', { cause: error })
        const isCrash = error instanceof BrowserGoneError && error.reason === 'crashed'
        if (attempts === MAX_ATTEMPTS || signal.aborted || !isCrash) throw error
      }
    }
  }

  function startNext(): void {
    while (active < maxParallel) {
      const start = queue.next()
      if (start === null) return
      active++
      start()
    }
  }

  /** Resolves at the account's turn. The caller must decrement `active` at the end of the turn. */
  function waitForTurn(account: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        queue.remove(account, start)
        reject(closing.signal.aborted ? new BrowserGoneError('closed') : signal.reason)
      }
      const start = () => {
        signal.removeEventListener('abort', giveUp)
        closing.signal.removeEventListener('abort', giveUp)
        resolve()
      }
      if (closing.signal.aborted || signal.aborted) return giveUp()
      signal.addEventListener('abort', giveUp, { once: true })
      closing.signal.addEventListener('abort', giveUp, { once: true })
      queue.add(account, start)
      startNext()
    })
  }

  return {
    async use(account, task, signal) {
      await waitForTurn(account, signal)
      try {
        return await run(account, task, signal)
      } finally {
        active--
        startNext()
      }
    },
    async close() {
      closing.abort()
      for (const instance of instances) track(instance.end())
      await Promise.allSettled(ending)
    }
  }
}
