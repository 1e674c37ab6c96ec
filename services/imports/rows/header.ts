import { problem } from '../../../errors.ts'
import type { Encoding, LineEnd } from '../../../schemas/product-import.ts'
import { mapped, recognize, unknownColumns, type Recognized } from './dialects/recognize.ts'
import { textOf } from './decode.ts'
import { DOUBLED, MORE_BYTES } from './records.ts'
import { createCsvSplitter } from './split-csv.ts'

const DELIMITERS = [',', ';', '\t', '|']
const MOST_COLUMNS = 5000
/** Spreadsheets write their delimiter in a line of its own before the header. */
const SEPARATOR_LINE = /^sep=([,;\t|])(?:\r\n|\n|\r)/i
const LF = 0x0a
const CR = 0x0d
const QUOTE = 0x22

interface Options {
  encoding: Encoding
  mapping: Record<string, string> | null
  whole: boolean
}
interface Read {
  delimiter: string
  headers: string[]
  header: string
  next: number
  breaks: number
}
export interface Header extends Recognized {
  lineEnd: LineEnd
  delimiter: string
  header: string
  headers: string[]
  firstByte: number
  firstLine: number
}

/**
 * Finds the header, which is the first record that is not empty, with the delimiter and the line
 * end. Throws `malformed_import` and `unknown_columns`.
 */
export function findHeader(text: Buffer, options: Options): Header {
  const told = SEPARATOR_LINE.exec(text.toString('latin1', 0, 10))
  let begin = told?.[0].length ?? 0
  let line = told === null ? 1 : 2
  for (; begin < text.length && text[begin]! <= 0x20 && text[begin] !== 0x09; begin++) {
    if (text[begin] === LF || (text[begin] === CR && text[begin + 1] !== LF)) line++
  }
  if (text[begin] === 0x7b || text[begin] === 0x5b) {
    throw problem(
      'malformed_import',
      'The file is JSON; write one object a line and send it with Content-Type: application/x-ndjson.'
    )
  }
  const lineEnd = lineEndOf(text.subarray(begin), QUOTE)
  const reads = (told === null ? DELIMITERS : [told[1]!])
    .map((delimiter) => readHeader(text, begin, { delimiter, lineEnd, ...options }))
    .filter((read) => read !== null)
  if (reads.length === 0) {
    throw problem(
      'malformed_import',
      `The header of the CSV cannot be read: its quotes do not pair, it is longer than 1 MiB or has more than ${MOST_COLUMNS} columns.`
    )
  }
  const { read, ...recognized } = best(reads, options.mapping)
  return {
    ...recognized,
    lineEnd,
    delimiter: read.delimiter,
    header: read.header,
    headers: read.headers,
    firstByte: read.next,
    firstLine: line + 1 + read.breaks
  }
}

/**
 * The delimiter that gives columns which are known; where there is none, the refusal is about the
 * one that gives the most columns.
 */
function best(reads: Read[], mapping: Record<string, string> | null): Recognized & { read: Read } {
  const widest = reads.reduce((most, read) => (read.headers.length > most.headers.length ? read : most))
  if (mapping !== null) {
    const score = ({ headers }: Read) =>
      Object.keys(mapping).filter((name) =>
        headers.some((header) => header.trim().toLowerCase() === name.trim().toLowerCase())
      ).length
    const read = reads.reduce((most, read) => (score(read) > score(most) ? read : most), widest)
    return { ...mapped(read.headers, mapping), read }
  }
  for (const read of reads.toSorted((a, b) => b.headers.length - a.headers.length)) {
    const recognized = recognize(read.headers)
    if (recognized !== null) return { ...recognized, read }
  }
  throw unknownColumns(widest.headers)
}

function readHeader(
  text: Buffer,
  begin: number,
  { delimiter, lineEnd, encoding, whole }: Options & { delimiter: string; lineEnd: LineEnd }
): Read | null {
  const { marks, next } = createCsvSplitter({
    delimiter: delimiter.charCodeAt(0),
    lineEndByte: lineEndByteOf(lineEnd),
    columns: MOST_COLUMNS
  })
  const after = next(text, begin, whole)
  if (after === MORE_BYTES || marks.fault !== null || marks.cells > MOST_COLUMNS) return null
  const headers = Array.from({ length: marks.cells }, (_, i) => {
    const name = textOf(text.subarray(marks.starts[i], marks.ends[i]), encoding)
    return marks.kinds[i] === DOUBLED ? name.replaceAll('""', '"') : name
  })
  return {
    delimiter,
    headers,
    header: textOf(text.subarray(begin, marks.end), encoding),
    next: after,
    breaks: marks.breaks
  }
}

/** The first line end that is not within quotes; `lf` where there is none. */
export function lineEndOf(text: Buffer, quote: number): LineEnd {
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    if (text[i] === quote) quoted = !quoted
    if (quoted) continue
    if (text[i] === LF) return 'lf'
    if (text[i] === CR) return text[i + 1] === LF ? 'crlf' : 'cr'
  }
  return 'lf'
}

/** The byte that ends a line. */
export function lineEndByteOf(lineEnd: LineEnd): number {
  return lineEnd === 'cr' ? CR : LF
}
