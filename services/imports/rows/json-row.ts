import { isUtf8 } from 'node:buffer'
import { encodingFault, describeFault } from './csv-decoder.ts'
import { setPriceDigits } from './cells.ts'
import { findLastMember } from './json-members.ts'
import { findJsonExcess } from './json-limits.ts'
import { MAX_EXCERPT_BYTES, type RecordPosition } from './record-reader.ts'
import type { Marks } from './splitter.ts'
import type { Row } from './row.ts'

/** The additional member in files of failed rows; ignored when read. */
export const ERROR_MEMBER = '_error'

/** Reads a line of NDJSON (RFC 8259) as a row. */
export function jsonRow(
  bytes: Buffer,
  start: number,
  { marks, position: { line } }: { marks: Marks; position: RecordPosition }
): Row {
  const tooLong = marks.fault === 'too_long'
  const record = bytes.subarray(start, tooLong ? Math.min(marks.end, start + MAX_EXCERPT_BYTES) : marks.end)
  const raw = record.toString('utf8')
  const invalidRow = (error: Row['errors'][number]): Row => ({
    line,
    raw,
    record: raw,
    value: null,
    externalId: null,
    price: null,
    errors: [error]
  })
  if (tooLong) return invalidRow(describeFault('too_long'))
  if (!isUtf8(record)) return invalidRow(encodingFault(record, 'utf-8')!)
  const excess = findJsonExcess(record)
  if (excess !== null) return invalidRow({ pointer: '', code: 'too_complex', message: `the line ${excess}` })
  let value: unknown
  try {
    value = JSON.parse(raw)
  } catch (error) {
    return invalidRow({
      pointer: '',
      code: 'not_json',
      message: `the line is not valid JSON${errorLocation(error)}: write one object per line`
    })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalidRow({
      pointer: '',
      code: 'not_an_object',
      message: 'the line is JSON, but not an object: write one object per line'
    })
  }
  const draft = { value: value as Record<string, unknown>, price: null, errors: [] }
  if (typeof draft.value.price === 'number') setPriceDigits(draft, priceSource(raw, draft.value.price))
  if (ERROR_MEMBER in value) delete draft.value[ERROR_MEMBER]
  const { externalId } = draft.value
  return {
    line,
    raw,
    record: raw,
    value,
    externalId: typeof externalId === 'string' ? externalId : null,
    price: draft.price,
    errors: draft.errors
  }
}

/** The source text of the number `price`. */
function priceSource(raw: string, price: number): string {
  const member = findLastMember(raw, 'price')
  return member === null ? String(price) : raw.slice(member.valueStart, member.valueEnd).trim()
}

function errorLocation(error: unknown): string {
  const offset = /position (\d+)/.exec((error as Error).message)?.[1]
  return offset === undefined ? '' : ` (at character ${Number(offset) + 1})`
}
