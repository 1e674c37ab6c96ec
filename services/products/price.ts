const NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,3}))?$/
const MAX_INTEGER_DIGITS = 10
const MAX_DECIMALS = 4
/** No larger exponent can give a nonzero number within the limits. */
const MAX_EXPONENT = 400

/**
 * Converts a price to plain decimal text and keeps its digits: `9.90` stays `9.90`, `1e2` becomes
 * `100`, `-0` becomes `0`.
 * More than 4 decimals are rounded half to even, as a product of JavaScript numbers such as
 * `19.99 * 1.19` has them; trailing zeros beyond them are dropped.
 * Returns null for anything but a JSON number (RFC 8259, section 6; leading zeros are accepted),
 * for negative numbers, and for more than 10 digits before the decimal point.
 */
export function toDecimalText(source: string): string | null {
  const match = NUMBER.exec(source)
  if (match === null) return null
  const [, sign, digits = '', fraction = '', exponent = '0'] = match
  const moved = movePoint(digits, fraction, Number(exponent))
  if (moved === null) return null
  // Before the digits become a BigInt, which takes quadratic time.
  const significant = { ...moved, integer: moved.integer.replace(/^0+(?=[0-9])/, '') }
  if (significant.integer.length > MAX_INTEGER_DIGITS) return null
  const rounded = significant.decimals.length > MAX_DECIMALS ? roundHalfEven(significant) : significant
  const integer = rounded.integer.replace(/^0+(?=[0-9])/, '')
  if (integer.length > MAX_INTEGER_DIGITS) return null
  const text = rounded.decimals === '' ? integer : `${integer}.${rounded.decimals}`
  if (sign === '-') return /[1-9]/.test(text) ? null : text
  return text
}

/** Rounds to 4 decimals, a half to the even digit. */
function roundHalfEven({ integer, decimals }: { integer: string; decimals: string }) {
  const rest = decimals.slice(MAX_DECIMALS)
  const scaled = BigInt(integer + decimals.slice(0, MAX_DECIMALS))
  const isHalf = /^50*$/.test(rest)
  const roundsUp = isHalf ? scaled % 2n === 1n : rest[0]! >= '5'
  const digits = String(roundsUp ? scaled + 1n : scaled).padStart(MAX_DECIMALS + 1, '0')
  return { integer: digits.slice(0, -MAX_DECIMALS), decimals: digits.slice(-MAX_DECIMALS) }
}

/** Whether storing this number as a price changes its value: it has more than 4 decimals. */
export function isRounded(source: string): boolean {
  const match = NUMBER.exec(source)
  if (match === null) return false
  const moved = movePoint(match[2]!, match[3] ?? '', Number(match[4] ?? 0))
  return moved !== null && /[1-9]/.test(moved.decimals.slice(MAX_DECIMALS))
}

function movePoint(integer: string, fraction: string, by: number): { integer: string; decimals: string } | null {
  if (by === 0) return { integer, decimals: fraction }
  if (Math.abs(by) > MAX_EXPONENT) return /[1-9]/.test(integer + fraction) ? null : { integer: '0', decimals: '' }
  const point = integer.length + by
  const digits =
    '0'.repeat(Math.max(0, -point)) +
    integer +
    fraction +
    '0'.repeat(Math.max(0, point - integer.length - fraction.length))
  const at = Math.max(0, point)
  return { integer: digits.slice(0, at) || '0', decimals: digits.slice(at) }
}

/** The original price text of each object parsed by `parseWithPrices`. */
const sources = new WeakMap<object, string>()

type Reviver = (this: object, ...parsed: [key: string, value: unknown, context: { source?: string }]) => unknown
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown
const rawJson = (JSON as unknown as { rawJSON: (text: string) => number }).rawJSON

/** A name may be escaped, in whole or in part. */
const MAY_HAVE_PRICE = /price|\\u/

/**
 * Parses JSON and remembers the original text of each member `price`, because a float loses digits
 * (`9.90`, `0.1`).
 * Source text of numbers: https://tc39.es/proposal-json-parse-with-source/. Throws SyntaxError.
 */
export function parseWithPrices(text: string): unknown {
  // With a reviver, parsing takes three times as long.
  if (!MAY_HAVE_PRICE.test(text)) return JSON.parse(text)
  return parse(text, function (key, value, { source }) {
    if (key === 'price' && typeof value === 'number' && source !== undefined) sources.set(this, source)
    return value
  })
}

/**
 * The price of a row as plain decimal text: the original digits if the row was parsed here,
 * otherwise those of the number. Null if the price has too many digits.
 */
export function priceText(row: { price?: number | null | undefined }): string | null {
  return toDecimalText(sources.get(row) ?? String(row.price))
}

/** Whether the price of a row is rounded: see `toDecimalText`. */
export function isPriceRounded(row: { price?: number | null | undefined }): boolean {
  return row.price != null && isRounded(sources.get(row) ?? String(row.price))
}

/** Serializes to JSON with the original text of each `price` that was parsed here. */
export function stringifyWithPrices(value: unknown): string {
  return JSON.stringify(value, function (this: object, key: string, member: unknown) {
    const source = key === 'price' ? sources.get(this) : undefined
    return source === undefined ? member : rawJson(source)
  })
}

/** A value that JSON.stringify writes as exactly these digits. */
export function rawNumber(text: string): number {
  return rawJson(text)
}
