import { languageOf } from '../../../lib/transliterate.ts'
import type { ProductRecord } from '../../../ports/store/port.ts'
import { plainLine, plainText } from './plain-text.ts'
import { containsName } from './words.ts'

const LETTER = /\p{L}/u
const SMALL = /\p{Ll}/u
/** Languages whose i is cased in their own way; everywhere else the locale changes nothing. */
const OWN_CASING: ReadonlySet<string> = new Set(['tr', 'az', 'lt'])
/** Written in capitals also where nothing is shouted. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  (
    'AC AM BBQ BMX CD CPU DC DIY DSLR DVD EDP EDT EU FHD FM GPS GPU GSM HD HDD HDMI HEPA HIFI II III IP IPS IV LAN LCD LED LTE MP3 MP4 NFC OLED PC PVC QLED RAM RGB ROM SD SIM ' +
    'SPF SSD TFT TV UHD UK US USA USB UV VGA VI VII VIII WLAN XL XS XXL XXXL'
  ).split(' ')
)

/**
 * A title that is all capitals, of two words or more, with capitals only where a word begins. Words
 * with digits, known abbreviations and what `spellings`
 * (such as the brand) has are left as they are there. Other titles come back unchanged.
 */
export function withoutAllCaps(title: string, locale: string, spellings: string[]): string {
  const words = title.split(' ').filter((word) => LETTER.test(word))
  if (words.length < 2 || SMALL.test(title) || !/\p{Lu}/u.test(title)) return title
  const language = languageOf(locale)
  const own = OWN_CASING.has(language) ? language : 'en'
  const known = new Map(spellings.flatMap((spelling) => spelling.split(' ')).map((word) => [word.toUpperCase(), word]))
  return title.replace(
    /[\p{L}\p{M}\p{N}'’]+/gu,
    (word) => known.get(word.toUpperCase()) ?? (keepsItsCapitals(word) ? word : capitalized(word, own))
  )
}

function keepsItsCapitals(word: string): boolean {
  return /\p{N}/u.test(word) || ABBREVIATIONS.has(word)
}

function capitalized(word: string, language: string): string {
  const [first = '', ...rest] = Array.from(word)
  return first + rest.join('').toLocaleLowerCase(language)
}

/**
 * What the rules look at besides the product: the project's brand, and the project's products of
 * the same title (the product itself may be among them).
 */
export interface SubjectContext {
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
  distinguishing: string[]
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
export function createSubject(product: ProductRecord, { brandName, siblings }: SubjectContext): Subject {
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
    distinguishing: tellingNames(product, siblings)
      .map((name) => plainLine(product.attributes[name]!))
      .filter((value) => value !== '' && value.length <= LONGEST_VALUE && !containsName(title, value)),
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
  return withoutAllCaps(bare || line, locale, spellings)
}

function tellingNames(product: ProductRecord, siblings: SubjectContext['siblings']): string[] {
  const others = siblings.filter(({ id }) => id !== product.id)
  return Object.keys(product.attributes).filter((name) =>
    others.some(({ attributes }) => attributes[name] !== product.attributes[name])
  )
}
