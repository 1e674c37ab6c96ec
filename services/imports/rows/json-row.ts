import { isUtf8 } from 'node:buffer'
import { encodingFault, describeFault } from './csv-decoder.ts'
import { setPriceDigits } from './cells.ts'
import { MAX_EXCERPT_BYTES, type RecordPosition } from './record-reader.ts'
import type { Marks } from './splitter.ts'
import type { Row } from './row.ts'

/** The member that our files of failed rows have more; reading passes over it. */
export const ERROR_MEMBER = '_error'

const PRICE_KEY = '"price"'
const NUMBER_AFTER_KEY = /\s*:\s*(-?[0-9][0-9.eE+-]*)/y
type Reviver = (this: object, ...parsed: [key: string, value: unknown, context: { source?: string }]) => unknown
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown

/** The row of a line of NDJSON (RFC 8259). */
export function jsonRow(
  bytes: Buffer,
  start: number,
  { marks, place: { line } }: { marks: Marks; place: RecordPosition }
): Row {
  const tooLong = marks.fault === 'too_long'
  const record = bytes.subarray(start, tooLong ? Math.min(marks.end, start + MAX_EXCERPT_BYTES) : marks.end)
  const raw = record.toString('utf8')
  const broken = (error: Row['errors'][number]): Row => ({
    line,
    raw,
    value: null,
    externalId: null,
    price: null,
    errors: [error]
  })
  if (tooLong) return broken(describeFault('too_long'))
  if (!isUtf8(record)) return broken(encodingFault(record, 'utf-8')!)
  let value: unknown
  try {
    value = JSON.parse(raw)
  } catch (error) {
    return broken({
      pointer: '',
      code: 'not_json',
      message: `the line is not JSON${where(error)}; write one object a line`
    })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return broken({ pointer: '', code: 'not_an_object', message: 'the line is JSON, but not an object' })
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
 * How the number `price` of the object is written. The quick way is for lines that have the key but
 * once.
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
 * The same by the parser itself, which tells the source text of numbers
 * (https://tc39.es/proposal-json-parse-with-source/).
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
    // JSON that is nested thousands of levels deep is parsed, but not gone through. No product is;
    // the schema says so.
    return undefined
  }
}

function where(error: unknown): string {
  const position = /position (\d+)/.exec((error as Error).message)?.[1]
  return position === undefined ? '' : ` (at character ${Number(position) + 1})`
}
