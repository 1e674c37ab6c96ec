import { languageOf } from '../../../lib/transliterate.ts'
import type { ProductRecord } from '../../../ports/store/port.ts'
import { plainLine, plainText } from './plain-text.ts'
import { containsName } from './words.ts'
import { trimEndOf } from '../../../lib/text.ts'

const LETTER = /\p{L}/u
const SMALL = /\p{Ll}/u
/** Languages with special case mapping of i. Elsewhere, the locale changes nothing. */
const SPECIAL_CASING: ReadonlySet<string> = new Set(['tr', 'az', 'lt'])
/** Abbreviations that stay in capitals. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  [
    'AC AM BBQ BMX CD CPU DC DIY DSLR DVD EDP EDT EU FHD FM GPS GPU GSM HD HDD HDMI HEPA HIFI II III IP',
    'IPS IV LAN LCD LED LTE MP3 MP4 NFC OLED PC PVC QLED RAM RGB ROM SD SIM SPF SSD TFT TV UHD UK US USA',
    'USB UV VGA VI VII VIII WLAN XL XS XXL XXXL'
  ].flatMap((line) => line.split(' '))
)

/**
 * Converts a title of at least two words in all capitals to capitalize words. Words with digits,
 * known abbreviations, and words in `spellings` (such as the brand) keep their spelling. Other
 * titles are returned unchanged.
 */
export function withoutAllCaps(title: string, locale: string, spellings: string[]): string {
  const words = title.split(' ').filter((word) => LETTER.test(word))
  if (words.length < 2 || SMALL.test(title) || !/\p{Lu}/u.test(title)) return title
  const language = languageOf(locale)
  const caseLocale = SPECIAL_CASING.has(language) ? language : 'en'
  const known = new Map(spellings.flatMap((spelling) => spelling.split(' ')).map((word) => [word.toUpperCase(), word]))
  return title.replace(
    /[\p{L}\p{M}\p{N}'’]+/gu,
    (word) => known.get(word.toUpperCase()) ?? (keepsCapitals(word) ? word : capitalize(word, caseLocale))
  )
}

function keepsCapitals(word: string): boolean {
  return /\p{N}/u.test(word) || ABBREVIATIONS.has(word)
}

function capitalize(word: string, language: string): string {
  const [first = '', ...rest] = Array.from(word)
  return first + rest.join('').toLocaleLowerCase(language)
}

/**
 * Context of the rules: the project's brand, and the products of the project with the same title,
 * possibly including this product.
 */
export interface SubjectContext {
  brandName: string | null
  siblings: Pick<ProductRecord, 'id' | 'attributes'>[]
}

/** The product data for the rules: plain text on one line, except the description. */
export interface Subject {
  externalId: string
  /** The unchanged externalId. Different externalIds may be equal after cleaning. */
  identity: string
  title: string
  sku: string
  /** The product's brand, or the project's; may be empty. */
  makerName: string
  category: string[]
  attributes: { name: string; value: string }[]
  /** Attribute values that distinguish the product from its siblings and are not in its title. */
  distinguishing: string[]
  /** Plain text; paragraphs are separated by blank lines. */
  description: string
  locale: string
}

/** Longer values are descriptive texts and do not identify a product. */
const MAX_VALUE_LENGTH = 40
const LEADING_JUNK = /^(?:[\s|,;:·•–—]|[-*~_=+<>/\\]+\s)+/u
const SEPARATOR = /[\s|,;:·•–—]/u
const SYMBOL = /[-*~_=+<>/\\]/u
const DEFAULT_LOCALE = 'en'

/**
 * Prepares a product for the rules. The title is never empty: without visible characters it is
 * replaced by the sku or the externalId.
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
    .filter(({ name, value }) => name !== '' && value !== '' && value.length <= MAX_VALUE_LENGTH)
  const title =
    cleanTitle(product, { locale, spellings: [brand, sku] }) || sku || plainLine(product.externalId) || product.id
  return {
    externalId: plainLine(product.externalId),
    identity: product.externalId,
    title,
    sku,
    makerName: brand || plainLine(brandName ?? ''),
    category,
    attributes,
    distinguishing: distinguishingAttributes(product, siblings)
      .map((name) => plainLine(product.attributes[name]!))
      .filter((value) => value !== '' && value.length <= MAX_VALUE_LENGTH && !containsName(title, value)),
    description: plainText(product.description ?? ''),
    locale
  }
}

function cleanTitle(product: ProductRecord, { locale, spellings }: { locale: string; spellings: string[] }): string {
  const line = plainLine(product.title)
  const trimmed = withoutTrailingJunk(line.replace(LEADING_JUNK, '')).replace(/([!?])\1+/g, '$1')
  return withoutAllCaps(trimmed || line, locale, spellings)
}

/** Removes separators at the end, and symbols after a space. */
function withoutTrailingJunk(line: string): string {
  let text = trimEndOf(line, SEPARATOR)
  for (;;) {
    const beforeSymbols = trimEndOf(text, SYMBOL)
    if (beforeSymbols === text || !/\s$/.test(beforeSymbols)) return text
    text = trimEndOf(beforeSymbols, SEPARATOR)
  }
}

function distinguishingAttributes(product: ProductRecord, siblings: SubjectContext['siblings']): string[] {
  const others = siblings.filter(({ id }) => id !== product.id)
  return Object.keys(product.attributes).filter((name) =>
    others.some(({ attributes }) => attributes[name] !== product.attributes[name])
  )
}
