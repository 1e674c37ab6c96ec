import type { FieldError } from '../../../errors.ts'
import { ERROR_COLUMN } from './dialects/columns.ts'
import { ERROR_MEMBER } from './json-row.ts'
import type { Layout } from './layout.ts'
import { PLAIN } from './splitter.ts'
import { createSplitter } from './record-reader.ts'

/** A row that failed: as it came, where, and why. */
export interface FailedRow {
  row: string
  errors: FieldError[]
  line: number
}

type Reviver = (this: object, ...parsed: [key: string, value: unknown, context: { source?: string }]) => unknown
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown
const { rawJSON: rawJson, isRawJSON: isRawJson } = JSON as unknown as {
  rawJSON: (text: string) => unknown
  isRawJSON: (value: unknown) => boolean
}
const LINE_ENDS = { lf: '\n', crlf: '\r\n', cr: '\r' }

/**
 * What the file of failed rows begins with; it is UTF-8. Of a CSV the header, with a column
 * `import_error` in front of the others, where cells that a row
 * lacks or has too many cannot push it aside. A byte order mark tells spreadsheets the encoding,
 * except where the file that came had none and was UTF-8.
 */
export function failedRowsHeader(layout: Layout): string {
  if (layout.header === null) return ''
  const { delimiter, encoding, lineEnd } = layout.file
  return `${encoding === 'utf-8' ? '' : '\uFEFF'}${ERROR_COLUMN}${delimiter}${withoutError(layout, layout.header)}${LINE_ENDS[lineEnd]}`
}

/**
 * A failed row in the form that it came in, with what is wrong: CSV as it came; of NDJSON the
 * object with a member `_error`, or the line as text in `_raw`.
 */
export function formatFailedRow(layout: Layout, failed: FailedRow): string {
  const { delimiter, lineEnd } = layout.file
  if (layout.header === null) return failedLine(failed) + '\n'
  const why = `line ${failed.line}: ${failed.errors.map(sentence).join('; ')}`
  return `"${why.replaceAll('"', '""')}"${delimiter}${withoutError(layout, failed.row)}${LINE_ENDS[lineEnd]}`
}

function sentence({ pointer, message }: FieldError): string {
  return pointer === '' ? message : `${pointer.slice(1)} ${message}`
}

/**
 * A record without the column of the errors of last time, where that is the first one, as we write
 * it.
 */
function withoutError(layout: Layout, record: string): string {
  if (layout.columns[0] !== ERROR_COLUMN) return record
  const bytes = Buffer.from(record)
  const { marks, next } = createSplitter(layout)
  next(bytes, 0, true)
  if (marks.cells === 0) return record
  const end = bytes.indexOf(layout.file.delimiter!, marks.ends[0]! + (marks.kinds[0] === PLAIN ? 0 : 1))
  return end === -1 ? record : bytes.toString('utf8', end + 1)
}

function failedLine({ row, errors, line }: FailedRow): string {
  const error = { line, errors }
  try {
    const value = parse(row, (key, value, { source }) =>
      typeof value === 'number' && source !== undefined ? rawJson(source) : value
    )
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJson(value)) {
      return JSON.stringify({ ...value, [ERROR_MEMBER]: error })
    }
  } catch {
    // It is no JSON, or too deep; then it goes out as text.
  }
  return JSON.stringify({ [ERROR_MEMBER]: error, _raw: row })
}
