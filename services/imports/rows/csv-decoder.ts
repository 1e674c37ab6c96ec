import { isUtf8 } from 'node:buffer'
import type { FieldError } from '../../../errors.ts'
import type { Encoding } from '../../../schemas/product-import.ts'
import { EXACT_ROLES, type Columns } from './dialects/columns.ts'
import { MAX_EXCERPT_BYTES } from './record-reader.ts'
import { DOUBLED, type Marks, type RecordFault } from './splitter.ts'
import type { CsvRecord } from './row.ts'
import { decodeText, findUnassigned, inspectUtf8 } from './encoding.ts'

const FAULTS: Record<RecordFault, string> = {
  too_long: 'the row is longer than 1 MiB: shorten it (only its beginning is stored)',
  unclosed_quote:
    'a quoted cell of this row is not closed: end the cell with a quote, and double the quotes within a cell',
  text_after_quote: 'text follows a closing quote: double the quotes within a cell'
}

/** The error for a record that cannot be read. */
export function describeFault(fault: RecordFault): FieldError {
  return { pointer: '', code: fault, message: FAULTS[fault] }
}

/** The encoding error of a record, or null. */
export function encodingFault(bytes: Buffer, encoding: Encoding): FieldError | null {
  if (encoding !== 'windows-1252') {
    if (isUtf8(bytes)) return null
    return badByte(bytes, inspectUtf8(bytes, true).firstFault, 'UTF-8')
  }
  const at = findUnassigned(bytes.toString('latin1'))
  return at === -1 ? null : badByte(bytes, at, 'Windows-1252')
}

function badByte(bytes: Buffer, at: number, name: string): FieldError {
  const byte = bytes[at]!.toString(16).toUpperCase().padStart(2, '0')
  return {
    pointer: '',
    code: 'invalid_encoding',
    message: `the byte 0x${byte} at position ${at + 1} of the row is not valid ${name}: save the file as UTF-8`
  }
}

/** Decodes the records found by a CSV splitter. Only cells of columns with a role are decoded. */
export function createCsvDecoder({ columns, encoding }: { columns: Columns; encoding: Encoding }, marks: Marks) {
  const usedColumns = columns.flatMap((role, column) => (role === null ? [] : [column]))
  const empty = columns.map(() => '')
  const isExact = columns.map((role) => role !== null && EXACT_ROLES.has(role))

  /** Each byte is one character, so that the byte offsets are also text offsets. */
  function fillSingleByte(cells: string[], text: string, start: number): void {
    const { starts, ends, kinds } = marks
    for (const column of usedColumns) {
      if (column >= marks.cells) return
      const content = text.slice(starts[column]! - start, ends[column]! - start)
      const cell = isExact[column] ? content : content.trim()
      cells[column] = kinds[column] === DOUBLED ? cell.replaceAll('""', '"') : cell
    }
  }

  function fillMultiByte(cells: string[], bytes: Buffer): void {
    const { starts, ends, kinds } = marks
    for (const column of usedColumns) {
      if (column >= marks.cells) return
      if (starts[column] === ends[column]) continue
      const content = bytes.toString('utf8', starts[column], ends[column])
      const cell = isExact[column] ? content : content.trim()
      cells[column] = kinds[column] === DOUBLED ? cell.replaceAll('""', '"') : cell
    }
  }

  function findError(record: Buffer): FieldError | null {
    if (marks.fault !== null) return describeFault(marks.fault)
    if (marks.cells !== columns.length) {
      return {
        pointer: '',
        code: 'cell_count',
        message:
          `the row has ${marks.cells} ${marks.cells === 1 ? 'cell' : 'cells'}, but the header has ${columns.length}: ` +
          'check its delimiters and quotes'
      }
    }
    return marks.nonAscii ? encodingFault(record, encoding) : null
  }

  return function decode(bytes: Buffer, start: number, info: { line: number; isRow: boolean }): CsvRecord {
    const cells = empty.slice()
    if (!marks.nonAscii && marks.fault === null && marks.cells === columns.length) {
      const raw = bytes.toString('latin1', start, marks.end)
      fillSingleByte(cells, raw, start)
      return { ...info, raw, cells, error: null }
    }
    const record = bytes.subarray(
      start,
      marks.fault === 'too_long' ? Math.min(marks.end, start + MAX_EXCERPT_BYTES) : marks.end
    )
    const raw = decodeText(record, encoding)
    if (marks.fault === 'too_long') return { ...info, raw, cells, error: describeFault('too_long') }
    if (encoding === 'windows-1252') fillSingleByte(cells, raw, start)
    else fillMultiByte(cells, bytes)
    return { ...info, raw, cells, error: findError(record) }
  }
}
