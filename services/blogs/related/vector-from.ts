import { splitAtApostrophes, foldText, bigrams, splitRuns } from '../../../lib/text.ts'
import { stopWordsOf } from './stop-words.ts'

/** What a vector is made of. `text` is the visible text of the body. */
export interface VectorSource {
  title: string
  description: string
  text: string
  locale: string
}

const FIELD_WEIGHTS = { title: 5, description: 3, text: 1 } as const
const MOST_TERMS = 200
const LONGEST_TERM = 64
/**
 * Two words in a row say more than each, but count a little less, since their words count as well
 * (measured by bench/related.ts).
 */
const PHRASE_WEIGHT = 0.7
const HIRAGANA_ONLY = /^\p{sc=Hiragana}+$/u

/**
 * The words of a blog and how much each weighs, at most 200: the square root of how often it occurs
 * (title × 5, description × 3, text × 1), two decimals.
 * Two words side by side more than once, or in title or description, are a term of their own, `open
 * source`. Which are kept when there are more: heavy and long ones,
 * long words being the rarer ones in every language (Zipf's law of abbreviation), then the earlier
 * ones. How rare a term really is, only the index of all blogs knows.
 */
export function createVector(source: VectorSource): [string, number][] {
  const counts = new Map<string, number>()
  const stopWords = stopWordsOf(source.locale)
  for (const field of ['title', 'description', 'text'] as const) {
    countTerms(source[field], { counts, stopWords, weight: FIELD_WEIGHTS[field] })
  }
  return [...counts]
    .filter(([term, count]) => !term.includes(' ') || count >= 2)
    .map(([term, count]) => ({ term, weight: Math.sqrt(count) * (term.includes(' ') ? PHRASE_WEIGHT : 1) }))
    .map(({ term, weight }) => ({ term, weight, worth: weight * Math.log(1 + Math.min(term.length, 12)) }))
    .sort((a, b) => b.worth - a.worth)
    .slice(0, MOST_TERMS)
    .map(({ term, weight }) => [term, Math.round(weight * 100) / 100])
}

interface Counting {
  counts: Map<string, number>
  stopWords: ReadonlySet<string>
  weight: number
}

function countTerms(text: string, { counts, stopWords, weight }: Counting): void {
  const add = (term: string) => counts.set(term, (counts.get(term) ?? 0) + weight)
  let before = ''
  for (const run of splitRuns(foldText(text))) {
    const words = run.spaceless ? bigrams(run.text).filter((pair) => !HIRAGANA_ONLY.test(pair)) : [contentOf(run.text)]
    const kept = words.filter((word) => word.length > 1 && word.length <= LONGEST_TERM && !stopWords.has(word))
    kept.forEach(add)
    const word = run.spaceless ? '' : (kept[0] ?? '')
    if (word !== '' && before !== '') add(`${before} ${word}`)
    before = word
  }
}

/** The part of a word that carries its meaning: `john` of john's, `ete` of l'été. */
function contentOf(word: string): string {
  return splitAtApostrophes(word).reduce((longest, part) => (part.length > longest.length ? part : longest))
}
