import { createGrowingLru } from './growing-lru.ts'

/** An owner is light while it used less than this lately, in milliseconds, */
const LIGHT_MS = 500
/** and while it used less than this share of what the owner that used most did. */
const LIGHT_SHARE = 0.5
/** Of owners that did nothing for the longest time, the use is forgotten when there are more. */
const MAX_OWNERS = 10_000

/** How much each owner, such as an account, used lately: usually milliseconds of work. */
export interface RecentUse {
  add: (owner: string, amount: number) => void
  /** What an owner used lately. */
  of: (owner: string) => number
  /** Of milliseconds: whether an owner used little, or clearly less than the one that used most. */
  isLight: (owner: string) => boolean
}

interface Use {
  amount: number
  atMs: number
}

/** Creates an empty record. Half of what an owner used is forgotten after each `halfLifeMs`. */
export function createRecentUse(halfLifeMs: number, nowMs: () => number = () => performance.now()): RecentUse {
  const owners = createGrowingLru<string, Use>(MAX_OWNERS)
  let most: Use = { amount: 0, atMs: 0 }

  const left = ({ amount, atMs }: Use): number => amount * 0.5 ** ((nowMs() - atMs) / halfLifeMs)
  const used = (owner: string): number => left(owners.get(owner) ?? { amount: 0, atMs: 0 })

  return {
    add(owner, amount) {
      const use = { amount: used(owner) + amount, atMs: nowMs() }
      owners.set(owner, use)
      if (use.amount > left(most)) most = use
    },
    of: used,
    isLight(owner) {
      const ms = used(owner)
      return ms < LIGHT_MS || ms < LIGHT_SHARE * left(most)
    }
  }
}
