import type { Database } from './database.ts'

/** The documents of the first command, and the fewest and the most of any. */
const FIRST = 100
const MIN = 50
const MAX = 1_000
/** A command that takes less lets the next ones have twice as many documents, in milliseconds, */
const SHORT_MS = 15
/** and one that takes more, half as many. */
const LONG_MS = 40

export interface CommandSizes {
  /** The documents of the next command. */
  size: () => number
  /** Runs a command with at most `count` documents, and adapts the size of the next ones to the time that it takes. */
  measure: <Result>(count: number, command: () => Promise<Result>) => Promise<Result>
  /**
   * Calls `send` with parts of the items, one after another. Rethrows what it throws; then the parts after it are
   * not sent.
   */
  inParts: <Item>(items: readonly Item[], send: (part: Item[]) => Promise<void>) => Promise<void>
}

/**
 * Splits writes of many documents into commands of about 15 to 40 ms. A server that executes the writes to a
 * collection one after another lets all others wait for as long as a command takes. The time tells how busy the
 * server is with the work of all processes, which no process knows. The sizes are remembered for all accounts.
 */
export function createCommandSizes(nowMs: () => number = () => performance.now()): CommandSizes {
  let size = FIRST
  const sizes: CommandSizes = {
    size: () => size,
    async measure(count, command) {
      const startedMs = nowMs()
      const result = await command()
      const tookMs = nowMs() - startedMs
      if (tookMs > LONG_MS) size = Math.max(MIN, Math.min(size, Math.ceil(count / 2)))
      // A command with few documents tells nothing about one with many.
      else if (tookMs < SHORT_MS && count === size) size = Math.min(MAX, 2 * size)
      return result
    },
    async inParts(items, send) {
      for (let start = 0; start < items.length; ) {
        const part = items.slice(start, start + size)
        start += part.length
        await sizes.measure(part.length, () => send(part))
      }
    }
  }
  return sizes
}

const known = new WeakMap<Database, Map<string, CommandSizes>>()

/** The sizes of the commands with this name, such as a collection, which all of its writers share. */
export function commandSizesOf(database: Database, name: string): CommandSizes {
  const ofDatabase = known.get(database) ?? new Map<string, CommandSizes>()
  known.set(database, ofDatabase)
  const sizes = ofDatabase.get(name) ?? createCommandSizes()
  ofDatabase.set(name, sizes)
  return sizes
}
