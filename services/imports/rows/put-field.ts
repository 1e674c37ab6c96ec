import { putPrice } from './price-cell.ts'
import type { Draft } from './row.ts'

/** How a cell becomes a value of a row. */
export type PutField = (draft: Draft, text: string) => void

const ATTRIBUTE = 'attributes.'
/** Fields whose cells spreadsheets spoil. */
const NUMBERED = new Set(['externalId', 'sku', 'mpn'])
const ROUNDED = /^[0-9](?:[.,][0-9]+)?E\+[0-9]+$/i
const URLS_BEGIN = /\s*,\s*(?=https?:\/\/)/i

/** What to do with a non-empty, trimmed cell of this field: one of ours, or `attributes.<name>`. */
export function putField(field: string): PutField {
  if (field.startsWith(ATTRIBUTE)) {
    const name = field.slice(ATTRIBUTE.length)
    return (draft, text) => putAttribute(draft, name, text)
  }
  switch (field) {
    case 'price':
      return putPrice
    case 'gtin':
      return (draft, text) => putNumbered(draft, 'gtin', bareGtin(text))
    case 'images':
      return (draft, text) => {
        draft.value.images = urlsOf(text)
      }
    case 'tags':
      return (draft, text) => {
        draft.value.tags = listOf(text)
      }
    case 'availability':
      return (draft, text) => {
        draft.value.availability = text.toLowerCase().replaceAll(' ', '_')
      }
  }
  if (NUMBERED.has(field)) return (draft, text) => putNumbered(draft, field, text)
  return (draft, text) => {
    draft.value[field] = text
  }
}

export function putAttribute(draft: Draft, name: string, text: string): void {
  const attributes = (draft.value.attributes ??= {}) as Record<string, string>
  // A column may be named __proto__.
  Object.defineProperty(attributes, name, { value: text, enumerable: true, configurable: true, writable: true })
}

/** An identifier; one that a spreadsheet took for a number and rounded is an error. */
export function putNumbered(draft: Draft, field: string, text: string): void {
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
export function bareGtin(text: string): string {
  return text.replace(/^(?:'|=)/, '').replace(/["\s]/g, '')
}

/**
 * Several addresses in a cell, separated by `|`, or by commas; a comma may also be part of an
 * address.
 */
export function urlsOf(text: string): string[] {
  return split(text, text.includes('|') ? '|' : URLS_BEGIN)
}

function listOf(text: string): string[] {
  return split(text, text.includes('|') ? '|' : ',')
}

function split(text: string, separator: string | RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
