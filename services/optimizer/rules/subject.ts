import type { ProductRecord } from '../../../ports/store/port.ts'
import { plainLine, plainText } from './plain-text.ts'
import { withoutShouting } from './shouting.ts'
import { names } from './words-in.ts'

/**
 * What the rules look at besides the product: the project's brand, and the project's products of
 * the same title (the product itself may be among them).
 */
export interface Surroundings {
  brandName: string | null
  siblings: Pick<ProductRecord, 'id' | 'attributes'>[]
}

/** A product as the rules see it: everything plain text on one line, but the description. */
export interface Subject {
  externalId: string
  /** The externalId as it is: cleaned, two of them may be one. */
  identity: string
  title: string
  sku: string
  /** The product's brand, else the project's; may be ''. */
  makerName: string
  category: string[]
  attributes: { name: string; value: string }[]
  /** Values of attributes that tell it from its siblings and that its title does not name. */
  telling: string[]
  /** Plain text, paragraphs parted by blank lines. */
  description: string
  locale: string
}

/** Longer values are texts of their own rather than something to tell products by. */
const LONGEST_VALUE = 40
const LEADING_JUNK = /^(?:[\s|,;:·•–—]|[-*~_=+<>/\\]+\s)+/u
const TRAILING_JUNK = /(?:[\s|,;:·•–—]|\s[-*~_=+<>/\\]+)+$/u
const DEFAULT_LOCALE = 'en'

/**
 * Reads a product for the rules. Its title is never empty: where nothing visible is in it, the sku
 * or the externalId stands for it.
 */
export function subjectOf(product: ProductRecord, { brandName, siblings }: Surroundings): Subject {
  const locale = product.locale ?? DEFAULT_LOCALE
  const brand = plainLine(product.brand ?? '')
  const sku = plainLine(product.sku ?? '')
  const category = (product.category ?? '')
    .split(' > ')
    .map(plainLine)
    .filter((level) => level !== '')
  const attributes = Object.entries(product.attributes)
    .map(([name, value]) => ({ name: plainLine(name), value: plainLine(value) }))
    .filter(({ name, value }) => name !== '' && value !== '' && value.length <= LONGEST_VALUE)
  const title =
    titleFrom(product, { locale, spellings: [brand, sku] }) || sku || plainLine(product.externalId) || product.id
  return {
    externalId: plainLine(product.externalId),
    identity: product.externalId,
    title,
    sku,
    makerName: brand || plainLine(brandName ?? ''),
    category,
    attributes,
    telling: tellingNames(product, siblings)
      .map((name) => plainLine(product.attributes[name]!))
      .filter((value) => value !== '' && value.length <= LONGEST_VALUE && !names(title, value)),
    description: plainText(product.description ?? ''),
    locale
  }
}

function titleFrom(product: ProductRecord, { locale, spellings }: { locale: string; spellings: string[] }): string {
  const line = plainLine(product.title)
  const bare = line
    .replace(LEADING_JUNK, '')
    .replace(TRAILING_JUNK, '')
    .replace(/([!?])\1+/g, '$1')
  return withoutShouting(bare || line, locale, spellings)
}

function tellingNames(product: ProductRecord, siblings: Surroundings['siblings']): string[] {
  const others = siblings.filter(({ id }) => id !== product.id)
  return Object.keys(product.attributes).filter((name) =>
    others.some(({ attributes }) => attributes[name] !== product.attributes[name])
  )
}
