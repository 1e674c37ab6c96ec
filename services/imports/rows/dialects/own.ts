import { ProductRow } from '../../../../schemas/product.ts'
import type { Columns } from './columns.ts'

const ATTRIBUTE = /^attributes?[.:]\s*(\S.*)$/i
const FIELDS = Object.keys(ProductRow.properties).filter((field) => field !== 'attributes')
const BY_NAME = new Map(FIELDS.map((field) => [field.toLowerCase(), field]))

/** Fields that a row cannot do without. */
export const REQUIRED_FIELDS = ['externalId', 'title']

/**
 * The field of ours that a name means: `externalId`, `external_id`, `External ID`,
 * `attributes.Color`, `attribute:Color`; null when it means none.
 */
export function fieldNamed(name: string): string | null {
  const attribute = ATTRIBUTE.exec(name.trim())?.[1]
  if (attribute !== undefined) return `attributes.${attribute}`
  return BY_NAME.get(name.toLowerCase().replace(/[\s_-]/g, '')) ?? null
}

/** Our own columns; null when a required one lacks. */
export function ownColumns(headers: string[]): Columns | null {
  const columns = headers.map((header) => fieldNamed(header))
  return REQUIRED_FIELDS.every((field) => columns.includes(field)) ? columns : null
}
