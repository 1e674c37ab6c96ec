import { foldText, isWide, splitRuns, trimEndOf } from '../../../lib/text.ts'
import { languageOf } from '../../../lib/transliterate.ts'
import { stopWordsFor } from '../../blogs/related/vector.ts'
import { isCodeWord } from './capitals.ts'
import { trimJoiners } from './shorten.ts'
import { containsName } from './words.ts'

/** Longer names are cut before a preposition or after a word. */
const MAX_NAME_LENGTH = 60
/** Longer names are cut before a preposition. */
const LONG_NAME_LENGTH = 40
const SEPARATORS = / [–—|•·/-]{1,3} | ?[|•;] ?|, |: | ?[([（【]/u
/** Languages in which the main word of a name comes first: `Table en chêne`. */
const MAIN_WORD_FIRST: ReadonlySet<string> = new Set(['fr', 'es', 'it', 'pt', 'ar', 'he', 'ca', 'ro', 'fa'])
const PREPOSITIONS = new RegExp(
  ` (?:${[
    'with|for|in|of|by|from|to|on|at|and|w/|mit|für|aus|von|im|zum|zur',
    'und|ohne|avec|pour|en|de|du|à|et|con|para|del|met|voor|van|per|di|e|y'
  ].join('|')}) `,
  'iu'
)
/** Words for the audience and the quantity, which shops add to a name: `Running Tights Men`. Folded. */
const ADDITIONS: ReadonlySet<string> = new Set(
  [
    'men mens women womens ladies gents girls boys kids children childrens baby babies adults unisex',
    'damen herren kinder jungen madchen babys homme hommes femme femmes enfant enfants garcon fille',
    'pack packs pcs pc piece pieces pair pairs set cm mm ml cl kg g l w v oz lb ft stuck teilig stk pieces lot',
    'hombre hombres mujer mujeres nino ninos nina ninas bebe bebes'
  ].flatMap((line) => line.split(' '))
)
/** Letters that the forms of a word may differ by, such as a plural. */
const INFLECTION = 2
const MIN_STEM = 3

/**
 * The name of a product within a sentence: the title without what follows a separator, such as
 * variants and remarks, at most 60 characters.
 */
export function shortName(title: string, brand: string): string {
  const parts = title.split(SEPARATORS).map((part) => part.trim())
  const name = parts.find((part) => part.length >= 3 && !containsName(brand, part)) ?? title
  if (name.length <= LONG_NAME_LENGTH) return name
  const preposition = PREPOSITIONS.exec(name.slice(12))
  if (preposition !== null && preposition.index + 12 <= MAX_NAME_LENGTH) return name.slice(0, preposition.index + 12)
  if (name.length <= MAX_NAME_LENGTH) return name
  if (isWide(name)) return name.slice(0, MAX_NAME_LENGTH / 2)
  return trimJoiners(name.slice(0, name.lastIndexOf(' ', MAX_NAME_LENGTH)) || name.slice(0, MAX_NAME_LENGTH))
}

/** What is known of a product beside its name. */
export interface NameContext {
  brand: string
  locale: string
  /** Values of attributes, such as colors, which shops add to a name. */
  values: string[]
}

/** The main word of a name, folded, such as `table` of `Oak Table with Drawers`; may be empty. */
export function mainWord(name: string, { brand, locale, values }: NameContext): string {
  const language = languageOf(locale)
  const plain = withoutSeries(name)
  const preposition = PREPOSITIONS.exec(plain)
  const begin = preposition === null || preposition.index < 2 ? plain : plain.slice(0, preposition.index)
  const stopWords = stopWordsFor(locale)
  const others = new Set(splitRuns(foldText([brand, ...values].join(' '))).map((run) => run.text))
  const candidates = wordsOf(begin).filter((word) => /^\D+$/u.test(word) && word.length >= 2 && !stopWords.has(word))
  const own = preferred(candidates, (word) => !others.has(word) && !ADDITIONS.has(word))
  // In German, a small letter shows that a word is not the product: `Kerne geschält`.
  const capitalized = new Set(language === 'de' ? wordsOf(begin.match(/\p{Lu}\p{L}*/gu)?.join(' ') ?? '') : own)
  const words = preferred(own, (word) => capitalized.has(word))
  return (MAIN_WORD_FIRST.has(language) ? words[0] : words.at(-1)) ?? ''
}

const wordsOf = (text: string): string[] => splitRuns(foldText(text)).map((run) => run.text)

/** The items that pass, or all if none does. */
function preferred<T>(items: T[], passes: (item: T) => boolean): T[] {
  const passing = items.filter(passes)
  return passing.length > 0 ? passing : items
}

/** The name without quoted names and codes, such as `"Alpstein" GTX`, unless nothing else is left. */
function withoutSeries(name: string): string {
  if (!/\p{Ll}/u.test(name)) return name
  const plain = name
    .replace(/["„“«‚][^"“”»‘]{2,30}["“”»‘]/gu, ' ')
    .replace(/\p{L}+/gu, (word) => (isCodeWord(word) ? ' ' : word))
    .replace(/\s+/g, ' ')
    .trim()
  return /\p{L}{3}/u.test(plain) ? plain : name
}

/**
 * Whether a text names the product by its main word, in any form: `tables` for `table`, and the last
 * part of a German compound, `Tisch` for `Esstisch`.
 */
export function mentionsWord(text: string, word: string, locale: string): boolean {
  if (word === '') return true
  const folded = foldText(text)
  if (isWide(word)) return folded.includes(word) || (word.length > 3 && folded.includes(word.slice(-2)))
  const stem = word.slice(0, Math.max(Math.min(MIN_STEM, word.length), word.length - INFLECTION))
  const isGerman = languageOf(locale) === 'de'
  if (!isGerman && !folded.includes(stem)) return false
  return splitRuns(folded).some(
    ({ text: other }) =>
      (other.startsWith(stem) && other.length <= word.length + INFLECTION + 1) ||
      (isGerman && other.length >= 4 && (word.endsWith(other) || trimEndOf(other, /[en]/u).endsWith(word)))
  )
}

/** A text with at least this share of the title's terms names the product. */
const MIN_TERMS = 0.6

/** Whether a text names the product: by the main word of its title, or by most of its words. */
export function namesProduct(
  text: string,
  { mainWord: word, terms, locale }: { mainWord: string; terms: string[]; locale: string }
): boolean {
  if (mentionsWord(text, word, locale)) return true
  const folded = foldText(text)
  return terms.length > 1 && terms.filter((term) => folded.includes(term)).length >= terms.length * MIN_TERMS
}
