import { problem } from '../../../errors.ts'
import type { ImportFile, ImportFormat, LineEnd } from '../../../schemas/product-import.ts'
import { ERROR_COLUMN, type Columns } from './dialects/columns.ts'
import { BOM, detectEncoding } from './encoding.ts'
import { findHeader, detectLineEnd } from './header.ts'

/** What a file is, and where its rows begin; it can be kept as JSON. */
export interface Layout {
  /** `bytes` is 0: who receives the file fills it in. */
  file: ImportFile
  /** The header record of a CSV as it came. */
  header: string | null
  /** Of a CSV: the role that each column has in its dialect. */
  columns: Columns
  /** Where the first row may begin: its byte, and its line from 1. */
  firstByte: number
  firstLine: number
}

export interface LayoutOptions {
  format: ImportFormat
  mapping: Record<string, string> | null
  whole: boolean
}

/**
 * Finds out what a file is by its beginning (1 MiB is enough; `whole`: it is all of it). Throws
 * `malformed_import` for what cannot be rows of text,
 * and `unknown_columns`, which names the columns that there are and the fields that lack.
 */
export function detectLayout(head: Buffer, { format, mapping, whole }: LayoutOptions): Layout {
  const encoding = detectEncoding(head, whole)
  const begin = encoding === 'utf-8-bom' ? BOM.length : 0
  const text = head.subarray(begin)
  if (text.toString('latin1').trim() === '') throw problem('malformed_import', 'The file is empty.')
  if (format === 'ndjson') return ndjson(text, { begin, encoding, mapping, whole })
  const found = findHeader(text, { encoding, mapping, whole })
  const { lineEnd, delimiter, dialect, columns, header, headers } = found
  const ignoredColumns = headers
    .map((name) => name.trim())
    .filter((name, place) => columns[place] === null && name !== '')
  return {
    file: { format, bytes: 0, encoding, lineEnd, delimiter, dialect, ignoredColumns },
    header,
    columns,
    firstByte: begin + found.firstByte,
    firstLine: found.firstLine
  }
}

interface NdjsonHead {
  begin: number
  encoding: ImportFile['encoding']
  mapping: Record<string, string> | null
  whole: boolean
}

function ndjson(text: Buffer, { begin, encoding, mapping, whole }: NdjsonHead): Layout {
  if (mapping !== null) {
    throw problem('unknown_columns', 'map is for the columns of a CSV; a line of NDJSON names its fields itself.')
  }
  const first = text
    .subarray(0, 64 * 1024)
    .toString('latin1')
    .trimStart()
  if (/^\[\s*(?:\{|[\r\n]|$)/.test(first)) {
    throw problem(
      'malformed_import',
      'The file is one JSON array; write each product on a line of its own, without brackets and commas around them.'
    )
  }
  if (!/^[[{]/.test(first) && isCsv(text, whole)) {
    throw problem('malformed_import', 'The file is CSV; send it with Content-Type: text/csv.')
  }
  return {
    // JSON is UTF-8 (RFC 8259, section 8.1): a line that is not is a broken line.
    file: {
      format: 'ndjson',
      bytes: 0,
      encoding: encoding === 'utf-8-bom' ? encoding : 'utf-8',
      lineEnd: lineEndOfNdjson(text),
      delimiter: null,
      dialect: null,
      ignoredColumns: []
    },
    header: null,
    columns: [],
    firstByte: begin,
    firstLine: 1
  }
}

function lineEndOfNdjson(text: Buffer): LineEnd {
  return text.includes(0x0a) ? detectLineEnd(text, -1) : text.includes(0x0d) ? 'cr' : 'lf'
}

function isCsv(text: Buffer, whole: boolean): boolean {
  try {
    return findHeader(text, { encoding: 'utf-8', mapping: null, whole }).columns.some(
      (role) => role !== null && role !== ERROR_COLUMN
    )
  } catch {
    return false
  }
}
