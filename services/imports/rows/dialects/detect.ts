import { problem } from '../../../../errors.ts'
import type { ImportDialect } from '../../../../schemas/product-import.ts'
import { ERROR_COLUMN, normalizeHeader, type Columns } from './columns.ts'
import { googleColumns, parseFieldName, ownColumns, REQUIRED_FIELDS } from './flat.ts'
import { shopifyColumns } from './shopify.ts'
import { suggestColumns } from './suggestion.ts'
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
/** Roles that several columns may have: the images of a Google feed, and error columns. */
const REPEATABLE = new Set(['images', ERROR_COLUMN])
const MAX_LISTED_CHARACTERS = 1000
/** Columns that the problem lists for a mapping: as many, and as long, as the parameter `map` accepts. */
const MAX_LISTED_COLUMNS = 200
const MAX_MAPPED_CHARACTERS = 400

/**
 * Detects the dialect of the columns; null if unknown. `pause` is called after each dialect. Throws
 * `malformed_import` if two columns have the same role.
 */
export async function detectDialect(headers: string[], pause: () => Promise<void>): Promise<DetectedDialect | null> {
  for (const [dialect, detectColumns] of DIALECTS) {
    const columns = detectColumns(headers)
    await pause()
    if (columns !== null) return assertUniqueRoles(headers, { dialect, columns })
  }
  return null
}

/**
 * Applies the mapping of the request. Unmapped columns are used if they have the name of a product
 * field. Throws `unknown_columns` for an unknown column or field.
 */
export function applyMapping(headers: string[], mapping: Record<string, string>): DetectedDialect {
  const fields = new Map<number, string>()
  const findColumn = createColumnFinder(headers)
  for (const [column, name] of Object.entries(mapping)) {
    const field = parseFieldName(name)
    if (field === null) {
      throw problem(
        'unknown_columns',
        `map contains the unknown field ${listNames([name])}. ` + 'Use a field of a product, or attributes.<name>.'
      )
    }
    const index = findColumn(column)
    if (index === undefined) {
      throw problem(
        'unknown_columns',
        `map contains the column ${listNames([column])}, which the file does not have. ` +
          `The file has the columns ${listNames(headers)}.`
      )
    }
    fields.set(index, field)
  }
  const mappedFields = new Set(fields.values())
  const columns = headers.map((header, index) => {
    const own = parseFieldName(header)
    return fields.get(index) ?? (own === null || mappedFields.has(own) ? null : own)
  })
  if (REQUIRED_FIELDS.some((field) => !columns.includes(field))) throw missingColumns(headers, columns)
  return assertUniqueRoles(headers, { dialect: 'mapped', columns })
}

/** The error for columns of no known dialect. */
export function unknownColumns(headers: string[]): Error {
  return missingColumns(headers, headers.map(parseFieldName))
}

function missingColumns(headers: string[], columns: Columns): Error {
  const missing = REQUIRED_FIELDS.filter((field) => !columns.includes(field))
  const suggested = suggestColumns(headers, { missing, columns })
  const names = missing.length === 1 ? 'Rename the column that contains it' : 'Rename the columns that contain them'
  const renamed = suggested.map(({ column, field }) => `${column} to ${field}`).join(' and ')
  return problem(
    'unknown_columns',
    `The file has the columns ${listNames(headers)}, but no column for ${missing.join(' and ')}. ` +
      `${names}${renamed === '' ? '' : `, such as ${renamed}`}.`,
    {
      errors: missing.map((field) => {
        const column = suggested.find((one) => one.field === field)?.column ?? 'COLUMN'
        return {
          pointer: `/${field}`,
          code: 'missing_column',
          message:
            'is required: rename a column of the file, or assign one with the query parameter `map`, ' +
            `such as ${column}:${field}`
        }
      }),
      members: {
        columns: headers.filter((name) => name.length <= MAX_MAPPED_CHARACTERS).slice(0, MAX_LISTED_COLUMNS),
        suggestedMap: suggested.map(({ column, field }) => `${column}:${field}`)
      }
    }
  )
}

function assertUniqueRoles(headers: string[], { dialect, columns }: DetectedDialect): DetectedDialect {
  const roles = columns.map((role, index) => (normalizeHeader(headers[index]!) === ERROR_COLUMN ? ERROR_COLUMN : role))
  const seen = new Set<string>()
  for (const [index, role] of roles.entries()) {
    if (role === null || (REPEATABLE.has(role) && (dialect === 'google' || role === ERROR_COLUMN))) continue
    if (seen.has(role)) {
      throw problem(
        'malformed_import',
        `Two columns have the same meaning: ${listNames([headers[index]!])} and a column before it. Remove one of them.`
      )
    }
    seen.add(role)
  }
  return { dialect, columns: roles }
}

/** Finds the first column with a name, or else the first one whose name differs only in case. */
function createColumnFinder(headers: string[]): (column: string) => number | undefined {
  const indexBy = (nameOf: (header: string) => string): Map<string, number> =>
    new Map(headers.map((header, index): [string, number] => [nameOf(header), index]).reverse())
  const exact = indexBy((header) => header.trim())
  const normalized = indexBy(normalizeHeader)
  return (column) => exact.get(column.trim()) ?? normalized.get(normalizeHeader(column))
}

function listNames(names: string[]): string {
  const text = names.filter((name) => name.trim() !== '').join(', ')
  return text.length > MAX_LISTED_CHARACTERS ? `${text.slice(0, MAX_LISTED_CHARACTERS)} …` : text
}
