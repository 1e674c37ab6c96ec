import type { FieldError } from '../../errors.ts'
import type { ProductInputs } from '../../ports/store/port.ts'
import { MAX_CATEGORY_LEVELS, type ProductRow } from '../../schemas/product.ts'
import { priceText } from './exact-json.ts'

/** What a row says: which fields it changes, and to what. */
export type ProductChange = Partial<ProductInputs>
type RowFields = Omit<Partial<ProductRow>, 'projectId' | 'externalId'>

/** A product's own identifier as it is compared: trimmed, NFC; case counts. */
export const canonicalExternalId = (text: string) => text.trim().normalize('NFC').toWellFormed()

const text = (value: string) => value.trim().normalize('NFC').toWellFormed()
const textOrNull = (value: string | null) => (value === null || text(value) === '' ? null : text(value))
const TEXTS = ['sku', 'description', 'url', 'imageUrl', 'brand', 'gtin', 'mpn', 'currency', 'locale'] as const

/**
 * The change that a row of a sound schema means, and what no schema can see is wrong with it.
 * `null` clears a field; what is left out is not in the change.
 * `price` is the text that was sent where the caller knows it better than the row does. The row is
 * the very object that was parsed: a copy has forgotten how its price was written.
 */
export function changeOf(row: RowFields, price?: string | null): { change: ProductChange; errors: FieldError[] } {
  const change: ProductChange = {}
  const errors: FieldError[] = []
  if (row.title !== undefined) change.title = text(row.title)
  for (const name of TEXTS) if (row[name] !== undefined) change[name] = textOrNull(row[name])
  if (row.availability !== undefined) change.availability = row.availability
  if (row.images !== undefined) change.images = row.images ?? []
  if (row.tags !== undefined) change.tags = [...new Set((row.tags ?? []).map(text).filter((tag) => tag !== ''))]
  if (row.attributes !== undefined) change.attributes = attributesOf(row.attributes ?? {})
  if (row.category !== undefined) {
    change.category = row.category === null ? null : categoryPath(row.category)
    if ((change.category?.split(' > ').length ?? 0) > MAX_CATEGORY_LEVELS) {
      errors.push({
        pointer: '/category',
        code: 'too_deep',
        message: `must have at most ${MAX_CATEGORY_LEVELS} levels`
      })
    }
  }
  if (row.price !== undefined) {
    change.price = row.price === null ? null : (price ?? priceText(row))
    if (row.price !== null && change.price === null) {
      errors.push({
        pointer: '/price',
        code: 'price_digits',
        message: 'must have at most 10 digits before the decimal point and 4 after it'
      })
    }
  }
  return { change, errors }
}

/** Levels joined by ' > ', without empty ones; null when nothing is left. */
export function categoryPath(path: string): string | null {
  const levels = text(path)
    .split('>')
    .map((level) => level.trim())
    .filter((level) => level !== '')
  return levels.length === 0 ? null : levels.join(' > ')
}

function attributesOf(given: Record<string, string>): Record<string, string> {
  const pairs = Object.entries(given).map(([name, value]) => [text(name), text(value)] as const)
  return Object.fromEntries(pairs.filter(([name, value]) => name !== '' && value !== ''))
}
