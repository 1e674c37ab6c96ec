import type { TSchema } from '@sinclair/typebox'
import type { FieldError } from '../../errors.ts'
import { ProductRow } from '../../schemas/product.ts'
import { canonicalExternalId, changeOf } from './inputs.ts'
import type { SoundRow } from './writing.ts'

/** Most parts of a row, and of each of its fields, of which each is checked. */
const MOST_PARTS = 1000

/** What is wrong with a value that should be of this noun; pointers begin at the value. */
export type SchemaCheck = (noun: TSchema, value: unknown) => FieldError[]

/**
 * A row as it came: `price` is its price's text where the reader knows it, `errors` what the reader
 * found wrong already.
 */
export interface GivenRow {
  line: number
  value: unknown
  price?: string | null
  errors?: FieldError[]
}
export type CheckedRow = { line: number; externalId: string | null; errors: FieldError[]; sound: SoundRow | null }

/** Checks a row against the schema, its project and what no schema can see. */
export function checkRow(
  { line, value, price, errors: found = [] }: GivenRow,
  { projectId, check }: { projectId: string; check: SchemaCheck }
): CheckedRow {
  const given = externalIdOf(value)
  const failed = (errors: FieldError[]): CheckedRow => ({ line, externalId: given, errors, sound: null })
  if (found.length > 0) return failed(found)
  const vast = typeof value === 'object' ? vastPart(value) : null
  if (vast !== null) {
    return failed([
      {
        pointer: vast,
        code: 'too_many_parts',
        message: `has more than ${MOST_PARTS} parts, which no field of a product may have`
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
  const { change, errors } = changeOf(row, price)
  if (errors.length > 0) return failed(errors)
  const id = canonicalExternalId(externalId)
  return { line, externalId: id, errors: [], sound: { line, externalId: id, change } }
}

/**
 * Where a row has more parts than any that is nearly right. To name what is wrong with each of a
 * million would take seconds and a gigabyte.
 */
function vastPart(value: unknown): string | null {
  if (partsOf(value) > MOST_PARTS) return ''
  const vast = Object.entries(value ?? {}).find(([, part]) => partsOf(part) > MOST_PARTS)
  return vast === undefined ? null : `/${vast[0].replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function partsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Array.isArray(value) ? value.length : Object.keys(value).length
}

function externalIdOf(value: unknown): string | null {
  const id = (value as { externalId?: unknown } | null)?.externalId
  return typeof id === 'string' ? id.slice(0, 255) : null
}
