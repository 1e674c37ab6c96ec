import type { TSchema } from '@sinclair/typebox'
import type { FieldError } from '../../errors.ts'
import { ProductRow } from '../../schemas/product.ts'
import { canonicalExternalId, changeOf } from './inputs.ts'
import type { SoundRow } from './writing.ts'

/** What is wrong with a value that should be of this noun; pointers begin at the value. */
export type SchemaCheck = (noun: TSchema, value: unknown) => FieldError[]

/** A row as it came: `price` is its price's text where the reader knows it, `errors` what the reader found wrong already. */
export interface GivenRow { line: number, value: unknown, price?: string | null, errors?: FieldError[] }
export type CheckedRow = { line: number, externalId: string | null, errors: FieldError[], sound: SoundRow | null }

/** Checks a row against the schema, its project and what no schema can see. */
export function checkRow ({ line, value, price, errors: found = [] }: GivenRow, { projectId, check }: { projectId: string, check: SchemaCheck }): CheckedRow {
  const given = externalIdOf(value)
  const failed = (errors: FieldError[]): CheckedRow => ({ line, externalId: given, errors, sound: null })
  if (found.length > 0) return failed(found)
  const wrong = check(ProductRow, value)
  if (wrong.length > 0) return failed(wrong)
  const row = value as ProductRow
  const { projectId: named, externalId } = row
  if (named !== undefined && named !== projectId) return failed([{ pointer: '/projectId', code: 'other_project', message: `must be left out or be ${projectId}, which the request names` }])
  const { change, errors } = changeOf(row, price)
  if (errors.length > 0) return failed(errors)
  const id = canonicalExternalId(externalId)
  return { line, externalId: id, errors: [], sound: { line, externalId: id, change } }
}

function externalIdOf (value: unknown): string | null {
  const id = (value as { externalId?: unknown } | null)?.externalId
  return typeof id === 'string' ? id.slice(0, 255) : null
}
