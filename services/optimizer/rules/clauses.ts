import { capitalizeFirst, countWords, withFullStop } from './sentences.ts'
import { trimJoiners } from './shorten.ts'
import type { Grammar } from './languages/index.ts'

/** Shorter sentences say too little. */
const MIN_WORDS = 5
const MIN_WIDE_CHARACTERS = 12
const MAX_VARIANTS = 4
/**
 * Sentences are cut within their first characters only: longer ones fit in no text, and each cut is searched for
 * words from its beginning, so that a sentence of thousands of clauses would take the square of its length.
 */
const MAX_CUT = 500
const PARENTHESES = / ?[(（][^()（）]*[)）]/gu

/** A shorter sentence, and what it lacks. Without a modifier, a sentence says much less. */
export interface ShorterSentence {
  text: string
  loss: 'clause' | 'modifier'
}

/**
 * Shorter sentences that state a part of a sentence, the longest first: without parentheses, and
 * without clauses at the end that the main clause does not need. Every result is a whole sentence;
 * there is none if the grammar does not allow a cut.
 */
export function shorterSentences(
  sentence: string,
  grammar: Grammar,
  namesProduct: (text: string) => boolean = () => false
): ShorterSentence[] {
  const variants = new Map<string, ShorterSentence['loss']>()
  const plain = sentence.replace(PARENTHESES, '')
  if (plain !== sentence) variants.set(plain, 'clause')
  const hasVerb = grammar.verbs.test(plain)
  const cutAt = (positions: number[], loss: ShorterSentence['loss']) => {
    for (const position of positions) {
      const begin = trimJoiners(plain.slice(0, position))
      const text = withFullStop(begin)
      if (!variants.has(text) && isWhole(begin, hasVerb, grammar)) variants.set(text, loss)
    }
  }
  cutAt(cutPositions(plain, grammar), 'clause')
  const main = withoutOpener(plain, grammar, namesProduct)
  if (main !== null) {
    variants.set(main, 'clause')
    for (const { text, loss } of shorterSentences(main, grammar)) if (!variants.has(text)) variants.set(text, loss)
  }
  cutAt(modifierPositions(plain, grammar), 'modifier')
  return Array.from(variants, ([text, loss]) => ({ text, loss }))
    .sort((a, b) => Number(a.loss === 'modifier') - Number(b.loss === 'modifier') || b.text.length - a.text.length)
    .slice(0, MAX_VARIANTS)
}

function cutPositions(sentence: string, { droppable, joints }: Grammar): number[] {
  const positions: number[] = []
  for (const match of cutMatches(sentence, /[,，、]\s|[;；]\s?|\s[–—-]\s|—/gu)) {
    const rest = sentence.slice(match.index + match[0].length)
    // What follows a semicolon or a dash is a statement of its own.
    if (!/^[,，、]/u.test(match[0]) || droppable.test(rest)) positions.push(match.index)
  }
  for (const match of cutMatches(sentence, joints)) positions.push(match.index)
  return positions
}

function* cutMatches(sentence: string, pattern: RegExp): Generator<RegExpExecArray> {
  for (const match of sentence.matchAll(pattern)) {
    if (match.index > MAX_CUT) return
    yield match
  }
}

/** Positions before modifiers of a complete predicate: `The mug is a gift | for tea drinkers.` */
function modifierPositions(sentence: string, { modifiers, predicates }: Grammar): number[] {
  return Array.from(cutMatches(sentence, modifiers), ({ index }) => index).filter((index) =>
    predicates.test(sentence.slice(0, index + 1))
  )
}

/** The main clause after an adverbial: `It dries fast.` of `With its open weave, it dries fast.` */
function withoutOpener(
  sentence: string,
  { opener, pronoun, bound }: Grammar,
  namesProduct: (text: string) => boolean
): string | null {
  if (!opener.test(sentence)) return null
  const isSubject = (rest: string) =>
    pronoun.test(rest) || (/^(?:the|this|these|our) /.test(rest) && namesProduct(rest.split(' ', 5).join(' ')))
  const commas = Array.from(sentence.matchAll(/, /g), ({ index }) => index)
  const comma = commas.findLast((at) => isSubject(sentence.slice(at + 2)))
  // `From` binds what follows it in the same clause: `from dawn to dusk`.
  if (comma === undefined || bound.test(sentence.slice(0, comma).replace(/(?<!^)\bfrom\b/gi, ''))) return null
  const main = sentence.slice(comma + 2)
  return countWords(main) >= MIN_WORDS ? capitalizeFirst(main) : null
}

function isWhole(begin: string, hasVerb: boolean, { verbs, bound, opener, dangling }: Grammar): boolean {
  if (/\s/.test(begin) ? countWords(begin) < MIN_WORDS : begin.length < MIN_WIDE_CHARACTERS) return false
  const lastWord = begin.slice(begin.lastIndexOf(' ') + 1)
  if (lastWord !== '' && dangling.test(lastWord)) return false
  if (bound.test(begin)) return false
  // Without its main clause, an adverbial at the beginning is not a sentence.
  if (opener.test(begin) && !begin.includes(',')) return false
  const statement = opener.test(begin) ? begin.slice(begin.indexOf(',')) : begin
  return verbs.test(statement) || !hasVerb
}
