import { isUtf8 } from 'node:buffer'
import { encodingFault, describeFault } from './csv-decoder.ts'
import { setPriceDigits } from './cells.ts'
import { MAX_EXCERPT_BYTES, type RecordPosition } from './record-reader.ts'
import type { Marks } from './splitter.ts'
import type { Row } from './row.ts'

/** The additional member in files of failed rows; ignored when read. */
export const ERROR_MEMBER = '_error'

const PRICE_KEY = '"price"'
const NUMBER_AFTER_KEY = /\s*:\s*(-?[0-9][0-9.eE+-]*)/y
type Reviver = (this: object, ...parsed: [key: string, value: unknown, context: { source?: string }]) => unknown
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown

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
    value: null,
    externalId: null,
    price: null,
    errors: [error]
  })
  if (tooLong) return invalidRow(describeFault('too_long'))
  if (!isUtf8(record)) return invalidRow(encodingFault(record, 'utf-8')!)
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
    value,
    externalId: typeof externalId === 'string' ? externalId : null,
    price: draft.price,
    errors: draft.errors
  }
}

/**
 * The source text of the number `price`. The fast path requires that the key occurs only once in
 * the line.
 */
function priceSource(raw: string, price: number): string {
  const at = raw.indexOf(PRICE_KEY) + PRICE_KEY.length
  if (at >= PRICE_KEY.length && raw.indexOf(PRICE_KEY, at) === -1) {
    NUMBER_AFTER_KEY.lastIndex = at
    const source = NUMBER_AFTER_KEY.exec(raw)?.[1]
    if (source !== undefined && Number(source) === price) return source
  }
  return slowPriceSource(raw) ?? String(price)
}

/**
 * The source text reported by the JSON parser (https://tc39.es/proposal-json-parse-with-source/).
 */
function slowPriceSource(raw: string): string | undefined {
  const sources = new Map<object, string>()
  try {
    const value = parse(raw, function (key, value, { source }) {
      if (key === 'price' && typeof value === 'number' && source !== undefined) sources.set(this, source)
      return value
    })
    return sources.get(value as object)
  } catch {
    // A reviver cannot visit JSON nested thousands of levels deep. The schema rejects such rows.
    return undefined
  }
}

function errorLocation(error: unknown): string {
  const offset = /position (\d+)/.exec((error as Error).message)?.[1]
  return offset === undefined ? '' : ` (at character ${Number(offset) + 1})`
}
