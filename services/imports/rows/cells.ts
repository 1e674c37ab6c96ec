import type { FieldError } from '../../../errors.ts'
import type { SeoInput } from '../../../schemas/product.ts'
import { toDecimalText } from '../../products/price.ts'
import type { Draft } from './row.ts'

const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const WITH_CURRENCY = /^(\S+) ([A-Z]{3})$/

/**
 * Sets a price written as a plain decimal number; any other notation is an error with a suggested
 * correction.
 */
export function setPrice(draft: Draft, text: string): void {
  if (!NUMBER.test(text)) {
    draft.errors.push(localePriceError(text))
    return
  }
  draft.value.price = Number(text)
  setPriceDigits(draft, text)
}

/** Stores the digits of a price. The schema reports values out of range. */
export function setPriceDigits(draft: Draft, text: string): void {
  draft.price = toDecimalText(text)
  const price = Number(text)
  if (draft.price === null && price >= 0 && price < 1e10) {
    draft.errors.push({
      pointer: '/price',
      code: 'price_digits',
      message: 'must have at most 10 digits before the decimal point'
    })
  }
}

/**
 * Sets a price of a Google feed: `12.50 EUR` (support.google.com/merchants/answer/6324371), or a
 * plain decimal number.
 */
export function setPriceWithCurrency(draft: Draft, text: string): void {
  const [, amount, currency] = WITH_CURRENCY.exec(text) ?? []
  setPrice(draft, amount ?? text)
  if (currency !== undefined) draft.value.currency = currency
}

function localePriceError(text: string): FieldError {
  const digits = text.replace(/[^0-9.,]/g, '')
  if (!/[0-9]/.test(digits)) {
    return { pointer: '/price', code: 'not_a_number', message: 'must be a plain decimal number such as 1299.00' }
  }
  const candidates = plainForms(digits)
    .map((candidate) => toDecimalText(candidate))
    .filter((candidate) => candidate !== null)
  const hint = candidates.length === 0 ? 'write it as 1299.00' : `write ${candidates.join(' or ')}`
  return {
    pointer: '/price',
    code: 'locale_price',
    message: `must be a plain decimal number: ${hint}, without thousands separators or a currency`
  }
}

/** The possible readings of digits with points and commas. */
function plainForms(text: string): string[] {
  const integer = text.replace(/[.,]/g, '')
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  if (last === -1) return [integer]
  const decimal = `${text.slice(0, last).replace(/[.,]/g, '') || '0'}.${text.slice(last + 1)}`
  const separator = text[last]!
  const isSingle = text.indexOf(separator) === last
  const isMixed = text.includes(separator === '.' ? ',' : '.')
  if (!isSingle) return [integer]
  if (isMixed || text.length - last !== 4) return text.endsWith(separator) ? [integer] : [decimal]
  return separator === '.' ? [decimal] : [integer, decimal]
}

/** Converts a cell to a value of the row. */
export type CellSetter = (draft: Draft, text: string) => void

const ATTRIBUTE = 'attributes.'
const SEO = 'seo.'
/** Fields whose cells spreadsheets may corrupt. */
const IDENTIFIERS = new Set(['externalId', 'sku', 'mpn'])
const ROUNDED = /^[0-9](?:[.,][0-9]+)?E\+[0-9]+$/i
const URLS_BEGIN = /,\s*(?=https?:\/\/)/i

/** The setter for non-empty, trimmed cells of a field: a product field or `attributes.<name>`. */
export function cellSetter(field: string): CellSetter {
  if (field.startsWith(ATTRIBUTE)) {
    const name = field.slice(ATTRIBUTE.length)
    return (draft, text) => setAttribute(draft, name, text)
  }
  if (field.startsWith(SEO)) {
    const name = field.slice(SEO.length)
    return (draft, text) => setSeo(draft, { [name]: text })
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

/** Sets manual values. Empty texts are omitted. */
export function setSeo(draft: Draft, texts: SeoInput): void {
  const written = Object.entries(texts).filter(([, text]) => text !== null && text.trim() !== '')
  if (written.length === 0) return
  draft.value.seo = { ...(draft.value.seo as SeoInput | undefined), ...Object.fromEntries(written) }
}

export function setAttribute(draft: Draft, name: string, text: string): void {
  const attributes = (draft.value.attributes ??= {}) as Record<string, string>
  // Safe for a column named __proto__.
  Object.defineProperty(attributes, name, { value: text, enumerable: true, configurable: true, writable: true })
}

/** Sets an identifier; a number rounded by a spreadsheet is an error. */
export function setIdentifier(draft: Draft, field: string, text: string): void {
  if (ROUNDED.test(text)) {
    draft.errors.push({
      pointer: `/${field}`,
      code: 'spreadsheet_number',
      message:
        'was rounded by a spreadsheet: format the column as text, enter the value again and export the file again'
    })
  } else draft.value[field] = text
}

/**
 * Removes whitespace and the spreadsheet notation that preserves leading zeros: `'0400…`,
 * `="0400…"`.
 */
export function cleanGtin(text: string): string {
  return text.replace(/^(?:'|=)/, '').replace(/["\s]/g, '')
}

/** Splits the URLs of a cell, separated by `|` or by commas. A comma may also be part of a URL. */
export function parseUrls(text: string): string[] {
  return split(text, text.includes('|') ? '|' : URLS_BEGIN)
}

/** Splits the tags of a cell, separated by `|` or by commas. */
export function parseList(text: string): string[] {
  return split(text, text.includes('|') ? '|' : ',')
}

function split(text: string, separator: string | RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
