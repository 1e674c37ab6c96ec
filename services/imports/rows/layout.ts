import { problem } from '../../../errors.ts'
import type { ImportFile, ImportFormat, LineEnd } from '../../../schemas/product-import.ts'
import { ERROR_COLUMN, type Columns } from './dialects/columns.ts'
import { BOM, detectEncoding } from './encoding.ts'
import { findHeader, detectLineEnd } from './header.ts'

/** The format of a file and the position of its first row; serializable as JSON. */
export interface Layout {
  /** `bytes` is 0 until the receiver of the file sets it. */
  file: ImportFile
  /** The original header record of a CSV file. */
  header: string | null
  /** The role of each CSV column in its dialect. */
  columns: Columns
  /** The byte offset and line (from 1) of the first row. */
  firstByte: number
  firstLine: number
}

export interface LayoutOptions {
  format: ImportFormat
  mapping: Record<string, string> | null
  isComplete: boolean
}

/** Ignored columns whose names are stored with an import, and their characters: a header may have thousands. */
const MAX_IGNORED_COLUMNS = 100
const MAX_IGNORED_LENGTH = 10_000

/**
 * Detects the layout of a file from its beginning (1 MiB is enough; `isComplete`: the bytes are the
 * entire file). Throws `malformed_import` for files that are not rows of text, and
 * `unknown_columns` with the existing columns and the missing fields.
 */
export async function detectLayout(head: Buffer, { format, mapping, isComplete }: LayoutOptions): Promise<Layout> {
  const encoding = detectEncoding(head, isComplete)
  const begin = encoding === 'utf-8-bom' ? BOM.length : 0
  const text = head.subarray(begin)
  if (text.toString('latin1').trim() === '') {
    throw problem('malformed_import', 'The file is empty. Add at least one product.')
  }
  if (format === 'ndjson') return await detectNdjson(text, { begin, encoding, mapping, isComplete })
  const found = await findHeader(text, { encoding, mapping, isComplete })
  const { lineEnd, delimiter, dialect, columns, header, headers } = found
  const ignored = headers.map((name) => name.trim()).filter((name, i) => columns[i] === null && name !== '')
  const file = { format, bytes: 0, encoding, lineEnd, delimiter, dialect }
  return {
    file: { ...file, ignoredColumns: firstNames(ignored), ignoredColumnCount: ignored.length },
    header,
    columns,
    firstByte: begin + found.firstByte,
    firstLine: found.firstLine
  }
}

/** The first of these names, as many as are stored and shown. */
function firstNames(names: string[]): string[] {
  let length = 0
  return names.slice(0, MAX_IGNORED_COLUMNS).filter((name) => (length += name.length) <= MAX_IGNORED_LENGTH)
}

interface NdjsonHead {
  begin: number
  encoding: ImportFile['encoding']
  mapping: Record<string, string> | null
  isComplete: boolean
}

async function detectNdjson(text: Buffer, { begin, encoding, mapping, isComplete }: NdjsonHead): Promise<Layout> {
  if (mapping !== null) {
    throw problem('unknown_columns', 'map is allowed only for CSV. In NDJSON, use the field names of a product.')
  }
  const first = text
    .subarray(0, 64 * 1024)
    .toString('latin1')
    .trimStart()
  if (/^\[\s*(?:\{|[\r\n]|$)/.test(first)) {
    throw problem(
      'malformed_import',
      'The file is a JSON array. Write each product on a separate line, ' +
        'without brackets around the products and commas between them.'
    )
  }
  if (!/^[[{]/.test(first) && (await isCsv(text, isComplete))) {
    throw problem('malformed_import', 'The file is CSV, not NDJSON. Send the file with Content-Type: text/csv.')
  }
  return {
    // JSON is UTF-8 (RFC 8259, section 8.1): lines in another encoding are invalid.
    file: {
      format: 'ndjson',
      bytes: 0,
      encoding: encoding === 'utf-8-bom' ? encoding : 'utf-8',
      lineEnd: lineEndOfNdjson(text),
      delimiter: null,
      dialect: null,
      ignoredColumns: [],
      ignoredColumnCount: 0
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

async function isCsv(text: Buffer, isComplete: boolean): Promise<boolean> {
  try {
    const { columns } = await findHeader(text, { encoding: 'utf-8', mapping: null, isComplete })
    return columns.some((role) => role !== null && role !== ERROR_COLUMN)
  } catch {
    return false
  }
}
