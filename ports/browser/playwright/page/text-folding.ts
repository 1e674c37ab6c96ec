/**
 * Text as it is compared: quotes, dashes and spaces of any kind are one, what makes no mark is left
 * out, case does not count.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u2018-\u201f\u2032\u2033\u2039\u203a`´«»"]|''/g, "'")
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

/**
 * Folded text without any space: where a page breaks its lines, and whether it puts a space around
 * a mark, does not count.
 */
export const pressText = (text: string): string => foldText(text).replace(/ /g, '')

/** Whether a text is mostly of scripts that need no spaces between words. */
export function isDense(text: string): boolean {
  return (text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g) ?? []).length > text.length * 0.3
}

export function trigramsOf(text: string): Set<string> {
  const trigrams = new Set<string>()
  for (let start = 0; start < text.length - 2; start++) trigrams.add(text.slice(start, start + 3))
  return trigrams
}

/** The Sørensen–Dice coefficient: 1 for the same sets, 0 for sets that share nothing. */
export function diceOf(one: Set<string>, other: Set<string>): number {
  let shared = 0
  for (const trigram of one) if (other.has(trigram)) shared += 1
  return (2 * shared) / (one.size + other.size || 1)
}
