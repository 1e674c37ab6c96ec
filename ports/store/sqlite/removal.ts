import { createYielder } from '../../../lib/async.ts'
import type { Database } from './database.ts'

/*
 * SQLite reads all pages of a long record to free them: a megabyte takes up to 4 ms. So the size of a transaction that
 * removes records is limited by their bytes, not only by their number.
 */

/** Bytes of records that one transaction removes. */
const BYTES_PER_STEP = 1_000_000
/** Rows that one transaction removes. */
export const ROWS_PER_STEP = 200

/** A row by its number, and the size of its long columns, which `octet_length` knows without reading them. */
export interface SizedRow {
  n: number
  bytes: number
}

/** The first rows that have `BYTES_PER_STEP` together, and at least one. */
export function takeWithinBytes(rows: SizedRow[]): SizedRow[] {
  let sum = 0
  return rows.filter(({ bytes }, index) => (sum += bytes) <= BYTES_PER_STEP || index === 0)
}

/**
 * Removes rows in transactions with pauses. They do not wait for the disk: what a crash of the machine restores must
 * be removed again. Returns their number.
 *
 * @param next The rows that are left, in order, up to the limit.
 * @param remove Removes the rows of these numbers.
 */
export async function removeRows(
  db: Database,
  next: (limit: number) => SizedRow[],
  remove: (ns: number[]) => void
): Promise<number> {
  const pause = createYielder()
  for (let removed = 0; ; ) {
    const rows = next(ROWS_PER_STEP)
    const some = takeWithinBytes(rows)
    if (some.length > 0) db.relaxedTransaction(() => remove(some.map(({ n }) => n)))
    removed += some.length
    if (some.length === rows.length && rows.length < ROWS_PER_STEP) return removed
    await pause()
  }
}
