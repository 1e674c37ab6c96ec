import type { FieldError } from '../../../errors.ts'
import { ERROR_COLUMN } from './dialects/columns.ts'
import { findJsonExcess } from './json-limits.ts'
import { findLastMember } from './json-members.ts'
import { ERROR_MEMBER } from './json-row.ts'
import type { Layout } from './layout.ts'
import { PLAIN } from './splitter.ts'
import { createSplitter } from './record-reader.ts'

/** A failed row: the original text, its line and its errors. */
export interface FailedRow {
  row: string
  errors: FieldError[]
  line: number
}

const LINE_ENDS = { lf: '\n', crlf: '\r\n', cr: '\r' }

/**
 * The beginning of the file of failed rows, which is UTF-8. For CSV, the header with an additional
 * first column `import_error`; in first position, the column is not shifted by rows with missing or
 * surplus cells. A byte order mark tells spreadsheets the encoding, except if the original file was
 * UTF-8 without one.
 */
export function failedRowsHeader(layout: Layout): string {
  if (layout.header === null) return ''
  const { delimiter, encoding, lineEnd } = layout.file
  const bom = encoding === 'utf-8' ? '' : '\uFEFF'
  return `${bom}${ERROR_COLUMN}${delimiter}${withoutError(layout, layout.header)}${LINE_ENDS[lineEnd]}`
}

/**
 * A failed row with its errors: for CSV, the original record; for NDJSON, the object with a member
 * `_error`, or the line as text in `_raw`.
 */
export function formatFailedRow(layout: Layout, failed: FailedRow): string {
  const { delimiter, lineEnd } = layout.file
  if (layout.header === null) return failedLine(failed) + '\n'
  const reason = `line ${failed.line}: ${failed.errors.map(describeError).join('; ')}`
  return `"${reason.replaceAll('"', '""')}"${delimiter}${withoutError(layout, failed.row)}${LINE_ENDS[lineEnd]}`
}

function describeError({ pointer, message }: FieldError): string {
  return pointer === '' ? message : `${pointer.slice(1)} ${message}`
}

/** Removes the error column of a previous import if it is the first column. */
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
  return isObject(row) ? withMember(row, error) : JSON.stringify({ [ERROR_MEMBER]: error, _raw: row })
}

/** Whether the text is an object that an import accepts; one with too many values is repeated as text. */
function isObject(text: string): boolean {
  if (findJsonExcess(Buffer.from(text)) !== null) return false
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** Sets the error in the text of an object. Everything else is unchanged, such as the digits of numbers. */
function withMember(object: string, error: unknown): string {
  const text = JSON.stringify(error)
  const former = findLastMember(object, ERROR_MEMBER)
  if (former !== null) return object.slice(0, former.valueStart) + text + object.slice(former.valueEnd)
  const members = object.slice(0, object.lastIndexOf('}')).trimEnd()
  return `${members}${members.trimStart() === '{' ? '' : ','}"${ERROR_MEMBER}":${text}}`
}
