import type { BlockSnapshot } from '../../../../ports/browser/port/page-snapshot.ts'
import { normalizeText } from './text.ts'

/** Texts are compared without spaces. From this many on, the loss of half of them is a change. */
const MIN_SPACES = 4
const countSpaces = (text: string): number => text.trim().match(/\s+/g)?.length ?? 0

/** So many pairs of words that run together in one block are no accident of its last line. */
const MIN_MERGED_WORDS = 2

/** Whether words have run together. Scripts without spaces between words have too few of them. */
export const hasMergedWords = (actual: string, text: string): boolean =>
  (countSpaces(text) >= MIN_SPACES && countSpaces(actual) < countSpaces(text) / 2) ||
  countMergedWords(actual, text) >= MIN_MERGED_WORDS

/** How many pairs of words have no space between them. 0 if the letters differ. */
function countMergedWords(actual: string, text: string): number {
  const [own, shown] = [splitWords(text), splitWords(actual)]
  if (own.length === shown.length || own.join('') !== shown.join('')) return 0
  const endsOf = (words: readonly string[]): Set<number> => {
    let end = 0
    return new Set(words.map((word) => (end += word.length)))
  }
  return endsOf(own).difference(endsOf(shown)).size
}

/** A single period after a space may begin a name such as `.htaccess`. */
const MIN_SPACED_MARKS = 3
const countSpacedMarks = (text: string): number => text.match(/[\p{L}\p{N}] [.,](?=\s|$)/gu)?.length ?? 0

/** Whether periods and commas are apart from their words. Texts are compared without spaces. */
export const hasSpacedMarks = (actual: string, text: string): boolean =>
  countSpacedMarks(actual) - countSpacedMarks(text) >= MIN_SPACED_MARKS ||
  (countSpacedMarks(actual) > 1 && countSpacedMarks(text) === 0 && !/ [.,]/.test(text))

const TYPOGRAPHIC = /[\u2018-\u201f\u2013\u2014\u2026\u00ab\u00bb]/gu
/** Whether code has quotes and dashes of prose, with which it does not run. Sites may set those of prose. */
export const hasProseMarks = ({ tag, actual, text }: BlockSnapshot): boolean =>
  tag === 'pre' && (actual?.match(TYPOGRAPHIC)?.length ?? 0) > (text.match(TYPOGRAPHIC)?.length ?? 0)

/** Whether the first letter is there twice, as a drop cap and in its word. */
export const repeatsInitial = (actual: string, text: string): boolean => {
  const [shown, own] = [actual, text].map((value) => normalizeText(value).replaceAll(' ', ''))
  return own!.length > 1 && /^\p{L}/u.test(own!) && shown === own![0]! + own!
}

const splitWords = (text: string): string[] => normalizeText(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []

/** A site may add a break before a name or a number, but not in every line. */
const MIN_ADDED_BREAKS = 3
/** Lines of such a text break within words, or do not break at all. */
export const hasHeldSpaces = ({ heldSpaces = 0 }: BlockSnapshot): boolean => heldSpaces > 0
export const hasAddedBreaks = ({ addedBreaks = 0 }: BlockSnapshot): boolean => addedBreaks >= MIN_ADDED_BREAKS
