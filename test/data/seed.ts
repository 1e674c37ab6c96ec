import { createSeededRandom } from '../fixtures/seeded-random.ts'

/** Seed of all generated test data: fixed, unless the environment variable SEED is set. */
export const SEED = Number(process.env.SEED ?? 20_261_122)

/** For assertion messages: how to repeat a failure. */
export const seedNote = `repeat with SEED=${SEED}`

/** Random choices that follow from a seed alone. */
export interface Choices {
  /** A number from 0 to below 1. */
  next: () => number
  /** An integer from 0 to `count` - 1. */
  index: (count: number) => number
  chance: (probability: number) => boolean
  pick: <T>(items: readonly T[]) => T
  /** `count` different items, or all of them in random order. */
  sample: <T>(items: readonly T[], count: number) => T[]
}

/** `stream` separates generators that share a seed: each name gives its own sequence. */
export function createChoices(stream: string, seed: number = SEED): Choices {
  let mixed = seed >>> 0
  for (const character of stream) mixed = (Math.imul(mixed, 31) + character.codePointAt(0)!) >>> 0
  const next = createSeededRandom(mixed)
  const index = (count: number) => Math.floor(next() * count)
  return {
    next,
    index,
    chance: (probability) => next() < probability,
    pick: (items) => items[index(items.length)]!,
    sample: (items, count) =>
      items
        .map((item) => ({ item, order: next() }))
        .sort((a, b) => a.order - b.order)
        .slice(0, count)
        .map(({ item }) => item)
  }
}
