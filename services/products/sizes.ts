import { problem } from '../../errors.ts'
import type { ProductRecord, ProductWrite } from '../../ports/store/port.ts'

/*
 * What products occupy. A stored product may have 400 KB, although a change of it has few bytes: its price.
 */

/** Bytes of a product besides its texts, on average. */
const PRODUCT_BYTES = 1000

/** The characters of a product, without the names of fields. */
export function lengthOf({ description, attributes, terms, images, tags, seo }: ProductRecord): number {
  const texts = [...Object.values(attributes), ...terms, ...images, ...tags]
  const values = Object.values(seo).map((text) => text?.value ?? '')
  return [...texts, ...values].reduce((sum, text) => sum + text.length, PRODUCT_BYTES + (description?.length ?? 0))
}

/** The characters of the long texts of these products. */
export const lengthOfTexts = (writes: ProductWrite[]): number =>
  writes.reduce((sum, { product }) => sum + lengthOf(product) - PRODUCT_BYTES, 0)

/** Throws `payload_too_large` if the products of a batch, as they are stored, have more than `max` characters. */
export function assertLength(length: number, max: number): void {
  if (length <= max) return
  throw problem(
    'payload_too_large',
    `The products of the batch, as they are stored, have more than ${max.toLocaleString('en')} characters ` +
      'together. Send fewer products at once.'
  )
}

/** Splits the writes into groups of about this length. */
export function groupBySize(writes: ProductWrite[], maxLength: number): ProductWrite[][] {
  const groups: ProductWrite[][] = []
  let length = Infinity
  for (const write of writes) {
    length += lengthOf(write.product)
    if (length > maxLength) {
      groups.push([])
      length = lengthOf(write.product)
    }
    groups.at(-1)!.push(write)
  }
  return groups
}

/** Without what may be long: five thousand products of 400 KB would not fit into memory. */
export const withoutTexts = (product: ProductRecord): ProductRecord => ({
  ...product,
  description: null,
  attributes: {},
  terms: [],
  images: [],
  tags: []
})

/** What new products add. The growth of existing ones is small, and included in the next measurement. */
export function increaseOf(writes: ProductWrite[]): { products: number; bytes: number } {
  const added = writes.filter(({ ifVersion }) => ifVersion === null)
  const texts = writes.reduce((sum, { product: { description } }) => sum + (description?.length ?? 0), 0)
  return { products: added.length, bytes: added.length * PRODUCT_BYTES + texts }
}
