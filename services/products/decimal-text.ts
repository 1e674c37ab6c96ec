const NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,3}))?$/
const MOST_INTEGER_DIGITS = 10
const MOST_DECIMALS = 4
/**
 * No exponent beyond this gives a number within the limits that is not zero, written as short as
 * numbers are.
 */
const WIDEST_SHIFT = 400

/**
 * A price's text as a plain decimal, digit by digit as it was sent: `9.90` stays `9.90`; an
 * exponent is worked out on the text (`1e2` is `100`), `-0` is `0`.
 * Null for what is no number in the notation of JSON (RFC 8259, section 6; zeros in front are let
 * pass), is below zero, or has more than
 * 10 digits before the point or 4 behind it, zeros at the end counted.
 */
export function decimalText(source: string): string | null {
  const match = NUMBER.exec(source)
  if (match === null) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const moved = movePoint(whole, fraction, Number(exponent))
  if (moved === null) return null
  const integer = moved.integer.replace(/^0+(?=[0-9])/, '')
  if (integer.length > MOST_INTEGER_DIGITS || moved.decimals.length > MOST_DECIMALS) return null
  const text = moved.decimals === '' ? integer : `${integer}.${moved.decimals}`
  if (sign === '-') return /[1-9]/.test(text) ? null : text
  return text
}

function movePoint(whole: string, fraction: string, by: number): { integer: string; decimals: string } | null {
  if (by === 0) return { integer: whole, decimals: fraction }
  if (Math.abs(by) > WIDEST_SHIFT) return /[1-9]/.test(whole + fraction) ? null : { integer: '0', decimals: '' }
  const point = whole.length + by
  const digits =
    '0'.repeat(Math.max(0, -point)) + whole + fraction + '0'.repeat(Math.max(0, point - whole.length - fraction.length))
  const at = Math.max(0, point)
  return { integer: digits.slice(0, at) || '0', decimals: digits.slice(at) }
}
