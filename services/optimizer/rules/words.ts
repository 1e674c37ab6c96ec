import { bigrams, foldText, isWide, splitRuns } from '../../../lib/text.ts'
import { stopWordsFor } from '../../blogs/related/vector.ts'

/** The folded words of a text, separated by single spaces. */
export function foldedWords(text: string): string {
  if (text !== last.text) {
    last = {
      text,
      words: splitRuns(foldText(text))
        .map((run) => run.text)
        .join(' ')
    }
  }
  return last.words
}

/** The last result is cached, because the same title is checked many times in a row. */
let last = { text: '', words: '' }

/**
 * Whether a text contains the words of a phrase in sequence, regardless of case and punctuation. In
 * scripts without spaces, word boundaries are ignored.
 */
export function containsName(text: string, phrase: string): boolean {
  const words = splitRuns(foldText(phrase))
    .map((run) => run.text)
    .join(' ')
  if (words === '') return true
  const all = foldedWords(text)
  return isWide(phrase) ? all.includes(words) : ` ${all} `.includes(` ${words} `)
}

/**
 * The terms of a title: its distinct folded words without stop words, or character pairs in scripts
 * without spaces.
 */
export function termsOf(title: string, locale: string): string[] {
  const stopWords = stopWordsFor(locale)
  const terms = splitRuns(foldText(title)).flatMap((run) => (run.spaceless ? bigrams(run.text) : [run.text]))
  return [...new Set(terms)].filter((term) => term.length > 1 && !stopWords.has(term))
}
