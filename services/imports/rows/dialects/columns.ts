import { DOUBLED } from '../splitter.ts'
import { createCsvSplitter } from '../csv-splitter.ts'

/** Which role each column of a CSV has in its dialect; null: it is not taken over. */
export type Columns = (string | null)[]

/** The role of the column that our files of failed rows have more; reading passes over it. */
export const ERROR_COLUMN = 'import_error'

/** Where the roles are; a role that several columns may have gives the places of all of them. */
export function columnIndexes(columns: Columns): { one: (role: string) => number; all: (role: string) => number[] } {
  return {
    one: (role) => columns.indexOf(role),
    all: (role) => columns.flatMap((column, place) => (column === role ? [place] : []))
  }
}

/** A header's name as the dialects compare it. */
export function normalizeHeader(header: string): string {
  return header.trim().toLowerCase()
}

const LF = 0x0a

/** The cells of one CSV record as they came, but for their quotes. */
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

/** A CSV record of these cells, quoted where they must be (RFC 4180). */
export function formatRecord(cells: string[], delimiter: string): string {
  return cells.map((cell) => quoteCell(cell, delimiter)).join(delimiter)
}

function quoteCell(cell: string, delimiter: string): string {
  return cell.includes(delimiter) || /["\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** The record with other cells in some places. */
export function replaceCells(raw: string, delimiter: string, changed: Map<number, string>): string {
  return formatRecord(
    parseCells(raw, delimiter).map((cell, place) => changed.get(place) ?? cell),
    delimiter
  )
}
