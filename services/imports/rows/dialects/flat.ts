import type { PutField } from '../put-field.ts'
import { brokenRow, createDraft, rowOf, type Assembler, type Row } from '../row.ts'
import { ERROR_COLUMN, type Columns } from './columns.ts'

/**
 * Rows of a file in which each record is a product by itself; `puts` says what becomes of the cells
 * of a role.
 */
export function createFlatAssembler(
  columns: Columns,
  puts: (role: string) => PutField,
  give: (row: Row) => void
): Assembler {
  const cellPuts = columns.map((role) => (role === null || role === ERROR_COLUMN ? null : puts(role)))
  const id = columns.indexOf('externalId')
  return {
    mayBegin: () => true,
    end() {},
    take(record) {
      const { cells, error } = record
      if (error !== null) return give(brokenRow(record, cells[id]!))
      const draft = createDraft()
      for (const [i, put] of cellPuts.entries()) {
        if (put !== null && cells[i] !== '') put(draft, cells[i]!)
      }
      give(rowOf(record, draft))
    }
  }
}
