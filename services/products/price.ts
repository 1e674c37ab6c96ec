import { problem } from '../../errors.ts'
import { hasMoreValues } from '../value-count.ts'

const NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,3}))?$/
const MAX_INTEGER_DIGITS = 10
const MAX_DECIMALS = 4
/**
 * No exponent beyond this gives a number within the limits that is not zero, written as short as
 * numbers are.
 */
const MAX_EXPONENT = 400

/**
 * A price's text as a plain decimal, digit by digit as it was sent: `9.90` stays `9.90`; an
 * exponent is worked out on the text (`1e2` is `100`), `-0` is `0`.
 * Null for what is no number in the notation of JSON (RFC 8259, section 6; zeros in front are let
 * pass), is below zero, or has more than
 * 10 digits before the point or 4 behind it, zeros at the end counted.
 */
export function toDecimalText(source: string): string | null {
  const match = NUMBER.exec(source)
  if (match === null) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const moved = movePoint(whole, fraction, Number(exponent))
  if (moved === null) return null
  const integer = moved.integer.replace(/^0+(?=[0-9])/, '')
  if (integer.length > MAX_INTEGER_DIGITS || moved.decimals.length > MAX_DECIMALS) return null
  const text = moved.decimals === '' ? integer : `${integer}.${moved.decimals}`
  if (sign === '-') return /[1-9]/.test(text) ? null : text
  return text
}

function movePoint(whole: string, fraction: string, by: number): { integer: string; decimals: string } | null {
  if (by === 0) return { integer: whole, decimals: fraction }
  if (Math.abs(by) > MAX_EXPONENT) return /[1-9]/.test(whole + fraction) ? null : { integer: '0', decimals: '' }
  const point = whole.length + by
  const digits =
    '0'.repeat(Math.max(0, -point)) + whole + fraction + '0'.repeat(Math.max(0, point - whole.length - fraction.length))
  const at = Math.max(0, point)
  return { integer: digits.slice(0, at) || '0', decimals: digits.slice(at) }
}

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
const MAX_VALUES = 1_500_000

/**
 * Parses JSON and remembers how each member `price` was written, because a float forgets it
 * (`9.90`, `0.1`).
 * The source text of a number: https://tc39.es/proposal-json-parse-with-source/. Throws
 * SyntaxError, and `payload_too_large` past 1,500,000 values.
 */
export function parseWithPrices(text: string): unknown {
  if (countValueStarts(text) > MAX_VALUES && hasMoreValues(JSON.parse(text), MAX_VALUES)) {
    throw problem('payload_too_large', `A body may have ${MAX_VALUES} values.`, { members: { limit: MAX_VALUES } })
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
  return toDecimalText(sources.get(row) ?? String(row.price))
}

/** JSON in which each `price` stands as it was written in what was parsed here. */
export function stringifyWithPrices(value: unknown): string {
  return JSON.stringify(value, function (this: object, key: string, member: unknown) {
    const source = key === 'price' ? sources.get(this) : undefined
    return source === undefined ? member : rawJson(source)
  })
}

/** A number that JSON.stringify writes digit by digit as this text. */
export function rawNumber(text: string): number {
  return rawJson(text)
}

/**
 * How many signs there are after which a value may begin: no fewer than there are values but the
 * outermost, and more where texts have such signs.
 */
function countValueStarts(text: string): number {
  let found = 0
  for (let i = 0; i < text.length; i++) {
    const sign = text.charCodeAt(i)
    if (sign === COMMA || sign === BRACKET || sign === BRACE) found++
  }
  return found
}
