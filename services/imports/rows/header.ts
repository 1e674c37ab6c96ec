import { problem } from '../../../errors.ts'
import type { Encoding, LineEnd } from '../../../schemas/product-import.ts'
import { applyMapping, detectDialect, unknownColumns, type DetectedDialect } from './dialects/detect.ts'
import { decodeText } from './csv-decoder.ts'
import { DOUBLED, MORE_BYTES } from './splitter.ts'
import { createCsvSplitter } from './csv-splitter.ts'

const DELIMITERS = [',', ';', '\t', '|']
const MAX_COLUMNS = 5000
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
interface HeaderCandidate {
  delimiter: string
  headers: string[]
  header: string
  next: number
  breaks: number
}
export interface Header extends DetectedDialect {
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
  const separator = SEPARATOR_LINE.exec(text.toString('latin1', 0, 10))
  let begin = separator?.[0].length ?? 0
  let line = separator === null ? 1 : 2
  for (; begin < text.length && text[begin]! <= 0x20 && text[begin] !== 0x09; begin++) {
    if (text[begin] === LF || (text[begin] === CR && text[begin + 1] !== LF)) line++
  }
  if (text[begin] === 0x7b || text[begin] === 0x5b) {
    throw problem(
      'malformed_import',
      'The file is JSON; write one object a line and send it with Content-Type: application/x-ndjson.'
    )
  }
  const lineEnd = detectLineEnd(text.subarray(begin), QUOTE)
  const reads = (separator === null ? DELIMITERS : [separator[1]!])
    .map((delimiter) => readHeader(text, begin, { delimiter, lineEnd, ...options }))
    .filter((read) => read !== null)
  if (reads.length === 0) {
    throw problem(
      'malformed_import',
      `The header of the CSV cannot be read: its quotes do not pair, it is longer than 1 MiB or has more than ${MAX_COLUMNS} columns.`
    )
  }
  const { read, ...recognized } = chooseHeader(reads, options.mapping)
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
function chooseHeader(
  reads: HeaderCandidate[],
  mapping: Record<string, string> | null
): DetectedDialect & { read: HeaderCandidate } {
  const widest = reads.reduce((most, read) => (read.headers.length > most.headers.length ? read : most))
  if (mapping !== null) {
    const score = ({ headers }: HeaderCandidate) =>
      Object.keys(mapping).filter((name) =>
        headers.some((header) => header.trim().toLowerCase() === name.trim().toLowerCase())
      ).length
    const read = reads.reduce((most, read) => (score(read) > score(most) ? read : most), widest)
    return { ...applyMapping(read.headers, mapping), read }
  }
  for (const read of reads.toSorted((a, b) => b.headers.length - a.headers.length)) {
    const recognized = detectDialect(read.headers)
    if (recognized !== null) return { ...recognized, read }
  }
  throw unknownColumns(widest.headers)
}

function readHeader(
  text: Buffer,
  begin: number,
  { delimiter, lineEnd, encoding, whole }: Options & { delimiter: string; lineEnd: LineEnd }
): HeaderCandidate | null {
  const { marks, next } = createCsvSplitter({
    delimiter: delimiter.charCodeAt(0),
    lineEndByte: lineEndByte(lineEnd),
    columns: MAX_COLUMNS
  })
  const after = next(text, begin, whole)
  if (after === MORE_BYTES || marks.fault !== null || marks.cells > MAX_COLUMNS) return null
  const headers = Array.from({ length: marks.cells }, (_, i) => {
    const name = decodeText(text.subarray(marks.starts[i], marks.ends[i]), encoding)
    return marks.kinds[i] === DOUBLED ? name.replaceAll('""', '"') : name
  })
  return {
    delimiter,
    headers,
    header: decodeText(text.subarray(begin, marks.end), encoding),
    next: after,
    breaks: marks.breaks
  }
}

/** The first line end that is not within quotes; `lf` where there is none. */
export function detectLineEnd(text: Buffer, quote: number): LineEnd {
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
export function lineEndByte(lineEnd: LineEnd): number {
  return lineEnd === 'cr' ? CR : LF
}
