import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { withTimeout } from './async.ts'
import { compileCacheEnvironment } from './compile-cache.ts'
import { createFairQueue } from './fair-queue.ts'
import { createThreadShares, SHORT_TASK_MS } from './thread-shares.ts'

/** How long a thread may take to report its CPU time. A thread inside native code reports late. */
const CPU_REPORT_TIMEOUT_MS = 1_000
/** The time limit of a task in elapsed time, as a multiple of its CPU time. */
const ELAPSED_FACTOR = 15
/** Tasks of an account that wait before a thread starts that it borrows: it takes as long as some tasks, and memory. */
const MIN_BACKLOG = 8

export interface ThreadPoolOptions {
  /** The module that each thread runs. It serves tasks with `serveTasks` (lib/thread-tasks.ts). */
  entry: URL
  /** Threads of this process. Default: one less than the CPU cores, and at least two. */
  maxThreads?: number
  /**
   * Threads that each account is entitled to. It may use others as well while nobody else needs them and its
   * tasks are short. Default: one less than `maxThreads`.
   */
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
  /** When the task was posted to the thread. */
  startedMs: number
  isReady: boolean
  /** It is being terminated; its task has been rejected. */
  isEnding: boolean
  timer: NodeJS.Timeout | undefined
}

/**
 * Creates a pool of threads for CPU-bound work on untrusted input. The event loop of the process
 * stays free, and a task that takes too long or uses too much memory ends with its thread. Limits
 * are in CPU time, so that they do not depend on the load of the machine. Accounts take turns. One with
 * short tasks borrows threads that nobody needs. Others get the first thread that becomes free; a borrowed
 * one whose task takes long is ended, and that task runs again.
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
  const shares = createThreadShares(maxThreadsPerAccount)
  const ending = new Set<Promise<unknown>>()
  let waiting = 0
  let closed = false
  let reclaimTimer: NodeJS.Timeout | undefined

  function startThread(): Thread {
    const part = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(entry, {
      workerData: { part },
      env: compileCacheEnvironment(),
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 }
    })
    const state = { task: null, cpuMs: 0, startedMs: 0, isReady: false, isEnding: false, timer: undefined }
    const thread: Thread = { worker, part, ...state }
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
    const usedMs = message.cpuMs - thread.cpuMs
    thread.cpuMs = message.cpuMs
    if (message.kind === 'ready') {
      thread.isReady = true
      if (thread.task !== null) post(thread, thread.task)
      return
    }
    const task = release(thread)
    if (task !== null) shares.noteTask(task.account, usedMs)
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
    if (task !== null) shares.count(task.account, -1)
    return task
  }

  /**
   * Rejects the task at once. The thread counts, also against its account, until it has exited: native
   * code, such as a function of ICU, is not interrupted. Without an error, the task runs again.
   */
  function endThread(thread: Thread, error: Error | null): void {
    if (thread.isEnding) return
    thread.isEnding = true
    clearTimeout(thread.timer)
    if (thread.task !== null) {
      shares.noteTask(thread.task.account, Infinity)
      if (error === null) enqueue(thread.task)
      else thread.task.reject(error)
    }
    const ended = thread.worker.terminate().finally(() => {
      ending.delete(ended)
      threads.delete(thread)
      release(thread)
      startNext()
    })
    ending.add(ended)
  }

  const limitError = ({ part }: Thread, reason: 'time' | 'memory') => new TaskLimitError(reason, Atomics.load(part, 0))

  /** The CPU time that the thread has used for its task. */
  async function usedMs({ worker, cpuMs, startedMs }: Thread): Promise<number> {
    return ((await cpuMsOf(worker)) ?? cpuMs + performance.now() - startedMs) - cpuMs
  }

  function post(thread: Thread, { name, input }: Task): void {
    Atomics.store(thread.part, 0, 0)
    thread.startedMs = performance.now()
    thread.worker.postMessage({ name, input })
    watch(thread, timeoutMs)
    watchBorrowed()
  }

  function watch(thread: Thread, ms: number): void {
    const { task } = thread
    thread.timer = setTimeout(async () => {
      const elapsedMs = performance.now() - thread.startedMs
      const leftMs = timeoutMs - (await usedMs(thread))
      if (thread.task !== task || task === null || thread.isEnding) return
      if (leftMs <= 0 || elapsedMs > ELAPSED_FACTOR * timeoutMs) endThread(thread, limitError(thread, 'time'))
      else watch(thread, Math.max(20, leftMs))
    }, ms)
  }

  /** The thread of an account above its share that began its task last, if an account below its share waits. */
  function findReclaimed(): Thread | null {
    if (closed || !queue.hasReady(shares.isBelowShare)) return null
    return [...threads]
      .filter(
        ({ task, isReady, isEnding }) => task !== null && isReady && !isEnding && shares.isAboveShare(task.account)
      )
      .reduce<Thread | null>((last, each) => (last === null || each.startedMs > last.startedMs ? each : last), null)
  }

  /** Ends a borrowed thread that others need and whose task takes longer than a short one. */
  function watchBorrowed(): void {
    if (reclaimTimer !== undefined) return
    const thread = findReclaimed()
    if (thread === null) return
    const { task } = thread
    reclaimTimer = setTimeout(async () => {
      const isLong = (await usedMs(thread)) >= SHORT_TASK_MS
      reclaimTimer = undefined
      if (isLong && thread.task === task && findReclaimed() === thread) endThread(thread, null)
      else watchBorrowed()
    }, SHORT_TASK_MS)
  }

  function enqueue(task: QueuedTask): void {
    waiting++
    queue.add(task.account, task)
  }

  function startNext(): void {
    for (;;) {
      const idle = [...threads].find(({ task, isEnding }) => task === null && !isEnding)
      if (closed || (idle === undefined && threads.size >= maxThreads)) return watchBorrowed()
      const mayBorrow = (account: string) =>
        shares.mayBorrow(account) && (idle !== undefined || queue.count(account) >= MIN_BACKLOG)
      const task = queue.next(shares.isBelowShare) ?? queue.next(mayBorrow)
      if (task === null) return
      waiting--
      shares.count(task.account, 1)
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
        enqueue({ ...task, resolve, reject })
        startNext()
      }),
    load: () => ({ running: [...threads].filter(({ task }) => task !== null).length, waiting }),
    async close() {
      closed = true
      clearTimeout(reclaimTimer)
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
