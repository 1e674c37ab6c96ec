import { createHash } from 'node:crypto'

/** Throws numbers that depend on a text alone. */
export interface Dice {
  /** An integer from 0 to `count` − 1. */
  pick: (count: number) => number
  /** A number from `low` to below `high`. */
  between: (low: number, high: number) => number
}

/**
 * Dice whose throws follow from the SHA-256 of the seed: the same text, the same picture, on every
 * machine.
 */
export function createDice(seed: string): Dice {
  let block = 0
  let bytes = Buffer.alloc(0)
  const next = (): number => {
    if (bytes.length < 4) bytes = createHash('sha256').update(`${block++}\n${seed}`).digest()
    const value = bytes.readUInt32BE(0)
    bytes = bytes.subarray(4)
    return value / 2 ** 32
  }
  return {
    pick: (count) => Math.floor(next() * count),
    between: (low, high) => low + next() * (high - low)
  }
}
