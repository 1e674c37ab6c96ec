import { AsyncLocalStorage } from 'node:async_hooks'
import { createFairQueue } from './fair-queue.ts'

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

/** What all long computations together may use of one turn of the event loop, in milliseconds. */
const SLICE_MS = 8
/**
 * Turns of the event loop between two slices while computations wait. libuv accepts one connection in each
 * turn: without these, 125 connections a second would be accepted while computations are waiting.
 */
const TURNS_BETWEEN = 16
/** Fewer if they take longer than this, in milliseconds: each step of a short request would wait for all of them. */
const MAX_BETWEEN_MS = 24

/**
 * Pauses of an owner that end at once although others wait, in so many milliseconds, and of all owners in a turn
 * of the event loop: a short request has a few pauses, and would wait for a slice of another owner at each.
 */
const FREE_PAUSES = { perOwner: 8, windowMs: 500, perTurn: 4, msPerTurn: 8 } as const

const owner = new AsyncLocalStorage<string>()
/** The computations that wait for their next slice. */
const waiting = createFairQueue<() => void>()
/**
 * When the first computation of this turn of the event loop began. Null: none did. -Infinity: none may,
 * because others wait for their next slice.
 */
let turnStartedMs: number | null = null

/** Runs work whose long computations take turns with those of other owners, such as accounts. */
export function runAsOwner<Result>(name: string, work: () => Result): Result {
  return owner.run(name, work)
}

/** The name given to `runAsOwner`; an empty text outside of it. */
export const currentOwner = (): string => owner.getStore() ?? ''

/** The free pauses of each owner in this window, and of all in this turn, and when the first of this turn was. */
const freePauses = { sinceMs: 0, byOwner: new Map<string, number>(), inTurn: 0, firstMs: 0 }

function takeFreePause(nowMs: number): boolean {
  const { inTurn, firstMs } = freePauses
  if (inTurn === FREE_PAUSES.perTurn || (inTurn > 0 && nowMs - firstMs > FREE_PAUSES.msPerTurn)) return false
  if (nowMs - freePauses.sinceMs > FREE_PAUSES.windowMs) {
    freePauses.sinceMs = nowMs
    freePauses.byOwner.clear()
  }
  const taken = freePauses.byOwner.get(currentOwner()) ?? 0
  if (taken === FREE_PAUSES.perOwner) return false
  freePauses.byOwner.set(currentOwner(), taken + 1)
  if (inTurn === 0) freePauses.firstMs = nowMs
  freePauses.inTurn += 1
  return true
}

function startTurn(nowMs: number): void {
  turnStartedMs = nowMs
  setImmediate(endTurn, TURNS_BETWEEN, Infinity)
}

/** `endMs`: when the turns for others end at the latest. Infinity: they have not begun. */
function endTurn(turnsLeft: number, endMs: number): void {
  const nowMs = performance.now()
  freePauses.inTurn = 0
  if (turnsLeft > 0 && nowMs < endMs && !waiting.isEmpty()) {
    turnStartedMs = -Infinity
    setImmediate(endTurn, turnsLeft - 1, Math.min(endMs, nowMs + MAX_BETWEEN_MS))
    return
  }
  turnStartedMs = null
  const resume = waiting.next()
  if (resume === null) return
  startTurn(performance.now())
  resume()
}

/**
 * Returns a function to call between the steps of a long computation. It lets the event loop serve
 * others when all computations together have used `SLICE_MS` of this turn. Then one of them at a time
 * continues, after some turns for others, however many run at the same time. Owners take turns, and the
 * first pauses of each owner are short.
 */
export function createYielder(): () => Promise<void> {
  return async () => {
    const nowMs = performance.now()
    if (turnStartedMs === null) startTurn(nowMs)
    if (nowMs - turnStartedMs! < SLICE_MS || takeFreePause(nowMs)) return
    await new Promise<void>((resolve) => {
      waiting.add(currentOwner(), resolve)
    })
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
