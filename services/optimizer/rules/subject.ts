import { languageOf } from '../../../lib/transliterate.ts'
import type { ProductRecord } from '../../../ports/store/port.ts'
import { textLocale } from '../language.ts'
import { withoutAllCaps } from './capitals.ts'
import { readableCategory } from './categories.ts'
import { factsOf } from './facts.ts'
import { grammarFor, type Facts, type Grammar } from './languages/index.ts'
import { mainWord, shortName } from './names.ts'
import { hasLabels, plainLine, plainText } from './plain-text.ts'
import { readSource, type SourceText } from './sentences.ts'
import { containsName, termsOf } from './words.ts'
import { trimEndOf } from '../../../lib/text.ts'

/**
 * Context of the rules: the project's brand, and the products of the project with the same title,
 * possibly including this product.
 */
export interface SubjectContext {
  brandName: string | null
  /** The locale of the project. */
  locale: string | null
  /** Whether the texts are for a page that all variants share: the title then names no variant. */
  isShared?: boolean
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
  /** What the description consists of. */
  source: SourceText
  /** What phrases can name. */
  facts: Facts
  /** The main word of the title, folded. */
  mainWord: string
  /** The folded words of the title without stop words. */
  terms: string[]
  locale: string
  grammar: Grammar
}

/** Longer values are descriptive texts and do not identify a product. */
const MAX_VALUE_LENGTH = 40
/** The same with markup, which takes time to parse. */
const MAX_RAW_VALUE_LENGTH = 300
const LEADING_JUNK = /^(?:[\s|,;:·•–—]|[-*~_=+<>/\\]+\s)+/u
const SEPARATOR = /[\s|,;:·•–—]/u
const SYMBOL = /[-*~_=+<>/\\]/u
/** Shorter identifiers may be words or numbers of a text. */
const MIN_IDENTIFIER_LENGTH = 5
const PLACEHOLDER = /lorem ipsum|dolor sit amet/i

/**
 * Prepares a product for the rules. The title is never empty: without visible characters it is
 * replaced by the sku or the externalId.
 */
export function createSubject(product: ProductRecord, context: SubjectContext): Subject {
  const { brandName, siblings, isShared = false } = context
  const description = plainText(product.description ?? '')
  const locale = textLocale(`${product.title}\n${description}`, { own: product.locale, project: context.locale })
  const grammar = grammarFor(locale)
  const brand = plainLine(product.brand ?? '')
  const sku = plainLine(product.sku ?? '')
  const category = readableCategory((product.category ?? '').split(' > ').map(plainLine), locale)
  const attributes = Object.entries(product.attributes)
    .filter(([, value]) => value.length <= MAX_RAW_VALUE_LENGTH)
    .map(([name, value]) => ({ name: plainLine(name), value: plainLine(value) }))
    .filter(({ name, value }) => name !== '' && value !== '' && value.length <= MAX_VALUE_LENGTH)
  const externalId = plainLine(product.externalId)
  const ownTitle = cleanTitle(product, { locale, spellings: [brand, sku] }) || sku || externalId || product.id
  const title = isShared ? withoutValues(ownTitle, attributes) : ownTitle
  const makerName = brand || plainLine(brandName ?? '')
  const name = shortName(title, makerName)
  const source = readSource(
    PLACEHOLDER.test(description)
      ? ''
      : hasLabels(product.description ?? '')
        ? plainText(product.description!, { labels: true })
        : description,
    {
      grammar,
      locale,
      title,
      spellings: [title, makerName],
      identifiers: [sku, externalId].filter((id) => id.length >= MIN_IDENTIFIER_LENGTH && !containsName(title, id))
    }
  )
  return {
    externalId,
    identity: product.externalId,
    title,
    sku,
    makerName,
    category,
    attributes,
    distinguishing: distinguishingAttributes(product, siblings)
      .map((attribute) => plainLine(product.attributes[attribute]!))
      .filter((value) => value !== '' && value.length <= MAX_VALUE_LENGTH && !containsName(title, value)),
    description,
    source,
    facts: factsOf({
      name,
      brand: makerName,
      category: category.at(-1) ?? '',
      pairs: [...attributes, ...source.labels],
      keepsCase: languageOf(locale) === 'de'
    }),
    mainWord: mainWord(name, {
      brand: makerName,
      locale,
      values: attributes.map(({ value }) => value)
    }),
    terms: termsOf(title, locale),
    locale,
    grammar
  }
}

/** A segment at the end of a title that advertises, such as `| NEW`. */
const BADGE = new RegExp(
  ' ?(?:[|•·–—([-]|[*★]{1,3}) ?' +
    '(?:new|sale|hot|neu|angebot|nouveau|promo|oferta|nuevo|best ?seller|top) ?[!*★)\\]]{0,3}$',
  'iu'
)

function cleanTitle(product: ProductRecord, { locale, spellings }: { locale: string; spellings: string[] }): string {
  const line = plainLine(product.title)
  const trimmed = withoutTrailingJunk(line.replace(LEADING_JUNK, '').replace(BADGE, '')).replace(/([!?])\1+/g, '$1')
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

/** The title without the attribute values at its end, such as `Mug` of `Mug – Red, 300 ml`. */
function withoutValues(title: string, attributes: { value: string }[]): string {
  let text = title
  for (;;) {
    const trimmed = withoutTrailingJunk(text.replace(/[)\]]$/, ''))
    const value = attributes.find(({ value: end }) => endsWithWord(trimmed, end))?.value
    if (value === undefined) return text
    const shorter = withoutTrailingJunk(trimEndOf(trimmed.slice(0, -value.length), /[\s([]/))
    if (shorter === '') return text
    text = shorter
  }
}

function endsWithWord(text: string, end: string): boolean {
  return (
    text.length > end.length &&
    text.toLowerCase().endsWith(end.toLowerCase()) &&
    !/[\p{L}\p{N}]/u.test(text[text.length - end.length - 1]!)
  )
}

function distinguishingAttributes(product: ProductRecord, siblings: SubjectContext['siblings']): string[] {
  const others = siblings.filter(({ id }) => id !== product.id)
  return Object.keys(product.attributes).filter((name) =>
    others.some(({ attributes }) => attributes[name] !== product.attributes[name])
  )
}
