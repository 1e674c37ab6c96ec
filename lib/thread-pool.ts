import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { withTimeout } from './async.ts'
import { compileCacheEnvironment } from './compile-cache.ts'
import { createFairQueue } from './fair-queue.ts'

/** How long a thread may take to report its CPU time. A thread inside native code reports late. */
const CPU_REPORT_TIMEOUT_MS = 1_000
/** The time limit of a task in elapsed time, as a multiple of its CPU time. */
const ELAPSED_FACTOR = 15

export interface ThreadPoolOptions {
  /** The module that each thread runs. It serves tasks with `serveTasks` (lib/thread-tasks.ts). */
  entry: URL
  /** Threads of this process. Default: one less than the CPU cores, and at least two. */
  maxThreads?: number
  /** Threads that one account may occupy at once. Default: one less than `maxThreads`. */
  maxThreadsPerAccount?: number
  /** Tasks of one account that may wait. */
  maxQueuedPerAccount?: number
  /** CPU time of a task in milliseconds. */
  timeoutMs: number
  /** JavaScript heap of a thread. */
  maxHeapMb?: number
  /** How long an idle thread is kept. */
  idleMs?: number
}

export interface Task {
  account: string
  name: string
  /** Copied by the structured clone algorithm, and so is the result. */
  input: unknown
}

/** Runs tasks in threads. */
export interface ThreadPool {
  /**
   * Runs a task when it is the account's turn. Rejects with a TaskLimitError if the task exceeds a
   * limit, with a PoolBusyError if too many tasks of the account wait, and with the error of the
   * task.
   */
  run: (task: Task) => Promise<unknown>
  /** Threads that run a task or have not exited after it, and tasks that wait. */
  load: () => { running: number; waiting: number }
  /** Ends all threads. Pending tasks reject. */
  close: () => Promise<void>
}

/** A task exceeded a limit of its thread. */
export class TaskLimitError extends Error {
  override readonly name = 'TaskLimitError'
  readonly reason: 'time' | 'memory'
  /** The part that ran last, as the task reported it with `startPart`; 0 if it reported none. */
  readonly part: number

  constructor(reason: 'time' | 'memory', part: number) {
    super(reason === 'time' ? 'The task exceeded its CPU time.' : 'The task exceeded the memory of its thread.')
    this.reason = reason
    this.part = part
  }
}

/** Too many tasks of the account wait. */
export class PoolBusyError extends Error {
  override readonly name = 'PoolBusyError'
}

/** A message of a thread: it is ready, or a task has ended. `cpuMs`: the CPU time of the thread. */
export type ThreadMessage =
  | { kind: 'ready'; cpuMs: number }
  | { kind: 'done'; cpuMs: number; value: unknown }
  | { kind: 'failed'; cpuMs: number; error: unknown }

interface QueuedTask extends Task {
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

interface Thread {
  worker: Worker
  part: Int32Array
  task: QueuedTask | null
  /** CPU time at the end of the last task. */
  cpuMs: number
  isReady: boolean
  /** It is being terminated; its task has been rejected. */
  isEnding: boolean
  timer: NodeJS.Timeout | undefined
}

/**
 * Creates a pool of threads for CPU-bound work on untrusted input. The event loop of the process
 * stays free, and a task that takes too long or uses too much memory ends with its thread. Limits
 * are in CPU time, so that they do not depend on the load of the machine. Accounts take turns.
 * Threads start on demand, without environment variables, and do not keep the process running.
 *
 * The `piscina` package cannot limit the CPU time of a task and has no turns between accounts.
 */
export function createThreadPool({
  entry,
  maxThreads = Math.max(2, availableParallelism() - 1),
  maxThreadsPerAccount = Math.max(1, maxThreads - 1),
  maxQueuedPerAccount = 64,
  timeoutMs,
  maxHeapMb = 384,
  idleMs = 60_000
}: ThreadPoolOptions): ThreadPool {
  const queue = createFairQueue<QueuedTask>()
  const threads = new Set<Thread>()
  const runningByAccount = new Map<string, number>()
  const ending = new Set<Promise<unknown>>()
  let waiting = 0
  let closed = false

  const isReady = (account: string): boolean => (runningByAccount.get(account) ?? 0) < maxThreadsPerAccount

  function countRunning(account: string, change: 1 | -1): void {
    const count = (runningByAccount.get(account) ?? 0) + change
    if (count === 0) runningByAccount.delete(account)
    else runningByAccount.set(account, count)
  }

  function startThread(): Thread {
    const part = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(entry, {
      workerData: { part },
      env: compileCacheEnvironment(),
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 }
    })
    const thread: Thread = { worker, part, task: null, cpuMs: 0, isReady: false, isEnding: false, timer: undefined }
    worker.on('message', (message: ThreadMessage) => onMessage(thread, message))
    worker.on('error', (error: NodeJS.ErrnoException) => {
      endThread(thread, error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? limitError(thread, 'memory') : error)
    })
    worker.on('exit', (code) => endThread(thread, new Error(`The thread ended with exit code ${code}`)))
    threads.add(thread)
    return thread
  }

  function onMessage(thread: Thread, message: ThreadMessage): void {
    if (thread.isEnding) return
    thread.cpuMs = message.cpuMs
    if (message.kind === 'ready') {
      thread.isReady = true
      if (thread.task !== null) post(thread, thread.task)
      return
    }
    const task = release(thread)
    if (message.kind === 'done') task?.resolve(message.value)
    else task?.reject(message.error)
    startNext()
    if (thread.task !== null || closed) return
    thread.worker.unref()
    thread.timer = setTimeout(() => endThread(thread, new Error('The thread was idle')), idleMs).unref()
  }

  /** Takes the task from its thread. */
  function release(thread: Thread): QueuedTask | null {
    const { task } = thread
    clearTimeout(thread.timer)
    thread.task = null
    if (task !== null) countRunning(task.account, -1)
    return task
  }

  /**
   * Rejects the task at once. The thread counts, also against its account, until it has exited: native
   * code, such as a function of ICU, is not interrupted.
   */
  function endThread(thread: Thread, error: Error): void {
    if (thread.isEnding) return
    thread.isEnding = true
    clearTimeout(thread.timer)
    thread.task?.reject(error)
    const ended = thread.worker.terminate().finally(() => {
      ending.delete(ended)
      threads.delete(thread)
      release(thread)
      startNext()
    })
    ending.add(ended)
  }

  const limitError = ({ part }: Thread, reason: 'time' | 'memory') => new TaskLimitError(reason, Atomics.load(part, 0))

  function post(thread: Thread, { name, input }: Task): void {
    Atomics.store(thread.part, 0, 0)
    const startedMs = performance.now()
    thread.worker.postMessage({ name, input })
    watch(thread, timeoutMs)

    function watch(watched: Thread, ms: number): void {
      const { task } = watched
      watched.timer = setTimeout(async () => {
        const elapsedMs = performance.now() - startedMs
        const usedMs = (await cpuMsOf(watched.worker)) ?? watched.cpuMs + elapsedMs
        if (watched.task !== task || task === null || watched.isEnding) return
        const leftMs = timeoutMs - (usedMs - watched.cpuMs)
        if (leftMs <= 0 || elapsedMs > ELAPSED_FACTOR * timeoutMs) endThread(watched, limitError(watched, 'time'))
        else watch(watched, Math.max(20, leftMs))
      }, ms)
    }
  }

  function startNext(): void {
    for (;;) {
      const idle = [...threads].find(({ task, isEnding }) => task === null && !isEnding)
      if (closed || (idle === undefined && threads.size >= maxThreads)) return
      const task = queue.next(isReady)
      if (task === null) return
      waiting--
      countRunning(task.account, 1)
      const thread = idle ?? startThread()
      clearTimeout(thread.timer)
      thread.worker.ref()
      thread.task = task
      if (thread.isReady) post(thread, task)
    }
  }

  return {
    run: async (task) =>
      await new Promise<unknown>((resolve, reject) => {
        if (closed) return reject(new Error('The thread pool is closed'))
        if (queue.count(task.account) >= maxQueuedPerAccount) {
          return reject(new PoolBusyError('Too many tasks of the account are waiting'))
        }
        waiting++
        queue.add(task.account, { ...task, resolve, reject })
        startNext()
      }),
    load: () => ({ running: [...threads].filter(({ task }) => task !== null).length, waiting }),
    async close() {
      closed = true
      const error = new Error('The thread pool is closed')
      for (const task of queue.drain()) task.reject(error)
      waiting = 0
      for (const thread of threads) endThread(thread, error)
      await Promise.all(ending)
    }
  }
}

/** The CPU time of a thread in milliseconds. Null if it does not report in time or has ended. */
async function cpuMsOf(worker: Worker): Promise<number | null> {
  return await withTimeout(worker.cpuUsage(), CPU_REPORT_TIMEOUT_MS).then(
    ({ user, system }) => (user + system) / 1000,
    () => null
  )
}
