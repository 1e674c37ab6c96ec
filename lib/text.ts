import { LATIN_LETTERS } from './transliterate.ts'

const MARKED_LETTER = /([\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])\p{M}+/gu
// A spacing accent such as ´ comes apart into a space and a mark that would stick to the next word.
const STRAY_MARK = /(^|\s)\p{M}+/gu
// The final sigma is a way of writing, not another letter.
const SPECIAL_LETTER = new RegExp(`[ς${Object.keys(LATIN_LETTERS).join('')}]`, 'g')
const SPACELESS =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}'
const RUN = new RegExp(
  `(?<spaceless>(?:(?=[\\p{L}\\p{M}\\p{N}])[${SPACELESS}])+)|(?:(?![${SPACELESS}])[\\p{L}\\p{M}\\p{N}])+(?:['’‘ʼ](?:(?![${SPACELESS}])[\\p{L}\\p{M}\\p{N}])+)*`,
  'gu'
)

/**
 * A stretch of letters, marks and digits: a word, whose apostrophes are kept, or what is written
 * without spaces between words.
 */
export interface TextRun {
  text: string
  spaceless: boolean
}

/**
 * The text as words are compared: compatibility forms (full-width, ligatures) resolved, lower case,
 * Latin, Greek and Cyrillic without marks, composed.
 * It depends on no locale, so that what was written in one language meets a query from another.
 * Folding twice changes nothing.
 */
export function foldText(text: string): string {
  const bare = text.normalize('NFKD').replace(MARKED_LETTER, '$1').replace(STRAY_MARK, '$1').toLowerCase()
  return bare.replace(SPECIAL_LETTER, (letter) => LATIN_LETTERS[letter] ?? 'σ').normalize('NFC')
}

/**
 * The stretches of a folded text, in order. Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese
 * come as whole stretches: where a dictionary
 * would cut them depends on what stands around, so a query and a text would not be cut alike.
 */
export function splitRuns(folded: string): TextRun[] {
  return Array.from(folded.matchAll(RUN), (found) => ({
    text: found[0],
    spaceless: found.groups?.spaceless !== undefined
  }))
}

/** The parts of a word between its apostrophes. */
export function splitAtApostrophes(word: string): string[] {
  return word.split(/['’‘ʼ]/)
}

/** Every two neighboring characters of a stretch; the one where it has one alone. */
export function bigrams(text: string): string[] {
  const letters = Array.from(text)
  return letters.length < 2 ? letters : letters.slice(1).map((letter, i) => `${letters[i]}${letter}`)
}
