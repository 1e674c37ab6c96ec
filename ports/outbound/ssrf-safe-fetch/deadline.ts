import { RequestError } from '../../../lib/address-policy/errors.ts'

const CONNECT_MS = 5_000
const TOTAL_MS = 15_000

/** The time limits of one request: see `openDeadlines`. */
export class Deadline {
  readonly startedAtMs = performance.now()
  readonly connectBeforeMs: number
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  #reason: RequestError | null = null
  #listener: ((reason: RequestError) => void) | null = null
  #connectTimer: NodeJS.Timeout | undefined

  constructor({ connectTimeoutMs = CONNECT_MS, timeoutMs = TOTAL_MS, signal }: DeadlineOptions) {
    this.connectBeforeMs = this.startedAtMs + connectTimeoutMs
    this.timeoutMs = timeoutMs
    this.signal = signal
  }

  /** Why the request was ended; null while it may go on. */
  get reason(): RequestError | null {
    return this.#reason
  }

  /**
   * Sets the one listener that is called with the reason when the request is ended, at once if it
   * has been. Replaces the listener before; null removes it.
   */
  onEnd(listener: ((reason: RequestError) => void) | null): void {
    this.#listener = listener
    if (this.#reason !== null) listener?.(this.#reason)
  }

  abort(): void {
    this.#finish('reset', 'The request was aborted by this service.')
  }

  expire(): void {
    this.#finish('timeout', 'The response did not arrive in time.')
  }

  /** Starts the shorter time limit for connecting; it counts from the start of the request. */
  connecting(): void {
    this.#connectTimer ??= setTimeout(
      () => this.#finish('timeout', 'The connection timed out.'),
      this.connectBeforeMs - performance.now()
    )
  }

  /** Connected, or failed: from now on only the total time limit counts. */
  connected(): void {
    if (this.#connectTimer === undefined) return
    clearTimeout(this.#connectTimer)
    this.#connectTimer = undefined
  }

  #finish(code: RequestError['code'], detail: string): void {
    if (this.#reason !== null) return
    this.#reason = new RequestError(code, detail)
    this.#listener?.(this.#reason)
  }
}

interface DeadlineOptions {
  connectTimeoutMs?: number
  timeoutMs?: number
  signal?: AbortSignal
}

/** Deadlines with the same total time limit, the first to expire first, and their timer. */
interface DeadlineGroup {
  running: Set<Deadline>
  timer: NodeJS.Timeout
}

export interface Deadlines {
  /**
   * Starts the time limits of a request: name resolution, TCP and TLS together within `connectTimeoutMs`, everything
   * within `timeoutMs`. It is aborted with its signal. The caller must call `end`.
   */
  start: (options: DeadlineOptions) => Deadline
  end: (deadline: Deadline) => void
  /** Aborts all requests, and every one that begins later. */
  close: () => void
}

/**
 * Deadlines of many requests, with one timer for all that have the same time limit, and one listener for all that
 * have the same signal: for each request, these would take as long as anything else about it.
 */
export function openDeadlines(): Deadlines {
  const groups = new Map<number, DeadlineGroup>()
  const followed = new WeakSet<AbortSignal>()
  let isClosed = false

  function openGroup(timeoutMs: number): DeadlineGroup {
    const group: DeadlineGroup = { running: new Set(), timer: setTimeout(() => expire(group), timeoutMs) }
    groups.set(timeoutMs, group)
    return group
  }

  function expire(group: DeadlineGroup): void {
    for (const deadline of group.running) {
      const leftMs = deadline.startedAtMs + deadline.timeoutMs - performance.now()
      if (leftMs > 0) {
        group.timer = setTimeout(() => expire(group), Math.ceil(leftMs))
        return
      }
      remove(group, deadline)
      deadline.expire()
    }
  }

  function remove({ running, timer }: DeadlineGroup, deadline: Deadline): void {
    if (!running.delete(deadline) || running.size > 0) return
    clearTimeout(timer)
    groups.delete(deadline.timeoutMs)
  }

  function abortAll(signal?: AbortSignal): void {
    for (const { running } of groups.values()) {
      for (const deadline of running) if (signal === undefined || deadline.signal === signal) deadline.abort()
    }
  }

  function follow(signal: AbortSignal): void {
    followed.add(signal)
    signal.addEventListener('abort', () => abortAll(signal), { once: true })
  }

  return {
    start(options) {
      const deadline = new Deadline(options)
      const { signal, timeoutMs } = deadline
      const group = groups.get(timeoutMs) ?? openGroup(timeoutMs)
      group.running.add(deadline)
      if (isClosed || signal?.aborted === true) deadline.abort()
      else if (signal !== undefined && !followed.has(signal)) follow(signal)
      return deadline
    },
    end(deadline) {
      deadline.connected()
      const group = groups.get(deadline.timeoutMs)
      if (group !== undefined) remove(group, deadline)
    },
    close() {
      isClosed = true
      abortAll()
    }
  }
}

/**
 * Runs the task. When the deadline ends first, rejects with its reason and aborts the signal; the
 * late result of the task is ignored.
 */
export function withDeadline<Value>(deadline: Deadline, task: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController()
    deadline.onEnd((reason) => {
      controller.abort(reason)
      reject(reason)
    })
    // Removes the listener first: the code that continues after this may set the next one.
    const done = (settle: () => void): void => {
      if (controller.signal.aborted) return
      deadline.onEnd(null)
      settle()
    }
    task(controller.signal).then(
      (value) => done(() => resolve(value)),
      (error: unknown) => done(() => reject(error))
    )
  })
}
