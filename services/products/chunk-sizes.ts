import { processLoad } from '../account-load.ts'
import { createPacer } from '../pacing.ts'

/**
 * At once: rows that are written, unless all are written or none; characters of products that are
 * saved, at least one product; products that are read. A local store works on the event loop.
 */
const LOCAL = { rows: 200, length: 300_000, found: 100 }
const REMOTE = { rows: 1_000, length: 3_000_000, found: 1_000 }
/** Rows are written at once as long as their products had at most so many characters, on average of the last ones. */
const CHUNK_LENGTH = 4_000_000
/** The fewest rows that are written at once on a server, while other accounts have precedence. */
const MIN_REMOTE_ROWS = 50
/** The same for a local store, and its first rows, whose products are unknown. */
const LOCAL_ROWS = { min: 5, first: 50 }
/** More rows of a request occupy a store on a server for as long as those of a job. */
const BULK_ROWS = MIN_REMOTE_ROWS

export const atOnceIn = ({ isRemote }: { isRemote: boolean }): typeof LOCAL => (isRemote ? REMOTE : LOCAL)

/**
 * Runs the operations of a request with many rows on a server like those of a job: they take turns at the
 * store, and give way to accounts that used less time. A command with 1,000 rows takes a server as long as
 * hundreds of others. A local store serves nobody else meanwhile, and has smaller commands.
 */
export const runInTurns = async <Result>(
  { isRemote, accountId, rows }: { isRemote: boolean; accountId: string; rows: number },
  work: () => Promise<Result>
): Promise<Result> =>
  isRemote && rows > BULK_ROWS && processLoad.currentAccount() === undefined
    ? await processLoad.run(accountId, work)
    : await work()

export interface ChunkSizes {
  /** How many rows are written next. */
  size: () => number
  /** To be called after each chunk, with its rows and the characters of their products. Lets others work. */
  rest: (rows: number, length: number) => Promise<void>
}

/** The sizes of the chunks in which the rows of a request are written: fewer while others need the store. */
export function createChunkSizes({ isRemote, accountId }: { isRemote: boolean; accountId: string }): ChunkSizes {
  const { rows: max } = atOnceIn({ isRemote })
  const sizes = isRemote ? { min: MIN_REMOTE_ROWS, first: max } : LOCAL_ROWS
  const pacer = createPacer({ accountId, isRemote, isRequest: true, max, ...sizes })
  let byLength = max
  return {
    size: () => Math.min(byLength, pacer.size()),
    async rest(rows, length) {
      byLength = Math.max(1, Math.floor((CHUNK_LENGTH * rows) / Math.max(1, length)))
      await pacer.rest()
    }
  }
}
