import type { FieldError } from '../../errors.ts'
import type { ProductInputs } from '../../ports/store/port.ts'
import { MAX_CATEGORY_LEVELS, ProductRow } from '../../schemas/product.ts'
import { priceText } from './price.ts'
import type { TSchema } from '@sinclair/typebox'
import type { SoundRow } from './write.ts'

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
export function toProductChange(
  row: RowFields,
  price?: string | null
): { change: ProductChange; errors: FieldError[] } {
  const change: ProductChange = {}
  const errors: FieldError[] = []
  if (row.title !== undefined) change.title = text(row.title)
  for (const name of TEXTS) if (row[name] !== undefined) change[name] = textOrNull(row[name])
  if (row.availability !== undefined) change.availability = row.availability
  if (row.images !== undefined) change.images = row.images ?? []
  if (row.tags !== undefined) change.tags = [...new Set((row.tags ?? []).map(text).filter((tag) => tag !== ''))]
  if (row.attributes !== undefined) change.attributes = normalizeAttributes(row.attributes ?? {})
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

function normalizeAttributes(given: Record<string, string>): Record<string, string> {
  const pairs = Object.entries(given).map(([name, value]) => [text(name), text(value)] as const)
  return Object.fromEntries(pairs.filter(([name, value]) => name !== '' && value !== ''))
}

/** Most parts of a row, and of each of its fields, of which each is checked. */
const MAX_PARTS = 1000

/** What is wrong with a value that should be of this noun; pointers begin at the value. */
export type SchemaValidator = (noun: TSchema, value: unknown) => FieldError[]

/**
 * A row as it came: `price` is its price's text where the reader knows it, `errors` what the reader
 * found wrong already.
 */
export interface RawRow {
  line: number
  value: unknown
  price?: string | null
  errors?: FieldError[]
}
export type ValidatedRow = { line: number; externalId: string | null; errors: FieldError[]; valid: SoundRow | null }

/** Checks a row against the schema, its project and what no schema can see. */
export function validateRow(
  { line, value, price, errors: found = [] }: RawRow,
  { projectId, check }: { projectId: string; check: SchemaValidator }
): ValidatedRow {
  const given = readExternalId(value)
  const failed = (errors: FieldError[]): ValidatedRow => ({ line, externalId: given, errors, valid: null })
  if (found.length > 0) return failed(found)
  const oversized = typeof value === 'object' ? oversizedPart(value) : null
  if (oversized !== null) {
    return failed([
      {
        pointer: oversized,
        code: 'too_many_parts',
        message: `has more than ${MAX_PARTS} parts, which no field of a product may have`
      }
    ])
  }
  const wrong = check(ProductRow, value)
  if (wrong.length > 0) return failed(wrong)
  const row = value as ProductRow
  const { projectId: named, externalId } = row
  if (named !== undefined && named !== projectId) {
    return failed([
      {
        pointer: '/projectId',
        code: 'other_project',
        message: `must be left out or be ${projectId}, which the request names`
      }
    ])
  }
  const { change, errors } = toProductChange(row, price)
  if (errors.length > 0) return failed(errors)
  const id = canonicalExternalId(externalId)
  return { line, externalId: id, errors: [], valid: { line, externalId: id, change } }
}

/**
 * Where a row has more parts than any that is nearly right. To name what is wrong with each of a
 * million would take seconds and a gigabyte.
 */
function oversizedPart(value: unknown): string | null {
  if (countParts(value) > MAX_PARTS) return ''
  const oversized = Object.entries(value ?? {}).find(([, part]) => countParts(part) > MAX_PARTS)
  return oversized === undefined ? null : `/${oversized[0].replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function countParts(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Array.isArray(value) ? value.length : Object.keys(value).length
}

function readExternalId(value: unknown): string | null {
  const id = (value as { externalId?: unknown } | null)?.externalId
  return typeof id === 'string' ? id.slice(0, 255) : null
}
