import { isUtf8 } from 'node:buffer'
import type { FieldError } from '../../../errors.ts'
import type { Encoding } from '../../../schemas/product-import.ts'
import type { Columns } from './dialects/columns.ts'
import { MAX_EXCERPT_BYTES } from './record-reader.ts'
import { DOUBLED, type Marks, type RecordFault } from './splitter.ts'
import type { CsvRecord } from './row.ts'
import { inspectUtf8, decodeWindows1252, findUnassigned } from './encoding.ts'

const FAULTS: Record<RecordFault, string> = {
  too_long: 'the row is longer than 1 MiB, and only its beginning is kept; shorten it',
  unclosed_quote:
    'a quote is opened in this row that is not closed as it should be; double the quotes within a cell, and put one at its end',
  text_after_quote: 'text follows a closing quote; double the quotes within a cell'
}

/** Bytes as text; what is not of the encoding becomes U+FFFD. */
export function decodeText(bytes: Buffer, encoding: Encoding): string {
  return encoding === 'windows-1252' ? decodeWindows1252(bytes.toString('latin1')) : bytes.toString('utf8')
}

/** Why a record cannot be read, in a sentence. */
export function describeFault(fault: RecordFault): FieldError {
  return { pointer: '', code: fault, message: FAULTS[fault] }
}

/** What is wrong with the encoding of a record; null when it is right. */
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
    message: `the byte 0x${byte} at place ${at + 1} of the row is no ${name}; save the file as UTF-8`
  }
}

/**
 * Makes text of the records that a CSV splitter finds; of the cells only those of columns that have
 * a role.
 */
export function createCsvDecoder({ columns, encoding }: { columns: Columns; encoding: Encoding }, marks: Marks) {
  const places = columns.flatMap((role, place) => (role === null ? [] : [place]))
  const empty = columns.map(() => '')

  /** One character a byte, so that the marks hold for the text too. */
  function fillNarrow(cells: string[], text: string, start: number): void {
    const { starts, ends, kinds } = marks
    for (const place of places) {
      if (place >= marks.cells) return
      const cell = text.slice(starts[place]! - start, ends[place]! - start).trim()
      cells[place] = kinds[place] === DOUBLED ? cell.replaceAll('""', '"') : cell
    }
  }

  function fillWide(cells: string[], bytes: Buffer): void {
    const { starts, ends, kinds } = marks
    for (const place of places) {
      if (place >= marks.cells) return
      if (starts[place] === ends[place]) continue
      const cell = bytes.toString('utf8', starts[place], ends[place]).trim()
      cells[place] = kinds[place] === DOUBLED ? cell.replaceAll('""', '"') : cell
    }
  }

  function errorOf(record: Buffer): FieldError | null {
    if (marks.fault !== null) return describeFault(marks.fault)
    if (marks.cells !== columns.length) {
      return {
        pointer: '',
        code: 'cell_count',
        message: `the row has ${marks.cells} cells, and the header ${columns.length}`
      }
    }
    return marks.nonAscii ? encodingFault(record, encoding) : null
  }

  return function decode(bytes: Buffer, start: number, about: { line: number; isRow: boolean }): CsvRecord {
    const cells = empty.slice()
    if (!marks.nonAscii && marks.fault === null && marks.cells === columns.length) {
      const raw = bytes.toString('latin1', start, marks.end)
      fillNarrow(cells, raw, start)
      return { ...about, raw, cells, error: null }
    }
    const record = bytes.subarray(
      start,
      marks.fault === 'too_long' ? Math.min(marks.end, start + MAX_EXCERPT_BYTES) : marks.end
    )
    const raw = decodeText(record, encoding)
    if (marks.fault === 'too_long') return { ...about, raw, cells, error: describeFault('too_long') }
    if (encoding === 'windows-1252') fillNarrow(cells, raw, start)
    else fillWide(cells, bytes)
    return { ...about, raw, cells, error: errorOf(record) }
  }
}
