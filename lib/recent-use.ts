import { LRUCache } from 'lru-cache'

/** An owner is light while it used less than this lately, in milliseconds, */
const LIGHT_MS = 500
/** and while it used less than this share of what the owner that used most did. */
const LIGHT_SHARE = 0.5
/** Of owners that did nothing for the longest time, the use is forgotten when there are more. */
const MAX_OWNERS = 10_000

/** How long the work of each owner, such as an account, took lately. */
export interface RecentUse {
  /** Adds work of an owner, in milliseconds. */
  add: (owner: string, ms: number) => void
  /** What an owner used lately, in milliseconds. */
  ms: (owner: string) => number
  /** Whether an owner used little, or clearly less than the one that used most. */
  isLight: (owner: string) => boolean
}

interface Use {
  ms: number
  atMs: number
}

/** Creates an empty record. Half of what an owner used is forgotten after each `halfLifeMs`. */
export function createRecentUse(halfLifeMs: number, nowMs: () => number = () => performance.now()): RecentUse {
  const owners = new LRUCache<string, Use>({ max: MAX_OWNERS })
  let most: Use = { ms: 0, atMs: 0 }

  const left = ({ ms, atMs }: Use): number => ms * 0.5 ** ((nowMs() - atMs) / halfLifeMs)
  const usedMs = (owner: string): number => left(owners.get(owner) ?? { ms: 0, atMs: 0 })

  return {
    add(owner, ms) {
      const use = { ms: usedMs(owner) + ms, atMs: nowMs() }
      owners.set(owner, use)
      if (use.ms > left(most)) most = use
    },
    ms: usedMs,
    isLight(owner) {
      const ms = usedMs(owner)
      return ms < LIGHT_MS || ms < LIGHT_SHARE * left(most)
    }
  }
}
