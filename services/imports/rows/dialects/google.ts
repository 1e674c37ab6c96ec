import { putPriceWithCurrency } from '../price-cell.ts'
import { putField, urlsOf, type PutField } from '../put-field.ts'
import { plainName, type Columns } from './columns.ts'

/**
 * Attributes of the product data specification (support.google.com/merchants/answer/7052112) and
 * our fields.
 */
const FIELDS: Record<string, string> = {
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
const TELLING = ['link', 'image_link', 'google_product_category', 'product_type', 'item_group_id', 'availability']

/**
 * The columns of a Google Merchant feed; names may have blanks for underscores. Null when it is
 * none.
 */
export function googleColumns(headers: string[]): Columns | null {
  const names = headers.map((header) => plainName(header).replaceAll(' ', '_'))
  if (!names.includes('id') || !names.includes('title') || !TELLING.some((name) => names.includes(name))) return null
  return names.map((name) => (Object.hasOwn(FIELDS, name) ? FIELDS[name]! : null))
}

const PUTS: Record<string, PutField> = {
  price: putPriceWithCurrency,
  // The attribute may be given several times (support.google.com/merchants/answer/6324370).
  images: ({ value }, text) => {
    value.images = [...((value.images as string[] | undefined) ?? []), ...urlsOf(text)]
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
export function putGoogle(role: string): PutField {
  return PUTS[role] ?? putField(role)
}
