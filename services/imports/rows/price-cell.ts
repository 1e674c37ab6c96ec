import type { FieldError } from '../../../errors.ts'
import { decimalText } from '../../products/decimal-text.ts'
import type { Draft } from './row.ts'

const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const WITH_CURRENCY = /^(\S+) ([A-Z]{3})$/

/**
 * Takes over a price that is written as a plain decimal number; any other way of writing is an
 * error that says how to write it.
 */
export function putPrice(draft: Draft, text: string): void {
  if (!NUMBER.test(text)) {
    draft.errors.push(notPlain(text))
    return
  }
  draft.value.price = Number(text)
  putDigits(draft, text)
}

/**
 * Remembers the digits of a price. What lies outside of its range is left for the schema to say.
 */
export function putDigits(draft: Draft, text: string): void {
  draft.price = decimalText(text)
  const price = Number(text)
  if (draft.price === null && price >= 0 && price < 1e10) {
    draft.errors.push({
      pointer: '/price',
      code: 'price_digits',
      message: 'must have at most 10 digits before the point and 4 behind it'
    })
  }
}

/**
 * A price of the Google feed: `12.50 EUR` (support.google.com/merchants/answer/6324371), or a plain
 * decimal number.
 */
export function putPriceWithCurrency(draft: Draft, text: string): void {
  const [, amount, currency] = WITH_CURRENCY.exec(text) ?? []
  putPrice(draft, amount ?? text)
  if (currency !== undefined) draft.value.currency = currency
}

function notPlain(text: string): FieldError {
  const digits = text.replace(/[^0-9.,]/g, '')
  if (!/[0-9]/.test(digits)) {
    return { pointer: '/price', code: 'not_a_number', message: 'must be a number such as 1299.00' }
  }
  const ways = plainWays(digits)
    .map((way) => decimalText(way))
    .filter((way) => way !== null)
  const hint = ways.length === 0 ? 'write it as 1299.00' : `write ${ways.join(' or ')}`
  return {
    pointer: '/price',
    code: 'locale_price',
    message: `must be a plain decimal number: ${hint}, without thousands separators or a currency`
  }
}

/** What may be meant by digits with points and commas. */
function plainWays(text: string): string[] {
  const whole = text.replace(/[.,]/g, '')
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  if (last === -1) return [whole]
  const decimal = `${text.slice(0, last).replace(/[.,]/g, '') || '0'}.${text.slice(last + 1)}`
  const sign = text[last]!
  const alone = text.indexOf(sign) === last
  const mixed = text.includes(sign === '.' ? ',' : '.')
  if (!alone) return [whole]
  if (mixed || text.length - last !== 4) return text.endsWith(sign) ? [whole] : [decimal]
  return sign === '.' ? [decimal] : [whole, decimal]
}
