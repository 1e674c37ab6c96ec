import { RequestError } from '../../../lib/address-policy/errors.ts'

const CONNECT_MS = 5_000
const TOTAL_MS = 15_000

/** The time limits of one request. */
export interface Deadline {
  startedAtMs: number
  connectBeforeMs: number
  /** Why the request was ended; null while it may go on. */
  reason: () => RequestError | null
  /**
   * Sets the one listener that is called with the reason when the request is ended, at once if it
   * has been. Replaces the listener before; null removes it.
   */
  onEnd: (listener: ((reason: RequestError) => void) | null) => void
  abort: () => void
  /** Starts the shorter time limit for connecting; it counts from the start of the request. */
  connecting: () => void
  /** Connected: from now on only the total time limit counts. */
  connected: () => void
  end: () => void
}

/**
 * Starts the time limits of a request: name resolution, TCP and TLS together within
 * `connectTimeoutMs`, everything within `timeoutMs`. The caller must call `end`.
 */
export function startDeadline({
  connectTimeoutMs = CONNECT_MS,
  timeoutMs = TOTAL_MS,
  signal
}: {
  connectTimeoutMs?: number
  timeoutMs?: number
  signal?: AbortSignal
}): Deadline {
  const startedAtMs = performance.now()
  let reason: RequestError | null = null
  let listener: ((reason: RequestError) => void) | null = null
  const finish = (code: RequestError['code'], detail: string) => {
    if (reason !== null) return
    reason = new RequestError(code, detail)
    listener?.(reason)
  }
  const abort = () => finish('reset', 'The request was aborted by this service.')
  const total = setTimeout(() => finish('timeout', 'The response did not arrive in time.'), timeoutMs)
  let connect: NodeJS.Timeout | undefined
  const unfollow = signal === undefined ? null : followSignal(signal, abort)
  return {
    startedAtMs,
    connectBeforeMs: startedAtMs + connectTimeoutMs,
    reason: () => reason,
    onEnd(next) {
      listener = next
      if (reason !== null) next?.(reason)
    },
    abort,
    connecting() {
      connect ??= setTimeout(
        () => finish('timeout', 'The connection timed out.'),
        startedAtMs + connectTimeoutMs - performance.now()
      )
    },
    connected() {
      clearTimeout(connect)
      connect = undefined
    },
    end() {
      clearTimeout(connect)
      clearTimeout(total)
      unfollow?.()
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

const followers = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls the listener once when the signal aborts, at once if it has; returns a function that removes
 * the listener. Thousands of requests share one signal, and an event listener for each would cost
 * more than anything else about their deadlines.
 */
function followSignal(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener()
    return () => {}
  }
  const listeners = followers.get(signal) ?? startFollowing(signal)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

function startFollowing(signal: AbortSignal): Set<() => void> {
  const listeners = new Set<() => void>()
  followers.set(signal, listeners)
  signal.addEventListener(
    'abort',
    () => {
      for (const listener of listeners) listener()
    },
    { once: true }
  )
  return listeners
}
