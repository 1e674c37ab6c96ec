import { createYielder } from './computation-slices.ts'

export { createYielder, currentOwner, runAsOwner } from './computation-slices.ts'

/**
 * Settles as `promise` does, or rejects with an Error after `ms` milliseconds. The work behind the
 * promise goes on; its late result is ignored.
 */
export function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => {
      // If this process was busy for that long, an answer may have arrived meanwhile: it is read
      // first.
      setImmediate(() => reject(new Error(`No answer within ${ms} ms`)))
    }, ms)
    promise.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      }
    )
  })
}

/** The longest delay of `setTimeout`; longer ones become 1 ms (Node.js documentation of timers). */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Calls `run` once, not before `ms` milliseconds have passed, for any delay; returns a function that
 * cancels the timer. A delay above `maxMs` is split; a timer that fires early, as timers do by a
 * fraction of a millisecond, is extended.
 */
export function startLongTimer(ms: number, run: () => void, maxMs = MAX_TIMER_MS): () => void {
  const dueAt = performance.now() + ms
  const fire = (): void => {
    const leftMs = dueAt - performance.now()
    if (leftMs <= 0) run()
    else timer = setTimeout(fire, Math.min(Math.ceil(leftMs), maxMs))
  }
  let timer = setTimeout(fire, Math.min(ms, maxMs))
  return () => clearTimeout(timer)
}

interface Pending {
  dueMs: number
  giveUp: (error: Error) => void
}

/**
 * Returns a `withTimeout` of a fixed time that shares one timer between all promises. For hot
 * paths: a timer for each request costs as much as a tenth of a round trip to Redis.
 */
export function createSharedTimeout(ms: number): <T>(promise: Promise<T>) => Promise<T> {
  /** The oldest first. */
  const pending = new Set<Pending>()
  let timer: NodeJS.Timeout | null = null

  function expire(): void {
    timer = null
    const nowMs = performance.now()
    for (const entry of pending) {
      if (entry.dueMs > nowMs) {
        timer = setTimeout(expire, entry.dueMs - nowMs).unref()
        return
      }
      // As in withTimeout: answers that have arrived are read first.
      setImmediate(() => {
        if (pending.delete(entry)) entry.giveUp(new Error(`No answer within ${ms} ms`))
      })
    }
  }

  return (promise) =>
    new Promise((resolve, reject) => {
      const entry: Pending = { dueMs: performance.now() + ms, giveUp: reject }
      pending.add(entry)
      timer ??= setTimeout(expire, ms).unref()
      promise.then(
        (value) => {
          pending.delete(entry)
          resolve(value)
        },
        (error: unknown) => {
          pending.delete(entry)
          reject(error)
        }
      )
    })
}

/** Wakes one waiter. A notification that arrives while nobody waits wakes the next waiter at once. */
export class Signal {
  #isNotified = false
  #failure: { error: unknown } | undefined
  #wake = (): void => {}

  notify(): void {
    this.#isNotified = true
    this.#wake()
  }

  /** Makes the current `wait`, or the next one, reject with this error. The first error is kept. */
  fail(error: unknown): void {
    this.#failure ??= { error }
    this.notify()
  }

  /** Resolves at the next notification, or after `ms` milliseconds. Only one caller may wait. */
  async wait(ms: number): Promise<void> {
    if (!this.#isNotified) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#isNotified = false
    if (this.#failure !== undefined) throw this.#failure.error
  }
}

/** Signals by key. Every subscriber of a key has a signal of its own. */
export class KeyedSignals {
  readonly #subscribers = new Map<string, Set<Signal>>()

  notify(key: string): void {
    for (const signal of this.#subscribers.get(key) ?? []) signal.notify()
  }

  /** Subscribes at once. Call `close` when done. */
  subscribe(key: string): { wait: (ms: number) => Promise<void>; close: () => void } {
    const signal = new Signal()
    const signals = this.#subscribers.get(key) ?? new Set<Signal>()
    this.#subscribers.set(key, signals.add(signal))
    return {
      wait: (ms) => signal.wait(ms),
      close: () => {
        signals.delete(signal)
        if (signals.size === 0 && this.#subscribers.get(key) === signals) this.#subscribers.delete(key)
      }
    }
  }
}

/** An identical message is logged again after this time, not before. */
const THROTTLE_MS = 30_000
/** When so many kinds of messages are remembered, all are forgotten. */
const MAX_KINDS = 100

/**
 * Returns a logger that passes on each kind of error at most once in 30 seconds, so that an outage
 * does not flood the log. `kindOf` gives the kind of a message; default: the message itself.
 */
export function createThrottledLog(
  log: (error: Error) => void,
  kindOf: (message: string) => string = (message) => message
): (error: unknown) => void {
  const loggedAt = new Map<string, number>()
  return (thrown) => {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    const kind = kindOf(error.message)
    const now = performance.now()
    if (now - (loggedAt.get(kind) ?? -Infinity) < THROTTLE_MS) return
    if (loggedAt.size >= MAX_KINDS) loggedAt.clear()
    loggedAt.set(kind, now)
    log(error)
  }
}

/**
 * Like `Promise.all(values.map(run))`, but at most `limit` (≥ 1) are in progress. After an error no
 * other one begins.
 */
export async function mapConcurrently<Value, Result>(
  values: readonly Value[],
  limit: number,
  run: (value: Value) => Promise<Result>
): Promise<Result[]> {
  const results = new Array<Result>(values.length)
  const entries = values.entries()
  let hasFailed = false
  async function work(): Promise<void> {
    for (const [at, value] of entries) {
      if (hasFailed) return
      results[at] = await run(value).catch((error: unknown) => {
        hasFailed = true
        throw error
      })
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, values.length) }, work))
  return results
}

/** Does all work of a generator. `pause` is called after each of its steps, and after the last one. */
export async function takeSteps(steps: Iterator<unknown>, pause: () => Promise<void>): Promise<void> {
  for (let isDone = false; !isDone; ) {
    isDone = steps.next().done === true
    await pause()
  }
}

/** Like `values.map(run)`, with pauses that let the event loop serve others. */
export async function mapInSlices<Value, Result>(
  values: readonly Value[],
  run: (value: Value) => Result
): Promise<Result[]> {
  const pause = createYielder()
  const results: Result[] = []
  for (const value of values) {
    results.push(run(value))
    await pause()
  }
  return results
}

/** Values that are sorted between two pauses. */
const SORTED_AT_ONCE = 500

/** Like `values.toSorted(compare)`, with pauses that let the event loop serve others. Stable. */
export async function sortInSlices<Value>(
  values: readonly Value[],
  compare: (a: Value, b: Value) => number
): Promise<Value[]> {
  const pause = createYielder()
  let runs: Value[][] = []
  for (let start = 0; start < values.length; start += SORTED_AT_ONCE) {
    runs.push(values.slice(start, start + SORTED_AT_ONCE).sort(compare))
    await pause()
  }
  while (runs.length > 1) {
    const merged: Value[][] = []
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(await merge(runs[index]!, runs[index + 1] ?? [], { compare, pause }))
    }
    runs = merged
  }
  return runs[0] ?? []
}

/** Merges two sorted lists. Of equal values, those of the first list come first. */
async function merge<Value>(
  first: Value[],
  second: Value[],
  { compare, pause }: { compare: (a: Value, b: Value) => number; pause: () => Promise<void> }
): Promise<Value[]> {
  const merged: Value[] = []
  let [a, b] = [0, 0]
  while (a < first.length || b < second.length) {
    const isFirst = b === second.length || (a < first.length && compare(first[a]!, second[b]!) <= 0)
    merged.push(isFirst ? first[a++]! : second[b++]!)
    if (merged.length % SORTED_AT_ONCE === 0) await pause()
  }
  return merged
}
