import { problem } from '../../../errors.ts'

/**
 * What node:sqlite adds to an error: the extended result code of SQLite
 * (https://sqlite.org/rescode.html).
 */
interface DriverError extends Error {
  code?: string
  errcode?: number
}

/** Result codes after which no statement can succeed, with the error detail. */
const UNAVAILABLE: Record<number, string> = {
  5: 'The store is locked by another process.',
  6: 'The store is locked.',
  7: 'The store is out of memory.',
  8: 'The store is read-only.',
  10: 'The store failed to read or write its file.',
  11: 'The store is damaged.',
  13: 'The disk is full.',
  14: 'The store failed to open its file.',
  26: 'The store is damaged.'
}
const CONSTRAINT_UNIQUE = 2067

/** The primary result code, 1 to 255. Null for errors that are not from SQLite. */
export function resultCode(error: unknown): number | null {
  const code = (error as DriverError | null)?.errcode
  return typeof code === 'number' ? code & 0xff : null
}

/**
 * Whether the error is a violation of the unique index on these columns, written as SQLite names
 * them: `table.column, table.column`.
 */
export function isDuplicate(error: unknown, columns: string): boolean {
  return (
    (error as DriverError | null)?.errcode === CONSTRAINT_UNIQUE && (error as Error).message.endsWith(`: ${columns}`)
  )
}

/**
 * The API error to throw for a driver error: `unavailable` when the store cannot be used. Returns
 * other errors unchanged, because they are bugs.
 */
export function toApiError(error: unknown): unknown {
  if ((error as DriverError | null)?.code === 'ERR_INVALID_STATE') {
    return problem('unavailable', 'The store is closed.', { cause: error })
  }
  const sentence = UNAVAILABLE[resultCode(error) ?? 0]
  return sentence === undefined ? error : problem('unavailable', sentence, { cause: error })
}
