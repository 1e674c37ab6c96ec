import {
  bigrams,
  foldText,
  splitAtApostrophes,
  splitRuns,
  splitText,
  type SplitText,
  type TextRun
} from '../../lib/text.ts'
import { languageOf, LOCAL_SPELLINGS } from '../../lib/transliterate.ts'
import { normalize } from '../../lib/normalize.ts'

const TERM_LENGTH = 64
const TEXT_TERMS = 5000
/**
 * 5,000 words of most texts have less than 50,000 characters together. Terms of five times as many would be as much
 * work for a store as several posts.
 */
const TEXT_LENGTH = 65_536
const QUERY_TERMS = 16

/**
 * The terms of texts for the search index: folded, unique, in order of appearance, at most 5,000
 * of at most 64 characters, and 65,536 characters together, only letters, marks and digits.
 * A word with apostrophes is indexed joined and in its parts (`l'été`: lete, l, ete). Text without
 * word spaces is indexed as single characters and pairs. If the language has two spellings (`ü`,
 * `ue`), both are indexed.
 */
export function searchTerms(texts: string | (string | SplitText)[], locale: string): string[] {
  const terms = new Set<string>()
  let length = 0
  const add = (term: string) => {
    if (terms.size >= TEXT_TERMS || length + term.length > TEXT_LENGTH || terms.has(term)) return
    terms.add(term)
    length += term.length
  }
  const split = [texts].flat().map((text) => (typeof text === 'string' ? splitText(text) : text))
  for (const { runs } of split) for (const run of runs) addTermsOfRun(run, add)
  for (const { text } of split) {
    const spelled = spellOut(text, locale)
    if (spelled !== text) for (const run of splitText(spelled).runs) addTermsOfRun(run, add)
  }
  return [...terms]
}

/**
 * The terms of a query, folded like those of texts, unique, at most 16. The last one stays last,
 * because stores match it as a prefix.
 * Every word of a text is found by the same word in a query. Of a word with apostrophes, the parts
 * of at least two letters are searched; of text without word spaces, its pairs.
 */
export function queryTerms(query: string): string[] {
  const all = splitRuns(foldText(query)).flatMap(queryTermsOfRun).map(truncate)
  const unique = all.filter((term, i) => all.indexOf(term, i + 1) < 0)
  return unique.slice(0, QUERY_TERMS)
}

function addTermsOfRun({ text, spaceless }: TextRun, add: (term: string) => void): void {
  if (spaceless) {
    for (const letter of text) add(letter)
    bigrams(text).forEach(add)
    return
  }
  const parts = splitAtApostrophes(text)
  if (parts.length > 1) add(truncate(parts.join('')))
  for (const part of parts) add(truncate(part))
}

function queryTermsOfRun({ text, spaceless }: TextRun): string[] {
  if (spaceless) return bigrams(text)
  const parts = splitAtApostrophes(text)
  const long = parts.filter((part) => part.length > 1)
  return parts.length === 1 ? parts : long.length > 0 ? long : [parts.join('')]
}

function truncate(term: string): string {
  return term.length <= TERM_LENGTH ? term : term.slice(0, TERM_LENGTH).replace(/[\ud800-\udbff]$/, '')
}

function spellOut(text: string, locale: string): string {
  const letters = LOCAL_SPELLINGS[languageOf(locale)]
  if (!letters) return text
  const composed = normalize(text, 'NFC')
  return composed.replace(/[äöüåøæ]/gi, (letter) => letters[letter.toLowerCase()] ?? letter)
}
