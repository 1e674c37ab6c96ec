import { problem } from '../../../errors.ts'
import { createYielder } from '../../../lib/async.ts'
import type { Encoding, LineEnd } from '../../../schemas/product-import.ts'
import { applyMapping, detectDialect, unknownColumns, type DetectedDialect } from './dialects/detect.ts'
import { normalizeHeader } from './dialects/columns.ts'
import { decodeText } from './encoding.ts'
import { DOUBLED, MORE_BYTES } from './splitter.ts'
import { createCsvSplitter } from './csv-splitter.ts'

const DELIMITERS = [',', ';', '\t', '|']
const MAX_COLUMNS = 5000
/**
 * A header is read in one step, and its names are compared with those of each dialect in another. Headers of shops have
 * at most a few hundred columns, with names of up to about a hundred characters.
 */
const MAX_HEADER_BYTES = 128 * 1024
const MAX_NAME_BYTES = 1000
/** Spreadsheets may declare their delimiter in a line before the header. */
const SEPARATOR_LINE = /^sep=([,;\t|])(?:\r\n|\n|\r)/i
const LF = 0x0a
const CR = 0x0d
const QUOTE = 0x22

interface Options {
  encoding: Encoding
  mapping: Record<string, string> | null
  isComplete: boolean
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
 * Finds the header (the first non-empty record), the delimiter and the line end, with pauses that let
 * the event loop serve others. Throws `malformed_import` and `unknown_columns`.
 */
export async function findHeader(text: Buffer, options: Options): Promise<Header> {
  const separator = SEPARATOR_LINE.exec(text.toString('latin1', 0, 10))
  let start = separator?.[0].length ?? 0
  let line = separator === null ? 1 : 2
  for (; start < text.length && text[start]! <= 0x20 && text[start] !== 0x09; start++) {
    if (text[start] === LF || (text[start] === CR && text[start + 1] !== LF)) line++
  }
  if (text[start] === 0x7b || text[start] === 0x5b) {
    throw problem(
      'malformed_import',
      'The file is JSON, not CSV. Write one object per line and send the file with Content-Type: application/x-ndjson.'
    )
  }
  const lineEnd = detectLineEnd(text.subarray(start), QUOTE)
  const pause = createYielder()
  const candidates: HeaderCandidate[] = []
  for (const delimiter of separator === null ? DELIMITERS : [separator[1]!]) {
    const candidate = readHeader(text, start, { delimiter, lineEnd, ...options })
    if (candidate !== null) candidates.push(candidate)
    await pause()
  }
  if (candidates.length === 0) {
    throw problem(
      'malformed_import',
      'The CSV header cannot be read. Check that its quotes are closed, that it is at most 128 KiB long ' +
        `and that it has at most ${MAX_COLUMNS} columns with names of at most ${MAX_NAME_BYTES} bytes.`
    )
  }
  const { candidate, ...detected } = await chooseHeader(candidates, options.mapping)
  return {
    ...detected,
    lineEnd,
    delimiter: candidate.delimiter,
    header: candidate.header,
    headers: candidate.headers,
    firstByte: candidate.next,
    firstLine: line + 1 + candidate.breaks
  }
}

/**
 * Selects the delimiter that results in known columns. If there is none, the error describes the
 * candidate with the most columns.
 */
async function chooseHeader(
  candidates: HeaderCandidate[],
  mapping: Record<string, string> | null
): Promise<DetectedDialect & { candidate: HeaderCandidate }> {
  const pause = createYielder()
  const widest = candidates.reduce((best, candidate) =>
    candidate.headers.length > best.headers.length ? candidate : best
  )
  if (mapping !== null) {
    const names = Object.keys(mapping).map(normalizeHeader)
    const score = ({ headers }: HeaderCandidate): number => {
      const normalized = new Set(headers.map(normalizeHeader))
      return names.filter((name) => normalized.has(name)).length
    }
    let best = { candidate: widest, score: score(widest) }
    for (const candidate of candidates) {
      await pause()
      const scored = { candidate, score: score(candidate) }
      if (scored.score > best.score) best = scored
    }
    await pause()
    return { ...applyMapping(best.candidate.headers, mapping), candidate: best.candidate }
  }
  for (const candidate of candidates.toSorted((a, b) => b.headers.length - a.headers.length)) {
    const detected = await detectDialect(candidate.headers, pause)
    if (detected !== null) return { ...detected, candidate }
  }
  throw unknownColumns(widest.headers)
}

function readHeader(
  text: Buffer,
  start: number,
  { delimiter, lineEnd, encoding, isComplete }: Options & { delimiter: string; lineEnd: LineEnd }
): HeaderCandidate | null {
  const { marks, next } = createCsvSplitter({
    delimiter: delimiter.charCodeAt(0),
    lineEndByte: lineEndByte(lineEnd),
    columns: MAX_COLUMNS
  })
  const head = text.subarray(0, start + MAX_HEADER_BYTES)
  const after = next(head, start, isComplete && head.length === text.length)
  if (after === MORE_BYTES || marks.fault !== null || marks.cells > MAX_COLUMNS) return null
  for (let cell = 0; cell < marks.cells; cell++) {
    if (marks.ends[cell]! - marks.starts[cell]! > MAX_NAME_BYTES) return null
  }
  const headers = Array.from({ length: marks.cells }, (_, i) => {
    const name = decodeText(text.subarray(marks.starts[i], marks.ends[i]), encoding)
    return marks.kinds[i] === DOUBLED ? name.replaceAll('""', '"') : name
  })
  return {
    delimiter,
    headers,
    header: decodeText(text.subarray(start, marks.end), encoding),
    next: after,
    breaks: marks.breaks
  }
}

/** The first line end outside quotes; `lf` if there is none. */
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
