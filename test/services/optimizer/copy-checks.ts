import type { ProductRecord } from '../../../ports/store/port.ts'
import { foldText, isWide } from '../../../lib/text.ts'
import { BOILERPLATE } from '../../data/generate/shop-feeds/texts.ts'
import { generateFeed, type FeedProduct } from '../../data/generate/shop-feeds/index.ts'
import { buildProduct } from './fixtures.ts'

/** The shares of a feed's descriptions that pass each check, from 0 to 1. */
export const CHECKS = ['whole', 'length', 'clean', 'distinct', 'mainWord'] as const
export type Check = (typeof CHECKS)[number]

export interface CopyPair {
  source: FeedProduct
  product: ProductRecord
  failed: Check[]
}
export interface CopyResult {
  shares: Record<Check, number>
  pairs: CopyPair[]
}

/** The largest Jaccard index of the trigrams of two descriptions. */
const MAX_SIMILARITY = 0.6
/** The character trigrams of a folded text. */
export function trigramsOf(text: string): Set<string> {
  const folded = foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return new Set(Array.from({ length: Math.max(1, folded.length - 2) }, (_, i) => folded.slice(i, i + 3)))
}

/** The share of common trigrams, from 0 to 1. */
export function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0
  for (const trigram of a) if (b.has(trigram)) common++
  return common / (a.size + b.size - common)
}

/** Words that phrases and lists add to the words of the shop. */
const GLUE =
  'the a by in made of size and und et y e von aus in de la marque coloris en color dans categorie category ' +
  'kategorie der ' +
  'largeur wide high long deep breit hoch no ' +
  'و من باللون في فئة は の で す カラー 素材'

/** Products of a generated feed, as newly stored products. */
export function feedProducts(
  feed: string,
  count: number,
  seed?: number
): { source: FeedProduct; product: ProductRecord }[] {
  return generateFeed(feed, count, seed).map((source) => {
    const { externalId, sku, title, description, category, brand, locale, attributes } = source
    return {
      source,
      product: buildProduct({ externalId, sku, title, description, category, brand, locale, attributes })
    }
  })
}

/** Checks the meta descriptions and titles of optimized products against what an editor would accept. */
export function checkCopy(sources: FeedProduct[], products: ProductRecord[]): CopyResult {
  const byId = new Map(products.map((product) => [product.externalId, product]))
  const texts = sources.map(({ externalId }) => trigramsOf(byId.get(externalId)!.seo.metaDescription!.value))
  const pairs = sources.map((source, i) => {
    const product = byId.get(source.externalId)!
    const meta = product.seo.metaDescription!.value
    const passes: Record<Check, boolean> = {
      whole: isWhole(meta, source),
      length: hasGoodLength(meta, source),
      clean: isClean(meta, source),
      distinct: texts.every((other, j) => i === j || similarity(texts[i]!, other) < MAX_SIMILARITY),
      mainWord: [meta, product.seo.metaTitle!.value].every((text) => namesWord(text, source))
    }
    return { source, product, failed: CHECKS.filter((check) => !passes[check]) }
  })
  const share = (check: Check) => pairs.filter(({ failed }) => !failed.includes(check)).length / pairs.length
  return { shares: Object.fromEntries(CHECKS.map((check) => [check, share(check)])) as Record<Check, number>, pairs }
}

const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/**
 * Whether a text consists of whole sentences: those of the source with or without their subordinate
 * clauses, after the product's name or with it instead of a pronoun; its list items; or a phrase of
 * its attributes.
 */
export function isWhole(meta: string, source: FeedProduct): boolean {
  if (/…|\.\.\./.test(meta) || !/[.。!]$/u.test(meta) || !/^[\p{Lu}\p{N}\p{Lo}]/u.test(meta)) return false
  if (meta.split('(').length !== meta.split(')').length) return false
  return consistsOf(fold(withoutLead(meta, source)), source) || consistsOf(fold(meta), source) || isPhrase(meta, source)
}

function withoutLead(meta: string, source: FeedProduct): string {
  const end = /\s?[:：]\s?/u.exec(meta)
  if (end === null) return meta
  const lead = meta.slice(0, end.index).replace(/\([^)]*\)$/, '')
  return fold(source.title).includes(fold(lead)) || isPhrase(lead, source)
    ? meta.slice(end.index + end[0].length)
    : meta
}

function consistsOf(folded: string, { wholes, items, title }: FeedProduct): boolean {
  const known = [
    ...wholes.flatMap((whole) => {
      const sentence = fold(whole)
      const main = /, ((?:it|they) .*)$/u.exec(whole)?.[1]
      const pronoun = /^(?:it|they) /.exec(sentence)
      return [
        sentence,
        ...(main === undefined
          ? []
          : [fold(main), ...names(title).map((name) => `the ${name} ${fold(main).replace(/^(?:it|they) /, '')}`)]),
        ...(pronoun === null ? [] : names(title).map((name) => `the ${name} ${sentence.slice(pronoun[0].length)}`))
      ]
    }),
    ...items.map(fold)
  ].sort((a, b) => b.length - a.length)
  let rest = folded
  while (rest !== '') {
    const found = known.find((text) => rest.startsWith(text))
    if (found === undefined) return false
    rest = rest
      .slice(found.length)
      .trim()
      .replace(/^(?:(?:and|und|et|y) |و)/u, '')
  }
  return true
}

/** Every beginning of a title. */
function names(title: string): string[] {
  const words = fold(title).split(' ')
  return words.map((_, i) => words.slice(0, i + 1).join(' '))
}

function isPhrase(meta: string, { title, brand, attributes, category }: FeedProduct): boolean {
  const known = new Set(fold([title, brand, ...Object.values(attributes), category, GLUE].join(' ')).split(' '))
  return (
    isWide(meta) ||
    fold(meta)
      .split(' ')
      .every((word) => known.has(word))
  )
}

function hasGoodLength(meta: string, { wholes, form, description }: FeedProduct): boolean {
  const [min, max] = isWide(meta) ? [35, 80] : [70, 156]
  if (meta.length > max) return false
  const available = wholes.filter((whole) => description.includes(whole)).reduce((sum, whole) => sum + whole.length, 0)
  // Of a single long sentence, only a clause may fit.
  return meta.length >= min || form === 'thin' || available < min
}

function isClean(meta: string, source: FeedProduct): boolean {
  const { sku, category, brand, language, title, description, wholes } = source
  const sentences = wholes.join(' ')
  const slugs = category
    .split(' > ')
    .filter((level) => /^[a-z]+(?:[-_][a-z]+)*$/.test(level) && !sentences.includes(level))
  const labels = withoutLead(meta, source)
  return (
    !meta.includes(sku) &&
    !slugs.some((slug) => new RegExp(`(?<![\\p{L}-])${slug}(?![\\p{L}-])`, 'u').test(meta)) &&
    !/(?:^|[.!?] )[\p{L} ]{2,25}: /u.test(labels) &&
    !BOILERPLATE[language]!.some((text) => meta.includes(text.slice(0, 20))) &&
    !new RegExp(`(?:^|[.!] )${brand.replace('&', '&')}\\.`).test(meta) &&
    !(meta.length > title.length + 5 && meta.endsWith(`${title}.`)) &&
    !/[<>★]|&\w+;/.test(meta) &&
    description !== meta.slice(0, -1)
  )
}

function namesWord(text: string, { word, language }: FeedProduct): boolean {
  const stem = fold(word).slice(0, Math.max(2, fold(word).length - 2))
  return fold(text).includes(stem) || (language === 'de' && fold(text).includes(fold(word)))
}
