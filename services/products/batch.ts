import { problem } from '../../errors.ts'
import type { ProductBatchResult, RowNote } from '../../schemas/product.ts'
import type { CheckedRow } from './rows.ts'
import type { WrittenRow } from './writing.ts'

/** What a batch came to, row by row: `created + updated + failed` is the number of rows, always. */
export function batchResult(rows: CheckedRow[], written: WrittenRow[]): ProductBatchResult {
  const count = (result: WrittenRow['result']) => written.filter((row) => row.result === result).length
  const unchanged = count('unchanged')
  return {
    created: count('created'),
    updated: count('updated') + unchanged,
    unchanged,
    failed: rows.length - written.length,
    errors: rowErrors(rows),
    warnings: written
      .filter(({ repeated }) => repeated)
      .map(({ line, product }) => ({
        index: line,
        externalId: product.externalId,
        pointer: `/products/${line}/externalId`,
        code: 'repeated',
        message: 'came before in this batch; the last one wins'
      }))
  }
}

function rowErrors(rows: CheckedRow[]): RowNote[] {
  return rows.flatMap(({ line, externalId, errors }) =>
    errors.map((error) => ({ ...error, index: line, externalId, pointer: `/products/${line}${error.pointer}` }))
  )
}

/**
 * The refusal of a batch of which nothing was written; it carries the same counts and errors as an
 * answer would.
 */
export function batchRefusal(rows: CheckedRow[], detail: string) {
  return problem('batch_failed', detail, {
    members: { created: 0, updated: 0, unchanged: 0, failed: rows.length, warnings: [] },
    errors: rowErrors(rows)
  })
}
