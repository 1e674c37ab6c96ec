import { type CellSetter, cellSetter, parseUrls, setPriceWithCurrency } from '../cells.ts'
import { unreadableRow, createDraft, toRow, type Assembler, type Row } from '../row.ts'
import { ERROR_COLUMN, type Columns, normalizeHeader } from './columns.ts'
import { ProductRow } from '../../../../schemas/product.ts'

/**
 * Rows of a file in which each record is a product by itself; `puts` says what becomes of the cells
 * of a role.
 */
export function createFlatAssembler(
  columns: Columns,
  puts: (role: string) => CellSetter,
  give: (row: Row) => void
): Assembler {
  const cellPuts = columns.map((role) => (role === null || role === ERROR_COLUMN ? null : puts(role)))
  const id = columns.indexOf('externalId')
  return {
    canResumeAt: () => true,
    end() {},
    take(record) {
      const { cells, error } = record
      if (error !== null) return give(unreadableRow(record, cells[id]!))
      const draft = createDraft()
      for (const [i, put] of cellPuts.entries()) {
        if (put !== null && cells[i] !== '') put(draft, cells[i]!)
      }
      give(toRow(record, draft))
    }
  }
}

const ATTRIBUTE = /^attributes?[.:]\s*(\S.*)$/i
const FIELDS = Object.keys(ProductRow.properties).filter((field) => field !== 'attributes')
const BY_NAME = new Map(FIELDS.map((field) => [field.toLowerCase(), field]))

/** Fields that a row cannot do without. */
export const REQUIRED_FIELDS = ['externalId', 'title']

/**
 * The field of ours that a name means: `externalId`, `external_id`, `External ID`,
 * `attributes.Color`, `attribute:Color`; null when it means none.
 */
export function parseFieldName(name: string): string | null {
  const attribute = ATTRIBUTE.exec(name.trim())?.[1]
  if (attribute !== undefined) return `attributes.${attribute}`
  return BY_NAME.get(name.toLowerCase().replace(/[\s_-]/g, '')) ?? null
}

/** Our own columns; null when a required one lacks. */
export function ownColumns(headers: string[]): Columns | null {
  const columns = headers.map((header) => parseFieldName(header))
  return REQUIRED_FIELDS.every((field) => columns.includes(field)) ? columns : null
}

/**
 * Attributes of the product data specification (support.google.com/merchants/answer/7052112) and
 * our fields.
 */
const GOOGLE_FIELDS: Record<string, string> = {
  id: 'externalId',
  title: 'title',
  description: 'description',
  link: 'url',
  image_link: 'imageUrl',
  additional_image_link: 'images',
  price: 'price',
  availability: 'availability',
  brand: 'brand',
  gtin: 'gtin',
  mpn: 'mpn',
  product_type: 'productType',
  google_product_category: 'googleCategory',
  color: 'attributes.color',
  size: 'attributes.size',
  material: 'attributes.material',
  pattern: 'attributes.pattern',
  gender: 'attributes.gender',
  age_group: 'attributes.age_group'
}
/** One of these must be there besides id and title. */
const GOOGLE_MARKERS = [
  'link',
  'image_link',
  'google_product_category',
  'product_type',
  'item_group_id',
  'availability'
]

/**
 * The columns of a Google Merchant feed; names may have blanks for underscores. Null when it is
 * none.
 */
export function googleColumns(headers: string[]): Columns | null {
  const names = headers.map((header) => normalizeHeader(header).replaceAll(' ', '_'))
  if (!names.includes('id') || !names.includes('title') || !GOOGLE_MARKERS.some((name) => names.includes(name)))
    return null
  return names.map((name) => (Object.hasOwn(GOOGLE_FIELDS, name) ? GOOGLE_FIELDS[name]! : null))
}

const GOOGLE_SETTERS: Record<string, CellSetter> = {
  price: setPriceWithCurrency,
  // The attribute may be given several times (support.google.com/merchants/answer/6324370).
  images: ({ value }, text) => {
    value.images = [...((value.images as string[] | undefined) ?? []), ...parseUrls(text)]
  },
  // The shop's own words say more than the taxonomy, which may also be given as a number
  // (support.google.com/merchants/answer/6324436).
  productType: ({ value }, text) => {
    value.category = text
  },
  googleCategory: ({ value }, text) => {
    if (!/^[0-9]+$/.test(text)) value.category ??= text
  }
}

/** What becomes of a cell of a Google Merchant feed. */
export function googleSetter(role: string): CellSetter {
  return GOOGLE_SETTERS[role] ?? cellSetter(role)
}
