import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { compileCacheEnvironment } from './compile-cache.ts'
import { createFairQueue } from './fair-queue.ts'
import { cpuMsOfThread } from './thread-cpu.ts'
import { createThreadShares, SHORT_TASK_MS } from './thread-shares.ts'

/** The time limit of a task in elapsed time, as a multiple of its CPU time. */
const ELAPSED_FACTOR = 15
/** After this CPU time of a task, a thread is started for others: they may wait for a task as long as its limit. */
const LONG_TASK_MS = 100
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
  /**
   * Whether accounts whose last tasks were not short leave a thread to others, and one stays ready for them.
   * Default: true. Use false where all tasks are long.
   */
  reservesThread?: boolean
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
  /** Whether the task probably takes long, whatever the last ones of the account took. Default: false. */
  isLong?: boolean
  /** Whether the task certainly takes a few milliseconds. Such tasks come first on the last thread. Default: false. */
  isShort?: boolean
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

/**
 * A message of a thread: it is ready, or a task has ended. `cpuMs`: the CPU time of the thread; `systemId`: see
 * `systemThreadId`.
 */
export type ThreadMessage =
  | { kind: 'ready'; cpuMs: number; systemId: number | null }
  | { kind: 'done'; cpuMs: number; value: unknown }
  | { kind: 'failed'; cpuMs: number; error: unknown }

interface QueuedTask extends Task {
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

interface Thread {
  worker: Worker
  systemId: number | null
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
 * one whose task takes long is ended, and that task runs again. Long tasks share all threads but one,
 * and while they run, a further thread is ready, because starting one takes longer than a short task.
 * Threads start with the first task, a second one as soon as it runs, and the others on demand. They have no
 * environment variables, and do not keep the process running.
 *
 * The `piscina` package cannot limit the CPU time of a task and has no turns between accounts.
 */
export function createThreadPool({
  entry,
  maxThreads = Math.max(2, availableParallelism() - 1),
  maxThreadsPerAccount = Math.max(1, maxThreads - 1),
  reservesThread = true,
  maxQueuedPerAccount = 64,
  timeoutMs,
  maxHeapMb = 384,
  idleMs = 60_000
}: ThreadPoolOptions): ThreadPool {
  const queue = createFairQueue<QueuedTask>()
  const threads = new Set<Thread>()
  const shares = createThreadShares(maxThreadsPerAccount)
  const maxThreadsForLongTasks = reservesThread ? Math.max(1, maxThreads - 1) : maxThreads
  const ending = new Set<Promise<unknown>>()
  let waiting = 0
  let closed = false
  let watchTimer: NodeJS.Timeout | undefined

  function startThread(): Thread {
    const part = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(entry, {
      workerData: { part },
      env: compileCacheEnvironment(),
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 }
    })
    const state = {
      systemId: null,
      task: null,
      cpuMs: 0,
      startedMs: 0,
      isReady: false,
      isEnding: false,
      timer: undefined
    }
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
      thread.systemId = message.systemId
      if (thread.task !== null) return post(thread, thread.task)
      startNext()
      if (thread.task === null && !closed) endWhenIdle(thread)
      return
    }
    const task = release(thread)
    if (task !== null) shares.noteTask(task.account, usedMs)
    if (message.kind === 'done') task?.resolve(message.value)
    else task?.reject(message.error)
    startNext()
    if (thread.task === null && !closed) endWhenIdle(thread)
  }

  function endWhenIdle(thread: Thread): void {
    thread.worker.unref()
    thread.timer = setTimeout(() => {
      if (isSpare(thread)) endWhenIdle(thread)
      else endThread(thread, new Error('The thread was idle'))
    }, idleMs).unref()
  }

  /** Whether the thread is the only one that waits for a task, while others run one. */
  const isSpare = (thread: Thread): boolean =>
    [...threads].every((each) => each === thread || each.task !== null) && threads.size > 1

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
  async function usedMs({ worker, systemId, cpuMs, startedMs }: Thread): Promise<number> {
    return ((await cpuMsOfThread(worker, systemId)) ?? cpuMs + performance.now() - startedMs) - cpuMs
  }

  function post(thread: Thread, { name, input }: Task): void {
    Atomics.store(thread.part, 0, 0)
    thread.startedMs = performance.now()
    thread.worker.postMessage({ name, input })
    // The next task may be another account's, and this one may be long: starting a thread takes up to 250 ms.
    if (threads.size === 1) keepSpare()
    watch(thread, Math.min(timeoutMs, LONG_TASK_MS))
    watchNeeded()
  }

  function watch(thread: Thread, ms: number): void {
    const { task } = thread
    thread.timer = setTimeout(async () => {
      const elapsedMs = performance.now() - thread.startedMs
      const cpuMs = await usedMs(thread)
      const leftMs = timeoutMs - cpuMs
      if (thread.task !== task || task === null || thread.isEnding) return
      if (cpuMs >= LONG_TASK_MS) keepSpare()
      if (leftMs <= 0 || elapsedMs > ELAPSED_FACTOR * timeoutMs) endThread(thread, limitError(thread, 'time'))
      else watch(thread, Math.max(20, cpuMs < LONG_TASK_MS ? Math.min(leftMs, LONG_TASK_MS - cpuMs) : leftMs))
    }, ms)
  }

  const isSlow = ({ account, isLong = false }: Task): boolean => isLong || shares.isSlow(account)
  const countSlow = (): number => [...threads].filter(({ task }) => task !== null && isSlow(task)).length
  const hasRoomForLongTask = (): boolean => countSlow() < maxThreadsForLongTasks

  /** Whether the next task of the account need not wait for others of its kind. */
  const isEntitled = (account: string, task: Task): boolean =>
    shares.isBelowShare(account) && (!isSlow(task) || hasRoomForLongTask())

  /**
   * The thread that others need first, if a task waits that is entitled to one: of accounts above their share, then of
   * those whose tasks were short so far, the one that began its task last. While there is room for long tasks,
   * that is the one that began its task first, because it may go on.
   */
  function findNeeded(): Thread | null {
    if (closed || !queue.hasReady(isEntitled)) return null
    const running = [...threads]
      .filter(({ task, isReady, isEnding }) => task !== null && isReady && !isEnding)
      .sort((one, other) => one.startedMs - other.startedMs)
    const last = running.findLast(({ task }) => shares.isAboveShare(task!.account))
    if (last !== undefined) return last
    const quick = running.filter(({ task }) => !isSlow(task!))
    return (hasRoomForLongTask() ? quick[0] : quick.at(-1)) ?? null
  }

  /** Ends a thread that others need if its task takes longer than a short one, unless the account may have it. */
  function watchNeeded(): void {
    if (watchTimer !== undefined) return
    const thread = findNeeded()
    if (thread === null) return
    const { task } = thread
    watchTimer = setTimeout(async () => {
      const cpuMs = await usedMs(thread)
      watchTimer = undefined
      if (cpuMs < SHORT_TASK_MS || task === null || thread.task !== task || findNeeded() !== thread) watchNeeded()
      else if (shares.isAboveShare(task.account) || !hasRoomForLongTask()) endThread(thread, null)
      else {
        shares.noteTask(task.account, cpuMs)
        watchNeeded()
      }
    }, SHORT_TASK_MS)
  }

  function enqueue(task: QueuedTask): void {
    waiting++
    queue.add(task.account, task)
  }

  /**
   * A short task, while the other threads run tasks that are not: several accounts may have one for the first time,
   * and the short ones would wait for all of them. The others keep their turns on all threads but one.
   */
  function nextShort(): QueuedTask | null {
    const others = [...threads].filter(({ task }) => task !== null && task.isShort !== true).length
    if (maxThreads === 1 || others < maxThreads - 1) return null
    return queue.next((account, task) => task.isShort === true && isEntitled(account, task))
  }

  const findIdle = (): Thread[] => [...threads].filter(({ task, isEnding }) => task === null && !isEnding)

  /** A thread is free before another one has started: it runs the task that waits for that one. */
  function takeOver(): void {
    const ready = findIdle().filter(({ isReady }) => isReady)
    const starting = [...threads].find(
      ({ task, isReady, isEnding }) => task !== null && !isReady && !isEnding && (ready.length > 1 || !isSlow(task))
    )
    const [thread] = ready
    if (thread === undefined || starting === undefined) return
    thread.task = starting.task
    starting.task = null
    starting.worker.unref()
    clearTimeout(thread.timer)
    thread.worker.ref()
    post(thread, thread.task!)
  }

  function startNext(): void {
    if (!closed) takeOver()
    for (;;) {
      const idle = findIdle()
      if (closed || (idle.length === 0 && threads.size >= maxThreads)) return watchNeeded()
      const mayBorrow = (account: string, { isLong = false }: Task) =>
        !isLong && shares.mayBorrow(account) && (idle.length > 0 || queue.count(account) >= MIN_BACKLOG)
      const task = nextShort() ?? queue.next(isEntitled) ?? queue.next(mayBorrow)
      if (task === null) {
        if (countSlow() > 0 || queue.hasReady((account) => queue.count(account) >= MIN_BACKLOG)) keepSpare()
        return
      }
      waiting--
      // The last idle thread is left to short tasks, if another one can be started.
      const isLeft = isSlow(task) && idle.length === 1 && threads.size < maxThreads
      shares.count(task.account, 1)
      const thread = isLeft ? startThread() : (idle.find(({ isReady }) => isReady) ?? idle[0] ?? startThread())
      clearTimeout(thread.timer)
      thread.worker.ref()
      thread.task = task
      if (thread.isReady) post(thread, task)
    }
  }

  /** Starts a thread for tasks of others, if none is left. */
  function keepSpare(): void {
    if (!reservesThread || closed || threads.size >= maxThreads || findIdle().length > 0) return
    startThread().worker.unref()
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
      clearTimeout(watchTimer)
      const error = new Error('The thread pool is closed')
      for (const task of queue.drain()) task.reject(error)
      waiting = 0
      for (const thread of threads) endThread(thread, error)
      await Promise.all(ending)
    }
  }
}
