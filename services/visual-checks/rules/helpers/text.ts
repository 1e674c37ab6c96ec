import { normalize } from '../../../../lib/normalize.ts'

/** Quotation marks of any kind: sites may replace ours with their own. */
const QUOTES = /[\u2018-\u201f\u2032\u2033\u2039\u203a`´«»"]|''/g
const DASHES = /[\u2010-\u2015\u2212]|-{2,3}/g
const ZERO_WIDTH = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\ufe0f/g

/**
 * Folds differences that do no harm (quotes, dashes, soft hyphens, character width, case, white
 * space), so that texts can be compared. Idempotent.
 */
export function normalizeText(text: string): string {
  const visible = normalize(text, 'NFKC').replace(ZERO_WIDTH, '').replaceAll('…', '...')
  return visible.replace(QUOTES, "'").replace(DASHES, '-').replace(/\s+/g, ' ').trim().toLowerCase()
}

const getTrigrams = (text: string): Set<string> =>
  new Set(Array.from({ length: Math.max(0, text.length - 2) }, (_, at) => text.slice(at, at + 3)))

/** Similarity of two normalized texts, 0 to 1: the Dice coefficient of their trigrams. */
export function textSimilarity(one: string, other: string): number {
  const [a, b] = [normalizeText(one), normalizeText(other)]
  if (a === b) return 1
  const [left, right] = [getTrigrams(a), getTrigrams(b)]
  return left.size + right.size === 0 ? 0 : (2 * left.intersection(right).size) / (left.size + right.size)
}

/** Whether a text contains the expected one, or differs from it by a word or two. */
export function matchesText(text: string, expected: string): boolean {
  return normalizeText(text).includes(normalizeText(expected)) || textSimilarity(text, expected) >= 0.8
}

/**
 * Whether the text is mostly Chinese, Japanese or Korean. Those characters are as wide as high, so
 * that a line holds half as many.
 */
export const isFullWidthText = (text: string): boolean =>
  (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0) >
  text.length * 0.3

/** Whether a text is long enough to be recognized. `characters`: the limit for Latin script. */
export const isLong = (text: string, characters = 40): boolean =>
  text.length >= (isFullWidthText(text) ? characters * 0.3 : characters)

const RTL_LETTER = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu
const LTR_LETTER = /(?![\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}])\p{L}/gu

/** The share of letters from right-to-left scripts, 0 to 1. */
export function rightToLeftShare(text: string): number {
  const [rtl, ltr] = [text.match(RTL_LETTER)?.length ?? 0, text.match(LTR_LETTER)?.length ?? 0]
  return rtl + ltr === 0 ? 0 : rtl / (rtl + ltr)
}

/** Whether at least a tenth of the letters are of one of these scripts (Unicode script names). */
export function usesScript(text: string, scripts: readonly string[]): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return letters > 0 && scripts.some((script) => (text.match(scriptPattern(script))?.length ?? 0) >= letters * 0.1)
}

/** Matches nothing if the regular expression engine does not know the script. */
function scriptPattern(script: string): RegExp {
  try {
    return new RegExp(`\\p{Script=${script}}`, 'gu')
  } catch {
    return /(?!)/g
  }
}

/** The indices of one longest strictly increasing subsequence. */
export function longestIncreasingRun(numbers: readonly number[]): Set<number> {
  const tails: number[] = []
  const predecessors = numbers.map((number, at) => {
    const found = tails.findIndex((tail) => numbers[tail]! >= number)
    const length = found === -1 ? tails.length : found
    tails[length] = at
    return tails[length - 1]
  })
  const run = new Set<number>()
  for (let at = tails.at(-1); at !== undefined; at = predecessors[at]) run.add(at)
  return run
}

/** Rounds evidence, by default to three decimal places, so that it is stable between checks. */
export const round = (value: number, digits = 3): number => Number(value.toFixed(digits))

/**
 * Whether a value exceeds a limit by more than 10 %. Values at the limit count as the milder class,
 * so that two measurements give the same result.
 */
export const clearlyExceeds = (value: number, limit: number): boolean => value > limit * 1.1
