import { performance } from 'node:perf_hooks'

/** After so many milliseconds, half of what an owner used is forgotten. */
const HALF_LIFE_MS = 500
/** An owner is light while it used less than this lately, in milliseconds: a tenth of the event loop. */
const LIGHT_MS = 50
/** So is one that used less than this share of what the owner that used most did. */
const LIGHT_SHARE = 0.75
/** The largest use is computed again after so many milliseconds. */
const LARGEST_MS = 20

/** How much of the event loop's time each owner, such as an account, used lately. */
export interface LoopUse {
  /** Work of an owner begins. Returns the function that ends it; further calls do nothing. */
  begin: (owner: string) => () => void
  /**
   * Runs synchronous work, and counts its time as used by the owner, or by none if the name is empty. Within other
   * measured work, it is part of that.
   */
  measure: <Result>(owner: string, work: () => Result) => Result
  /** The measured time of all owners so far, in milliseconds. */
  measuredMs: () => number
  /** Counts time as used by the owner that was measured otherwise, in milliseconds. */
  add: (owner: string, ms: number) => void
  /** Whether the owner used little, or clearly less than the one that used most. */
  isLight: (owner: string) => boolean
  /** Whether the owner had work lately, and used clearly less than the one that used most. */
  isLighter: (owner: string) => boolean
}

/** The clock and the time that the event loop was not idle, both in milliseconds. */
interface Clocks {
  nowMs: () => number
  activeMs: () => number
}

interface Use {
  /** Works in progress. */
  works: number
  ms: number
  /** The active time of each work in progress when `ms` was computed. */
  perWorkMs: number
}

/**
 * Tells how much each owner uses the event loop. Long work is measured: statements of the embedded store and
 * computations. The rest of the time in which the event loop is not idle is divided equally between all works in
 * progress. That is an estimate: a measurement would have to follow every callback. What was used is forgotten in a few
 * seconds.
 */
export function createLoopUse(
  { nowMs, activeMs }: Clocks = {
    nowMs: () => performance.now(),
    activeMs: () => performance.eventLoopUtilization().active
  }
): LoopUse {
  const owners = new Map<string, Use>()
  /** All works in progress, and what each of them would have used if it had been there from the beginning. */
  let works = 0
  let perWorkMs = 0
  let atActiveMs = activeMs()
  /** The measured time, all of it and what is not yet subtracted from the active time. */
  const measured = { ms: 0, newMs: 0, isInProgress: false }
  let forgottenMs = nowMs()
  let largest = { ms: 0, atMs: -Infinity }

  function advance(): void {
    const active = activeMs()
    const passedMs = active - atActiveMs
    if (works > 0) perWorkMs += Math.max(0, passedMs - measured.newMs) / works
    measured.newMs = Math.max(0, measured.newMs - passedMs)
    atActiveMs = active
    const sinceMs = nowMs() - forgottenMs
    if (sinceMs < HALF_LIFE_MS) return
    forgottenMs += sinceMs
    const factor = 0.5 ** (sinceMs / HALF_LIFE_MS)
    for (const [name, use] of owners) {
      settle(use)
      use.ms *= factor
      if (use.works === 0 && use.ms < 1) owners.delete(name)
    }
    largest = { ms: 0, atMs: -Infinity }
  }

  function settle(use: Use): Use {
    use.ms += use.works * (perWorkMs - use.perWorkMs)
    use.perWorkMs = perWorkMs
    return use
  }

  function largestMs(): number {
    const now = nowMs()
    if (now - largest.atMs >= LARGEST_MS) {
      largest = { ms: 0, atMs: now }
      for (const use of owners.values()) largest.ms = Math.max(largest.ms, settle(use).ms)
    }
    return largest.ms
  }

  function usedMs(owner: string): number {
    advance()
    const use = owners.get(owner)
    return use === undefined ? 0 : settle(use).ms
  }

  function isLighter(owner: string): boolean {
    const ms = usedMs(owner)
    return owners.has(owner) && ms < LIGHT_SHARE * largestMs()
  }

  function useOf(owner: string): Use {
    const use = settle(owners.get(owner) ?? { works: 0, ms: 0, perWorkMs })
    owners.set(owner, use)
    return use
  }

  function add(owner: string, ms: number): void {
    measured.ms += ms
    measured.newMs += ms
    // So that new time is not forgotten with what was before.
    if (nowMs() - forgottenMs >= HALF_LIFE_MS) advance()
    if (owner !== '') useOf(owner).ms += ms
  }

  return {
    add,
    measuredMs: () => measured.ms,
    measure(owner, work) {
      if (measured.isInProgress) return work()
      measured.isInProgress = true
      const startedMs = nowMs()
      try {
        return work()
      } finally {
        measured.isInProgress = false
        add(owner, nowMs() - startedMs)
      }
    },
    begin(owner) {
      advance()
      const use = useOf(owner)
      use.works += 1
      works += 1
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        advance()
        settle(use).works -= 1
        works -= 1
      }
    },
    isLight: (owner) => usedMs(owner) < LIGHT_MS || isLighter(owner),
    isLighter
  }
}

/** The use of the event loop of this process. */
export const processLoopUse = createLoopUse()
