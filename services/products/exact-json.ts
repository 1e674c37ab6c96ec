import { problem } from '../../errors.ts'
import { hasMoreValues } from '../value-count.ts'
import { decimalText } from './decimal-text.ts'

/** The text of the price of each object that was parsed here. */
const sources = new WeakMap<object, string>()

type Reviver = (this: object, ...parsed: [key: string, value: unknown, context: { source?: string }]) => unknown
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown
const rawJson = (JSON as unknown as { rawJSON: (text: string) => number }).rawJSON

const COMMA = 0x2c
const BRACKET = 0x5b
const BRACE = 0x7b

/**
 * Most values in what is parsed here; 5,000 products that use up every limit have 1,350,000. Going
 * through each takes about a microsecond, in which nobody else is served.
 */
const MOST_VALUES = 1_500_000

/**
 * Parses JSON and remembers how each member `price` was written, because a float forgets it
 * (`9.90`, `0.1`).
 * The source text of a number: https://tc39.es/proposal-json-parse-with-source/. Throws
 * SyntaxError, and `payload_too_large` past 1,500,000 values.
 */
export function parseExactly(text: string): unknown {
  if (beginnings(text) > MOST_VALUES && hasMoreValues(JSON.parse(text), MOST_VALUES)) {
    throw problem('payload_too_large', `A body may have ${MOST_VALUES} values.`, { members: { limit: MOST_VALUES } })
  }
  return parse(text, function (key, value, { source }) {
    if (key === 'price' && typeof value === 'number' && source !== undefined) sources.set(this, source)
    return value
  })
}

/**
 * The price of a row digit by digit: as it was written where the row was parsed here, else as the
 * number reads. Null when it has more digits than a price may have.
 */
export function priceText(row: { price?: number | null | undefined }): string | null {
  return decimalText(sources.get(row) ?? String(row.price))
}

/** JSON in which each `price` stands as it was written in what was parsed here. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, function (this: object, key: string, member: unknown) {
    const source = key === 'price' ? sources.get(this) : undefined
    return source === undefined ? member : rawJson(source)
  })
}

/** A number that JSON.stringify writes digit by digit as this text. */
export function exactNumber(text: string): number {
  return rawJson(text)
}

/**
 * How many signs there are after which a value may begin: no fewer than there are values but the
 * outermost, and more where texts have such signs.
 */
function beginnings(text: string): number {
  let found = 0
  for (let i = 0; i < text.length; i++) {
    const sign = text.charCodeAt(i)
    if (sign === COMMA || sign === BRACKET || sign === BRACE) found++
  }
  return found
}
