import type { FieldError } from '../../errors.ts'
import type { ProductInputs } from '../../ports/store/port.ts'
import { MAX_CATEGORY_LEVELS, MAX_PRODUCT_BYTES, ProductRow } from '../../schemas/product.ts'
import { isPriceRounded, priceText } from './price.ts'
import { overrideErrors } from './seo-overrides.ts'
import type { TSchema } from '@sinclair/typebox'
import type { ValidRow } from './write.ts'
import { normalize } from '../../lib/normalize.ts'

/** The fields that a row changes, with their new values. */
export type ProductChange = Partial<ProductInputs>
type RowFields = Omit<Partial<ProductRow>, 'projectId' | 'externalId' | 'seo'>

/** The normalized externalId used for comparison: trimmed, NFC, case-sensitive. */
export const canonicalExternalId = (text: string) => normalize(text.trim(), 'NFC').toWellFormed()

const text = (value: string) => normalize(value.trim(), 'NFC').toWellFormed()
const textOrNull = (value: string | null) => (value === null || text(value) === '' ? null : text(value))
const TEXTS = [
  'sku',
  'description',
  'url',
  'imageUrl',
  'brand',
  'gtin',
  'mpn',
  'currency',
  'locale',
  'groupId'
] as const

/**
 * Converts a schema-valid row into a change, and reports errors that a schema cannot express.
 * `null` clears a field; an omitted field is not part of the change.
 * `price` is the original price text, if the caller knows it. `row` must be the parsed object
 * itself: a copy loses the original digits of its price.
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
        message: 'must have at most 10 digits before the decimal point'
      })
    }
  }
  if (errors.length === 0) errors.push(...sizeErrors(change))
  return { change, errors }
}

/**
 * Products are read and written one by one, each without a pause. The limit counts bytes of JSON,
 * because escaping multiplies the length of some texts by six.
 */
function sizeErrors(change: ProductChange): FieldError[] {
  const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
  const bytes = sizeOf(change)
  if (bytes <= MAX_PRODUCT_BYTES) return []
  const [largest] = Object.entries(change).toSorted(([, a], [, b]) => sizeOf(b) - sizeOf(a))[0]!
  const kilobytes = (count: number) => `${Math.ceil(count / 1024).toLocaleString('en')} KB`
  return [
    {
      pointer: `/${largest}`,
      code: 'too_large',
      message:
        `must be shorter: the product has ${kilobytes(bytes)} as JSON, ` +
        `and at most ${kilobytes(MAX_PRODUCT_BYTES)} are allowed`
    }
  ]
}

/** Category levels joined by ' > ', without empty levels; null if none is left. */
export function categoryPath(path: string): string | null {
  const levels = text(path)
    .split('>')
    .map((level) => level.trim())
    .filter((level) => level !== '')
  return levels.length === 0 ? null : levels.join(' > ')
}

function normalizeAttributes(input: Record<string, string>): Record<string, string> {
  const pairs = Object.entries(input).map(([name, value]) => [text(name), text(value)] as const)
  return Object.fromEntries(pairs.filter(([name, value]) => name !== '' && value !== ''))
}

/** Maximum number of members of a row, and of elements of each of its fields. */
const MAX_PARTS = 1000

/** Validates a value against a schema. Error pointers are relative to the value. */
export type SchemaValidator = (schema: TSchema, value: unknown) => FieldError[]

/**
 * An unchecked row. `price` is the original text of the price, if known; `errors` are those found
 * while the row was read.
 */
export interface RawRow {
  line: number
  value: unknown
  price?: string | null
  errors?: FieldError[]
}
export type ValidatedRow = { line: number; externalId: string | null; errors: FieldError[]; valid: ValidRow | null }

/** Validates a row against the schema, its project and the rules that a schema cannot express. */
export function validateRow(
  { line, value, price, errors: readErrors = [] }: RawRow,
  { projectId, check }: { projectId: string; check: SchemaValidator }
): ValidatedRow {
  const rawExternalId = readExternalId(value)
  const failed = (errors: FieldError[]): ValidatedRow => ({ line, externalId: rawExternalId, errors, valid: null })
  if (readErrors.length > 0) return failed(readErrors)
  const oversized = typeof value === 'object' ? oversizedPart(value) : null
  if (oversized !== null) {
    return failed([
      {
        pointer: oversized,
        code: 'too_many_parts',
        message: `must have at most ${MAX_PARTS} elements`
      }
    ])
  }
  const schemaErrors = check(ProductRow, value)
  if (schemaErrors.length > 0) return failed(schemaErrors)
  const row = value as ProductRow
  const { projectId: rowProjectId, externalId, seo } = row
  if (rowProjectId !== undefined && rowProjectId !== projectId) {
    return failed([
      {
        pointer: '/projectId',
        code: 'other_project',
        message: `must be omitted or equal to the projectId of the request, ${projectId}`
      }
    ])
  }
  const { change, errors } = toProductChange(row, price)
  if (seo !== undefined) errors.push(...overrideErrors(seo))
  if (errors.length > 0) return failed(errors)
  const id = canonicalExternalId(externalId)
  return {
    line,
    externalId: id,
    errors: [],
    valid: {
      line,
      externalId: id,
      change,
      ...(seo === undefined ? {} : { seo }),
      ...(isPriceRounded(row) ? { isPriceRounded: true } : {})
    }
  }
}

/**
 * Pointer to the oversized part of a row, or null. Validating a million elements one by one would
 * take seconds and a gigabyte of memory.
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
