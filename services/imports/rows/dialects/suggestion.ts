// cspell:ignore nummer artikel titel
import type { Columns } from './columns.ts'

/** Words in the names of columns that probably contain a required field, the most probable first. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  externalId: [
    'sku',
    'id',
    'identifier',
    'code',
    'number',
    'no',
    'nr',
    'nummer',
    'artikelnummer',
    'reference',
    'ref',
    'handle',
    'mpn',
    'gtin',
    'ean',
    'upc',
    'barcode',
    'artikel'
  ],
  title: ['title', 'name', 'titel', 'bezeichnung', 'product', 'item', 'article', 'artikel']
}

/** A longer name is no name: the file is probably not CSV. */
const MAX_NAME_CHARACTERS = 100

/** The words of a column name: `ProductID` and `product_id` have the same ones. */
const wordsOf = (header: string): string[] =>
  header
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/**
 * The columns that probably contain the missing fields, by their names. Of several, the one with the shortest name.
 * A column that has the role of another required field is not proposed.
 */
export function suggestColumns(
  headers: readonly string[],
  { missing, columns }: { missing: readonly string[]; columns: Columns }
): { column: string; field: string }[] {
  const free = headers
    .map((header, index) => ({ column: header.trim(), role: columns[index], words: wordsOf(header) }))
    .filter(({ column, role }) => column.length <= MAX_NAME_CHARACTERS && !Object.hasOwn(WORDS, role ?? ''))
    .toSorted((a, b) => a.words.length - b.words.length)
  const used = new Set<string>()
  return missing.flatMap((field) => {
    const names = (WORDS[field] ?? []).flatMap((word) => free.filter(({ words }) => words.includes(word)))
    const column = names.find((name) => !used.has(name.column))?.column
    if (column === undefined) return []
    used.add(column)
    return [{ column, field }]
  })
}
