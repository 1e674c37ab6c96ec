import { problem } from '../../../../errors.ts'
import type { ImportDialect } from '../../../../schemas/product-import.ts'
import { ERROR_COLUMN, normalizeHeader, type Columns } from './columns.ts'
import { googleColumns, parseFieldName, ownColumns, REQUIRED_FIELDS } from './flat.ts'
import { shopifyColumns } from './shopify.ts'
import { woocommerceColumns } from './woocommerce.ts'

export interface DetectedDialect {
  dialect: ImportDialect
  columns: Columns
}

const DIALECTS: [ImportDialect, (headers: string[]) => Columns | null][] = [
  ['own', ownColumns],
  ['shopify', shopifyColumns],
  ['woocommerce', woocommerceColumns],
  ['google', googleColumns]
]
/** Roles that more than one column may have: the pictures of the Google feed. */
const REPEATABLE = new Set(['images', ERROR_COLUMN])
const MAX_LISTED_CHARACTERS = 1000

/** Whose columns these are, or null. Throws `malformed_import` when two columns say the same. */
export function detectDialect(headers: string[]): DetectedDialect | null {
  for (const [dialect, columnsOf] of DIALECTS) {
    const columns = columnsOf(headers)
    if (columns !== null) return assertUniqueRoles(headers, { dialect, columns })
  }
  return null
}

/**
 * The columns as the caller maps them; of the others those that have our names. Throws
 * `unknown_columns` for a column or a field that there is not.
 */
export function applyMapping(headers: string[], mapping: Record<string, string>): DetectedDialect {
  const fields = new Map<number, string>()
  for (const [column, name] of Object.entries(mapping)) {
    const field = parseFieldName(name)
    if (field === null) {
      throw problem(
        'unknown_columns',
        `map names the field ${listNames([name])}, which there is not; the fields are those of a product, and attributes.<name>.`
      )
    }
    const place = placeOf(headers, column)
    if (place === -1) {
      throw problem(
        'unknown_columns',
        `map names the column ${listNames([column])}, which the file does not have; it has: ${listNames(headers)}.`
      )
    }
    fields.set(place, field)
  }
  const taken = new Set(fields.values())
  const columns = headers.map((header, place) => {
    const own = parseFieldName(header)
    return fields.get(place) ?? (own === null || taken.has(own) ? null : own)
  })
  if (REQUIRED_FIELDS.some((field) => !columns.includes(field))) throw missingColumns(headers, columns)
  return assertUniqueRoles(headers, { dialect: 'mapped', columns })
}

/** The refusal for columns that are nobody's. */
export function unknownColumns(headers: string[]): Error {
  return missingColumns(headers, headers.map(parseFieldName))
}

function missingColumns(headers: string[], columns: Columns): Error {
  const missing = REQUIRED_FIELDS.filter((field) => !columns.includes(field))
  return problem(
    'unknown_columns',
    `The file has the columns ${listNames(headers)}; what lacks is ${missing.join(' and ')}.`,
    {
      errors: missing.map((field) => ({
        pointer: `/${field}`,
        code: 'missing_column',
        message: `is a column that the file needs; name one of its columns so, or say with map which one it is, such as ${listNames(headers.slice(0, 1))}:${field}`
      }))
    }
  )
}

function assertUniqueRoles(headers: string[], { dialect, columns }: DetectedDialect): DetectedDialect {
  const roles = columns.map((role, place) => (normalizeHeader(headers[place]!) === ERROR_COLUMN ? ERROR_COLUMN : role))
  const seen = new Set<string>()
  for (const [place, role] of roles.entries()) {
    if (role === null || (REPEATABLE.has(role) && (dialect === 'google' || role === ERROR_COLUMN))) continue
    if (seen.has(role)) {
      throw problem(
        'malformed_import',
        `Two columns say the same: ${listNames([headers[place]!])}, and one before it; leave one of them out.`
      )
    }
    seen.add(role)
  }
  return { dialect, columns: roles }
}

function placeOf(headers: string[], column: string): number {
  const exact = headers.findIndex((header) => header.trim() === column.trim())
  return exact === -1 ? headers.findIndex((header) => normalizeHeader(header) === normalizeHeader(column)) : exact
}

function listNames(names: string[]): string {
  const text = names.filter((name) => name.trim() !== '').join(', ')
  return text.length > MAX_LISTED_CHARACTERS ? `${text.slice(0, MAX_LISTED_CHARACTERS)} …` : text
}
