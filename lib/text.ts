import { LRUCache } from 'lru-cache'
import { normalize } from './normalize.ts'
import { LATIN_LETTERS } from './transliterate.ts'

const MARKED_LETTER = /([\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])\p{M}+/gu
// NFKD splits a spacing accent such as ´ into a space and a mark that would join the next word.
const STRAY_MARK = /(^|\s)\p{M}+/gu
// The final sigma is a positional form of the letter, not another letter.
const SPECIAL_LETTER = new RegExp(`[ς${Object.keys(LATIN_LETTERS).join('')}]`, 'g')

/** Scripts that are written without spaces between words, and Korean. */
const SPACELESS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{scx=${script}}`)
  .join('')
const APOSTROPHE = /['’‘ʼ]/
const WORD_CHARACTERS = `(?:(?![${SPACELESS}])[\\p{L}\\p{M}\\p{N}])+`
const RUN = new RegExp(
  `(?<spaceless>(?:(?=[\\p{L}\\p{M}\\p{N}])[${SPACELESS}])+)|${WORD_CHARACTERS}(?:['’‘ʼ]${WORD_CHARACTERS})*`,
  'gu'
)

/** Most lines are ASCII with typographic punctuation, for which folding and splitting are much faster. */
const PLAIN = /^[\0-\x7f\u00a0\u2013\u2014\u2018-\u201d\u2022\u2026]*$/
const PLAIN_RUN = /[0-9A-Za-z]+(?:['’‘][0-9A-Za-z]+)*/g
/** The compatibility forms of the plain characters that have one. */
const PLAIN_FORMS: Readonly<Record<string, string>> = { '\u00a0': ' ', '…': '...' }

/** Characters two columns wide: Chinese, Japanese and Korean. */
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

/** A run of letters, marks and digits: a word with its apostrophes, or text without word spaces. */
export interface TextRun {
  text: string
  spaceless: boolean
}

/**
 * Folds a text for word comparison: NFKC compatibility forms (full-width letters, ligatures), lower
 * case, and no diacritics in Latin, Greek and Cyrillic. Independent of the locale, so that a query
 * in one language matches text in another. Idempotent. The result is in NFC.
 */
export function foldText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase().replace(/[\u00a0…]/g, (character) => PLAIN_FORMS[character]!)
  // No step combines characters of two lines.
  return text.includes('\n') ? text.split('\n').map(foldLine).join('\n') : foldLine(text)
}

function foldLine(text: string): string {
  if (PLAIN.test(text)) return foldText(text)
  const unmarked = normalize(text, 'NFKD').replace(MARKED_LETTER, '$1').replace(STRAY_MARK, '$1').toLowerCase()
  return normalize(
    unmarked.replace(SPECIAL_LETTER, (letter) => LATIN_LETTERS[letter] ?? 'σ'),
    'NFC'
  )
}

/**
 * Splits a folded text into runs, in order. Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese
 * are returned as whole runs: a dictionary would split a query and a text in different places.
 */
export function splitRuns(folded: string): TextRun[] {
  if (PLAIN.test(folded)) return Array.from(folded.match(PLAIN_RUN) ?? [], (text) => ({ text, spaceless: false }))
  return folded.includes('\n') ? folded.split('\n').flatMap(splitLine) : splitLine(folded)
}

function splitLine(folded: string): TextRun[] {
  if (PLAIN.test(folded)) return splitRuns(folded)
  return Array.from(folded.matchAll(RUN), (found) => ({
    text: found[0],
    spaceless: found.groups?.spaceless !== undefined
  }))
}

/** A text with the runs of its folded form, for several uses: folding and splitting takes as long as most of them. */
export interface SplitText {
  text: string
  runs: TextRun[]
}

/** Folds a text and splits it into runs. */
export const splitText = (text: string): SplitText => ({ text, runs: splitRuns(foldText(text)) })

/** The parts of a word between its apostrophes. */
export function splitAtApostrophes(word: string): string[] {
  return APOSTROPHE.test(word) ? word.split(APOSTROPHE) : [word]
}

/** All pairs of adjacent characters; the character alone if there is only one. */
export function bigrams(text: string): string[] {
  const letters = Array.from(text)
  return letters.length < 2 ? letters : letters.slice(1).map((letter, i) => `${letters[i]}${letter}`)
}

/**
 * Removes the characters at the end that match. `character` is an expression for one character. A
 * `replace` with `[…]+$` takes quadratic time for a text with many such characters elsewhere.
 */
export function trimEndOf(text: string, character: RegExp): string {
  let length = text.length
  while (length > 0) {
    const isPair = length > 1 && /[\udc00-\udfff]/.test(text[length - 1]!) && /[\ud800-\udbff]/.test(text[length - 2]!)
    const start = length - (isPair ? 2 : 1)
    if (!character.test(text.slice(start, length))) break
    length = start
  }
  return text.slice(0, length)
}

/** Removes the slashes at the end of a URL or path. */
export const withoutTrailingSlash = (text: string): string => trimEndOf(text, /\//)

/** Compares well-formed texts by Unicode code point, as all stores sort. For `sort`. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (one !== other) return codePointOrder(one) - codePointOrder(other)
  }
  return a.length - b.length
}

/** Moves the surrogates of UTF-16, which stand for the highest code points, behind all other code units. */
const codePointOrder = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800)

/** Collapses white space to single spaces and trims it. */
export const collapse = (text: string) =>
  // Most texts have single spaces only. Looking for others takes less time than replacing them.
  (text.includes('  ') || /[^\S ]/.test(text) ? text.replace(/[^\S ]\s*| \s+/g, ' ') : text).trim()

/**
 * Removes what no XML or HTML document may contain: lone surrogates become U+FFFD, control
 * characters and noncharacters are removed. Line endings become `\n`.
 */
export function toWellFormedText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\t\n]|[\ufdd0-\ufdef\ufffe\uffff]/gu, '')
}

/** Whether more than a third of the first 500 characters are Chinese, Japanese or Korean. */
export function isWide(text: string): boolean {
  const sample = text.slice(0, 500)
  return (sample.match(WIDE)?.length ?? 0) * 3 > sample.length
}

/** Creating a segmenter takes longer than using it. */
const segmenters = new LRUCache<string, Intl.Segmenter>({ max: 100 })

/** A segmenter for a BCP 47 tag; for English when the tag is invalid. */
export function segmenterFor(locale: string, granularity: 'word' | 'sentence'): Intl.Segmenter {
  const key = `${granularity} ${locale}`
  const cached = segmenters.get(key)
  if (cached) return cached
  const segmenter = new Intl.Segmenter(isLanguageTag(locale) ? locale : 'en', { granularity })
  segmenters.set(key, segmenter)
  return segmenter
}

/** The writing direction of a language (BCP 47); left to right for unknown languages. */
export function textDirection(locale: string): 'ltr' | 'rtl' {
  if (!isLanguageTag(locale)) return 'ltr'
  return (new Intl.Locale(locale) as Intl.Locale & { getTextInfo: () => { direction: 'ltr' | 'rtl' } }).getTextInfo()
    .direction
}

function isLanguageTag(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length === 1
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
