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
 * Estimates how much each owner uses the event loop: the time that it is not idle is divided equally between all works
 * in progress. That is an estimate: a measurement would have to follow every callback. An owner with many or long works
 * gets a larger share than one with a few short ones. What was used is forgotten in a few seconds.
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
  let forgottenMs = nowMs()
  let largest = { ms: 0, atMs: -Infinity }

  function advance(): void {
    const active = activeMs()
    if (works > 0) perWorkMs += (active - atActiveMs) / works
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

  return {
    begin(owner) {
      advance()
      const use = settle(owners.get(owner) ?? { works: 0, ms: 0, perWorkMs })
      owners.set(owner, use)
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
