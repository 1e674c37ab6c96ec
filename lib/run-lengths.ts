import { createGrowingLru } from './growing-lru.ts'

/** An owner has short runs while its longest one lately took less than this share of the longest one of all. */
const SHORT_SHARE = 0.5
/** Of the longest run of an owner, so much remains after each further one, and of all, half after this time. */
const REMAINDER = 0.8
const HALF_LIFE_MS = 60_000
/** Of owners that had no run for the longest time, the lengths are forgotten when there are more. */
const MAX_OWNERS = 10_000

/** How long the runs of each owner, such as an account, take. */
export interface RunLengths {
  /** Adds a run of an owner that has ended, in milliseconds. */
  add: (owner: string, ms: number) => void
  /** Whether the runs of an owner are clearly shorter than those of others. False for an owner without runs. */
  areShort: (owner: string) => boolean
}

/** Creates an empty record. */
export function createRunLengths(nowMs: () => number = () => performance.now()): RunLengths {
  const longest = createGrowingLru<string, number>(MAX_OWNERS)
  let [ofAllMs, atMs] = [0, 0]
  const leftOfAll = (): number => ofAllMs * 0.5 ** ((nowMs() - atMs) / HALF_LIFE_MS)

  return {
    add(owner, ms) {
      longest.set(owner, Math.max(ms, REMAINDER * (longest.get(owner) ?? 0)))
      if (ms > leftOfAll()) [ofAllMs, atMs] = [ms, nowMs()]
    },
    areShort(owner) {
      const ms = longest.get(owner)
      return ms !== undefined && ms < SHORT_SHARE * leftOfAll()
    }
  }
}
