import { type CellSetter, cellSetter, parseUrls, setPriceWithCurrency, setSeo } from '../cells.ts'
import { unreadableRow, createDraft, toRow, type Assembler, type Row } from '../row.ts'
import { ERROR_COLUMN, type Columns, normalizeHeader } from './columns.ts'
import { ProductRow } from '../../../../schemas/product.ts'

/**
 * Builds rows for files in which each record is a product. `setterFor` returns the setter of a
 * role.
 */
export function createFlatAssembler(
  columns: Columns,
  setterFor: (role: string) => CellSetter,
  emit: (row: Row) => void
): Assembler {
  const setters = columns.map((role) => (role === null || role === ERROR_COLUMN ? null : setterFor(role)))
  const id = columns.indexOf('externalId')
  return {
    canResumeAt: () => true,
    *end() {},
    take(record) {
      const { cells, error } = record
      if (error !== null) return emit(unreadableRow(record, cells[id]!))
      const draft = createDraft()
      for (const [i, set] of setters.entries()) {
        if (set !== null && cells[i] !== '') set(draft, cells[i]!)
      }
      emit(toRow(record, draft))
    }
  }
}

const ATTRIBUTE = /^attributes?[.:]\s*(\S.*)$/i
const FIELDS = [
  ...Object.keys(ProductRow.properties).filter((field) => field !== 'attributes' && field !== 'seo'),
  ...Object.keys(ProductRow.properties.seo.properties).map((field) => `seo.${field}`)
]
const BY_NAME = new Map(FIELDS.map((field) => [field.toLowerCase(), field]))

/** Fields that every row must have. */
export const REQUIRED_FIELDS = ['externalId', 'title']

/**
 * The product field for a column name: `externalId`, `external_id`, `External ID`,
 * `attributes.Color`, `attribute:Color`, `seo.metaTitle`; null if unknown.
 */
export function parseFieldName(name: string): string | null {
  const attribute = ATTRIBUTE.exec(name.trim())?.[1]
  if (attribute !== undefined) return `attributes.${attribute}`
  return BY_NAME.get(name.toLowerCase().replace(/[\s_-]/g, '')) ?? null
}

/** The columns of the native format; null if a required one is missing. */
export function ownColumns(headers: string[]): Columns | null {
  const columns = headers.map((header) => parseFieldName(header))
  return REQUIRED_FIELDS.every((field) => columns.includes(field)) ? columns : null
}

/**
 * Attributes of the product data specification (support.google.com/merchants/answer/7052112) and
 * their product fields.
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
  item_group_id: 'groupId',
  google_product_category: 'googleCategory',
  color: 'attributes.color',
  size: 'attributes.size',
  material: 'attributes.material',
  pattern: 'attributes.pattern',
  gender: 'attributes.gender',
  age_group: 'attributes.age_group'
}
/** At least one of these must exist besides id and title. */
const GOOGLE_MARKERS = [
  'link',
  'image_link',
  'google_product_category',
  'product_type',
  'item_group_id',
  'availability'
]

/**
 * The columns of a Google Merchant feed; spaces in names count as underscores. Null if the file is
 * not such a feed.
 */
export function googleColumns(headers: string[]): Columns | null {
  const names = headers.map((header) => normalizeHeader(header).replaceAll(' ', '_'))
  if (!names.includes('id') || !names.includes('title') || !GOOGLE_MARKERS.some((name) => names.includes(name))) {
    return null
  }
  return names.map((name) => (Object.hasOwn(GOOGLE_FIELDS, name) ? GOOGLE_FIELDS[name]! : null))
}

/** The last part of a page URL that consists of words: `/products/oak-table?variant=1`. */
const PAGE_HANDLE = /\/([\p{L}\p{N}]+(?:[-_][\p{L}\p{N}]+)+)\/?(?:[?#]|$)/u

const GOOGLE_SETTERS: Record<string, CellSetter> = {
  // The address of a page that exists does not change.
  url: (draft, text) => {
    draft.value.url = text
    const handle = PAGE_HANDLE.exec(text)?.[1]
    if (handle !== undefined) setSeo(draft, { handle })
  },
  price: setPriceWithCurrency,
  // The attribute may occur several times (support.google.com/merchants/answer/6324370).
  images: ({ value }, text) => {
    value.images = [...((value.images as string[] | undefined) ?? []), ...parseUrls(text)]
  },
  // The shop's own category is more specific than the Google taxonomy, which may also be a number
  // (support.google.com/merchants/answer/6324436).
  productType: ({ value }, text) => {
    value.category = text
  },
  googleCategory: ({ value }, text) => {
    if (!/^[0-9]+$/.test(text)) value.category ??= text
  }
}

/** The setter for a role of a Google Merchant feed. */
export function googleSetter(role: string): CellSetter {
  return GOOGLE_SETTERS[role] ?? cellSetter(role)
}
