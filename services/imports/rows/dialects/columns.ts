import { DOUBLED } from '../splitter.ts'
import { createCsvSplitter } from '../csv-splitter.ts'

/** The role of each CSV column in its dialect; null for ignored columns. */
export type Columns = (string | null)[]

/** The role of the additional column in files of failed rows; ignored when read. */
export const ERROR_COLUMN = 'import_error'

/** Texts that people wrote for search engines. They are taken over with their white space. */
export const EXACT_ROLES: ReadonlySet<string> = new Set([
  'seoTitle',
  'seoDescription',
  'yoastTitle',
  'yoastDescription',
  'rankMathTitle',
  'rankMathDescription'
])

/** Column indexes by role; `all` is for roles that several columns may have. */
export function columnIndexes(columns: Columns): { one: (role: string) => number; all: (role: string) => number[] } {
  return {
    one: (role) => columns.indexOf(role),
    all: (role) => columns.flatMap((column, index) => (column === role ? [index] : []))
  }
}

/** A header name in the form that the dialects compare. */
export function normalizeHeader(header: string): string {
  return header.trim().toLowerCase()
}

const LF = 0x0a

/** The original cells of one CSV record, unquoted. */
export function parseCells(raw: string, delimiter: string): string[] {
  const bytes = Buffer.from(raw)
  const { marks, next } = createCsvSplitter({
    delimiter: delimiter.charCodeAt(0),
    lineEndByte: LF,
    columns: bytes.length + 1
  })
  next(bytes, 0, true)
  return Array.from({ length: marks.cells }, (_, i) => {
    const text = bytes.toString('utf8', marks.starts[i], marks.ends[i])
    return marks.kinds[i] === DOUBLED ? text.replaceAll('""', '"') : text
  })
}

/** Formats cells as a CSV record and quotes them where required (RFC 4180). */
export function formatRecord(cells: string[], delimiter: string): string {
  return cells.map((cell) => quoteCell(cell, delimiter)).join(delimiter)
}

function quoteCell(cell: string, delimiter: string): string {
  return cell.includes(delimiter) || /["\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** Replaces cells of a record by column index. */
export function replaceCells(raw: string, delimiter: string, changed: Map<number, string>): string {
  return formatRecord(
    parseCells(raw, delimiter).map((cell, index) => changed.get(index) ?? cell),
    delimiter
  )
}
