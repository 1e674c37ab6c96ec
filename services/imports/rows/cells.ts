import type { FieldError } from '../../../errors.ts'
import { toDecimalText } from '../../products/price.ts'
import type { Draft } from './row.ts'

const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const WITH_CURRENCY = /^(\S+) ([A-Z]{3})$/

/**
 * Takes over a price that is written as a plain decimal number; any other way of writing is an
 * error that says how to write it.
 */
export function setPrice(draft: Draft, text: string): void {
  if (!NUMBER.test(text)) {
    draft.errors.push(localePriceError(text))
    return
  }
  draft.value.price = Number(text)
  setPriceDigits(draft, text)
}

/**
 * Remembers the digits of a price. What lies outside of its range is left for the schema to say.
 */
export function setPriceDigits(draft: Draft, text: string): void {
  draft.price = toDecimalText(text)
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
export function setPriceWithCurrency(draft: Draft, text: string): void {
  const [, amount, currency] = WITH_CURRENCY.exec(text) ?? []
  setPrice(draft, amount ?? text)
  if (currency !== undefined) draft.value.currency = currency
}

function localePriceError(text: string): FieldError {
  const digits = text.replace(/[^0-9.,]/g, '')
  if (!/[0-9]/.test(digits)) {
    return { pointer: '/price', code: 'not_a_number', message: 'must be a number such as 1299.00' }
  }
  const ways = plainForms(digits)
    .map((way) => toDecimalText(way))
    .filter((way) => way !== null)
  const hint = ways.length === 0 ? 'write it as 1299.00' : `write ${ways.join(' or ')}`
  return {
    pointer: '/price',
    code: 'locale_price',
    message: `must be a plain decimal number: ${hint}, without thousands separators or a currency`
  }
}

/** What may be meant by digits with points and commas. */
function plainForms(text: string): string[] {
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

/** How a cell becomes a value of a row. */
export type CellSetter = (draft: Draft, text: string) => void

const ATTRIBUTE = 'attributes.'
/** Fields whose cells spreadsheets spoil. */
const IDENTIFIERS = new Set(['externalId', 'sku', 'mpn'])
const ROUNDED = /^[0-9](?:[.,][0-9]+)?E\+[0-9]+$/i
const URLS_BEGIN = /\s*,\s*(?=https?:\/\/)/i

/** What to do with a non-empty, trimmed cell of this field: one of ours, or `attributes.<name>`. */
export function cellSetter(field: string): CellSetter {
  if (field.startsWith(ATTRIBUTE)) {
    const name = field.slice(ATTRIBUTE.length)
    return (draft, text) => setAttribute(draft, name, text)
  }
  switch (field) {
    case 'price':
      return setPrice
    case 'gtin':
      return (draft, text) => setIdentifier(draft, 'gtin', cleanGtin(text))
    case 'images':
      return (draft, text) => {
        draft.value.images = parseUrls(text)
      }
    case 'tags':
      return (draft, text) => {
        draft.value.tags = parseList(text)
      }
    case 'availability':
      return (draft, text) => {
        draft.value.availability = text.toLowerCase().replaceAll(' ', '_')
      }
  }
  if (IDENTIFIERS.has(field)) return (draft, text) => setIdentifier(draft, field, text)
  return (draft, text) => {
    draft.value[field] = text
  }
}

export function setAttribute(draft: Draft, name: string, text: string): void {
  const attributes = (draft.value.attributes ??= {}) as Record<string, string>
  // A column may be named __proto__.
  Object.defineProperty(attributes, name, { value: text, enumerable: true, configurable: true, writable: true })
}

/** An identifier; one that a spreadsheet took for a number and rounded is an error. */
export function setIdentifier(draft: Draft, field: string, text: string): void {
  if (ROUNDED.test(text)) {
    draft.errors.push({
      pointer: `/${field}`,
      code: 'spreadsheet_number',
      message: 'was rounded by a spreadsheet; give the column the format Text there, enter it again and export anew'
    })
  } else draft.value[field] = text
}

/**
 * A GTIN without what spreadsheets are given so that they keep its zeros: `'0400…`, `="0400…"`; and
 * without blanks.
 */
export function cleanGtin(text: string): string {
  return text.replace(/^(?:'|=)/, '').replace(/["\s]/g, '')
}

/**
 * Several addresses in a cell, separated by `|`, or by commas; a comma may also be part of an
 * address.
 */
export function parseUrls(text: string): string[] {
  return split(text, text.includes('|') ? '|' : URLS_BEGIN)
}

function parseList(text: string): string[] {
  return split(text, text.includes('|') ? '|' : ',')
}

function split(text: string, separator: string | RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
