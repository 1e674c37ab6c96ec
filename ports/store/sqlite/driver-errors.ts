import { problem } from '../../../errors.ts'

/**
 * What node:sqlite adds to an error: the extended result code of SQLite
 * (https://sqlite.org/rescode.html).
 */
interface DriverError extends Error {
  code?: string
  errcode?: number
}

/** Result codes that say the file cannot be used now, whatever is asked of it. */
const UNAVAILABLE: Record<number, string> = {
  5: 'The store is locked by another process.',
  6: 'The store is locked.',
  7: 'The store is out of memory.',
  8: 'The store can only be read.',
  10: 'The store could not read or write its file.',
  11: 'The store is damaged.',
  13: 'The disk of the store is full.',
  14: 'The store could not open its file.',
  26: 'The store is damaged.'
}
const CONSTRAINT_UNIQUE = 2067

/** The primary result code, 1–255; null for what is no error of SQLite. */
export function resultCode(error: unknown): number | null {
  const code = (error as DriverError | null)?.errcode
  return typeof code === 'number' ? code & 0xff : null
}

/**
 * True when a row of these values is there already; `columns` as SQLite names them, `table.column,
 * table.column`.
 */
export function isDuplicate(error: unknown, columns: string): boolean {
  return (
    (error as DriverError | null)?.errcode === CONSTRAINT_UNIQUE && (error as Error).message.endsWith(`: ${columns}`)
  )
}

/**
 * What to throw instead of an error of the driver: `unavailable` when the store cannot answer, the
 * error itself when it is a bug.
 */
export function translated(error: unknown): unknown {
  if ((error as DriverError | null)?.code === 'ERR_INVALID_STATE') {
    return problem('unavailable', 'The store is closed.', { cause: error })
  }
  const sentence = UNAVAILABLE[resultCode(error) ?? 0]
  return sentence === undefined ? error : problem('unavailable', sentence, { cause: error })
}
