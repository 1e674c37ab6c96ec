import { bigrams, foldText, isWide, splitRuns } from '../../../lib/text.ts'
import { stopWordsFor } from '../../blogs/related/vector.ts'

/** The folded words of a text, one space between them. */
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

/** One title is asked about many times in a row. */
let last = { text: '', words: '' }

/**
 * Whether a text names something: holds its words side by side, in any case and with any
 * punctuation; without regard to words where the script parts none.
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
 * What a title is about: its folded words without those that say how, pairs of characters where the
 * script parts no words; each once.
 */
export function termsOf(title: string, locale: string): string[] {
  const stopWords = stopWordsFor(locale)
  const terms = splitRuns(foldText(title)).flatMap((run) => (run.spaceless ? bigrams(run.text) : [run.text]))
  return [...new Set(terms)].filter((term) => term.length > 1 && !stopWords.has(term))
}
