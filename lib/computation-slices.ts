import { AsyncLocalStorage } from 'node:async_hooks'
import { createFairQueue } from './fair-queue.ts'
import { processLoopUse } from './loop-use.ts'

/** What all long computations together may use of one turn of the event loop, in milliseconds. */
const SLICE_MS = 4
/**
 * Turns of the event loop between two slices while computations wait. libuv accepts one connection in each
 * turn: without these, 125 connections a second would be accepted while computations are waiting.
 */
const TURNS_BETWEEN = 16
/** Fewer if they take longer than this, in milliseconds: each step of a short request would wait for all of them. */
const MAX_BETWEEN_MS = 24
/** Computations that continue in one turn, each until it waits. */
const MAX_STEPS = 16

/**
 * An owner whose computations used less than this lately, in milliseconds, is a light one, and so is one that uses
 * little of the event loop compared with others (`lib/loop-use.ts`). Its computations continue in every turn, also
 * between slices, for `LIGHT_SLICE_MS` of all light owners together. Otherwise the many short requests of one owner
 * would share the slices with the long computations of another, one pause in each.
 */
const LIGHT_MS = 50
const LIGHT_SLICE_MS = 4
/** After so many milliseconds, half of what an owner used is forgotten. */
const HALF_LIFE_MS = 500

/**
 * Pauses of an owner that end at once although others wait, in so many milliseconds, and of all owners in a turn
 * of the event loop: a short request has a few pauses, and would wait for the next turn at each.
 */
const FREE_PAUSES = { perOwner: 8, windowMs: 500, perTurn: 4, msPerTurn: 8 } as const

const owner = new AsyncLocalStorage<string>()
/** The computations that wait for their next slice. */
const waiting = createFairQueue<() => void>()
let waitingCount = 0
/** Until when computations continue without waiting. Null: none began in this turn. -Infinity: all wait. */
let untilMs: number | null = null

/** Runs work whose long computations take turns with those of other owners, such as accounts. */
export function runAsOwner<Result>(name: string, work: () => Result): Result {
  return owner.run(name, work)
}

/** The name given to `runAsOwner`; an empty text outside of it. */
export const currentOwner = (): string => owner.getStore() ?? ''

/** What computations that had waited used lately, by owner, in milliseconds. */
const used = { sinceMs: 0, byOwner: new Map<string, number>() }

function addUse(name: string, ms: number, nowMs: number): void {
  if (nowMs - used.sinceMs > HALF_LIFE_MS) {
    const factor = 0.5 ** ((nowMs - used.sinceMs) / HALF_LIFE_MS)
    used.sinceMs = nowMs
    for (const [other, otherMs] of used.byOwner) {
      if (otherMs * factor < 1) used.byOwner.delete(other)
      else used.byOwner.set(other, otherMs * factor)
    }
  }
  used.byOwner.set(name, usedMs(name) + ms)
}

const usedMs = (name: string): number => used.byOwner.get(name) ?? 0

/** What computations of an owner that had waited used lately, in milliseconds. Half is forgotten in half a second. */
export const computedMs = (name: string): number =>
  usedMs(name) * 0.5 ** Math.floor((performance.now() - used.sinceMs) / HALF_LIFE_MS)
const isLight = (name: string): boolean => usedMs(name) < LIGHT_MS || processLoopUse.isLighter(name)

/** The owner that used least of those that wait. Owners that used the same take turns. */
function nextOwner(isReady: (name: string) => boolean): string | null {
  let least: string | null = null
  for (const name of waiting.accounts()) {
    if (isReady(name) && (least === null || usedMs(name) < usedMs(least))) least = name
  }
  return least
}

/** What continues in this turn. `startedMs`: when the first computation did; null if none has. */
const turn = { sliceMs: SLICE_MS, onlyLight: false, startedMs: null as number | null }
/** The computation that continued last. */
let resumed: { name: string; atMs: number; measuredMs: number } | null = null

function measureResumed(nowMs: number): void {
  if (resumed === null) return
  const { name, atMs, measuredMs } = resumed
  addUse(name, nowMs - atMs, nowMs)
  // Without the statements in it, which are measured, too.
  processLoopUse.add(name, Math.max(0, nowMs - atMs - (processLoopUse.measuredMs() - measuredMs)))
  resumed = null
}

/** Continues a computation. Each has a callback of its own, after which Node runs its microtasks. */
function resumeNext(): void {
  const nowMs = performance.now()
  measureResumed(nowMs)
  turn.startedMs ??= nowMs
  if (nowMs - turn.startedMs >= turn.sliceMs) return
  const name = nextOwner(turn.onlyLight ? isLight : () => true)
  if (name === null) return
  resumed = { name, atMs: nowMs, measuredMs: processLoopUse.measuredMs() }
  untilMs = turn.startedMs + turn.sliceMs
  waitingCount -= 1
  waiting.next((other) => other === name)!()
}

/** What is left of a slice belongs to computations that begin in this turn, but not between slices. */
function endSteps(): void {
  measureResumed(performance.now())
  if (turn.onlyLight) untilMs = -Infinity
}

/**
 * Begins a turn of the event loop in which up to `steps` computations continue. `endMs`: when the turns between two
 * slices end at the latest. Infinity: they have not begun.
 */
function beginTurn(steps: number, turnsLeft: number, endMs: number): void {
  const nowMs = performance.now()
  freePauses.inTurn = 0
  turn.onlyLight = false
  if (waitingCount === 0) {
    untilMs = null
    return
  }
  untilMs = -Infinity
  turn.startedMs = null
  turn.onlyLight = steps === 0 || (turnsLeft > 0 && nowMs < endMs)
  turn.sliceMs = turn.onlyLight ? LIGHT_SLICE_MS : SLICE_MS
  if (turn.onlyLight) scheduleTurn(Math.max(0, turnsLeft - 1), Math.min(endMs, nowMs + MAX_BETWEEN_MS))
  else scheduleTurn(TURNS_BETWEEN, Infinity)
}

function scheduleTurn(turnsLeft: number, endMs: number): void {
  const steps = Math.min(waitingCount, MAX_STEPS)
  setImmediate(beginTurn, steps, turnsLeft, endMs)
  if (steps === 0) return
  for (let step = 0; step < steps; step++) setImmediate(resumeNext)
  setImmediate(endSteps)
}

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

/**
 * Returns a function to call between the steps of a long computation. It lets the event loop serve
 * others when all computations together have used `SLICE_MS` of this turn. Then they continue in later turns, of
 * which each slice is as long, however many run at the same time: first those of the owner that used least.
 */
export function createYielder(): () => Promise<void> {
  return async () => {
    const nowMs = performance.now()
    if (untilMs === null) {
      untilMs = nowMs + SLICE_MS
      setImmediate(beginTurn, 0, TURNS_BETWEEN, Infinity)
    }
    if (nowMs < untilMs || takeFreePause(nowMs)) return
    await new Promise<void>((resolve) => {
      waitingCount += 1
      waiting.add(currentOwner(), resolve)
    })
  }
}
