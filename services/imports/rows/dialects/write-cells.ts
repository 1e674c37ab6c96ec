import { DOUBLED } from '../records.ts'
import { createCsvSplitter } from '../split-csv.ts'

const LF = 0x0a

/** The cells of one CSV record as they came, but for their quotes. */
export function cellsOf(raw: string, delimiter: string): string[] {
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
export function recordOf(cells: string[], delimiter: string): string {
  return cells.map((cell) => quoted(cell, delimiter)).join(delimiter)
}

function quoted(cell: string, delimiter: string): string {
  return cell.includes(delimiter) || /["\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** The record with other cells in some places. */
export function withCells(raw: string, delimiter: string, changed: Map<number, string>): string {
  return recordOf(
    cellsOf(raw, delimiter).map((cell, place) => changed.get(place) ?? cell),
    delimiter
  )
}
