import { segmenterFor, trimEndOf } from '../../../lib/text.ts'
import { forbiddenIn, withoutEmoji } from './forbidden-content.ts'
import { trimJoiners, truncateAt, fits, isWordEnd, fittingLength, type Room } from './shorten.ts'
import { foldText } from '../../../lib/text.ts'

/** Only the beginning of a text is considered for a description. */
const MAX_INPUT_CHARACTERS = 4_000
const MAX_SENTENCES = 40
const BULLET = /^[\s•·▪▫◦‣*✓✔➤►–—-]+/u
const SENTENCE_END = /[.!?…。！？:：]["'”’»」』)\]]*$/u
const WIDE_END = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]["'”’»」』)\]]*$/u

/**
 * Splits plain text into the sentences allowed in search results. Sentences with an address, a
 * telephone number or a price are dropped, emoji are removed, and lines without a sentence end
 * (headings, lists) get a full stop.
 */
export function splitSentences(text: string, locale: string): string[] {
  const sentences: string[] = []
  const input = text.slice(0, MAX_INPUT_CHARACTERS)
  // Most texts contain nothing forbidden. One check of the entire text is cheaper than one per
  // sentence.
  const suspicious = forbiddenIn(input).length > 0
  for (const line of input.split('\n')) {
    for (const { segment } of segmenterFor(locale, 'sentence').segment(line)) {
      const bare = segment.replace(BULLET, '').replace(/\s+/g, ' ').trim()
      const sentence = suspicious ? withoutEmoji(bare) : bare
      if (/[\p{L}\p{N}]/u.test(sentence) && (!suspicious || forbiddenIn(sentence).length === 0)) {
        sentences.push(withFullStop(sentence))
      }
      if (sentences.length === MAX_SENTENCES) return sentences
    }
  }
  return sentences
}

/** Adds a full stop if the sentence has no end. */
export function withFullStop(sentence: string): string {
  if (SENTENCE_END.test(sentence)) return sentence
  const bare = trimEndOf(sentence, /[\s,;–—-]/u)
  return bare + (WIDE_END.test(bare) ? '。' : '.')
}

/** Joins sentences with a space, except after the full stop of a wide script. */
export function joinSentences(sentences: string[]): string {
  return sentences
    .filter((sentence) => sentence !== '')
    .reduce((text, sentence) => (text === '' || /[。！？]$/u.test(text) ? text + sentence : `${text} ${sentence}`), '')
}

const CLAUSE_ENDS: ReadonlySet<string> = new Set(',;:–—)，、；：）')
/**
 * Scores for ending with a complete sentence, a complete clause, or a cutAtClause word. They are added to
 * the share of title terms that a passage contains.
 */
const ENDING_SCORE = { sentence: 1, clause: 0.75, word: 0.6 }
/**
 * Factor for a passage below the minimum length. Such a passage scores lower than a truncated one.
 */
const TOO_SHORT_FACTOR = 0.5
/** Penalty per sentence, so that the earlier of two equal passages is selected. */
const POSITION_PENALTY = 0.02

export interface ExcerptOptions {
  terms: string[]
  min: number
  room: Room
}

/**
 * Selects the best passage of consecutive sentences that fits: by the number of title terms and the
 * completeness of the ending, then by position.
 * If the next sentence is required for the minimum length but does not fit, the passage is cutAtClause at a
 * clause or a word. Returns an empty string if there are no sentences.
 */
export function selectExcerpt(sentences: string[], options: ExcerptOptions): string {
  let best = { text: '', score: -1 }
  // A later passage cannot score higher than a complete passage with all terms.
  for (
    let first = 0;
    first < sentences.length && best.score < 1 + ENDING_SCORE.sentence - first * POSITION_PENALTY;
    first++
  ) {
    const { text, endingScore, last } = readExcerpt(sentences, first, options)
    if (text === '') continue
    const folded = foldText(sentences.slice(first, last + 1).join(' '))
    const coverage =
      options.terms.length === 0
        ? 1
        : options.terms.filter((term) => folded.includes(term)).length / options.terms.length
    const fullness = text.length >= options.min ? 1 : (TOO_SHORT_FACTOR * text.length) / options.min
    const score = coverage + endingScore * fullness - first * POSITION_PENALTY
    if (score > best.score) best = { text, score }
  }
  return best.text
}

function readExcerpt(
  sentences: string[],
  first: number,
  { min, room }: ExcerptOptions
): { text: string; endingScore: number; last: number } {
  let text = ''
  for (let last = first; last < sentences.length; last++) {
    const longer = joinSentences([text, sentences[last]!])
    if (!fits(longer, room)) {
      return text.length >= min
        ? { text, endingScore: ENDING_SCORE.sentence, last: last - 1 }
        : { ...cutAtClause(longer, { min, room }), last }
    }
    text = longer
    if (text.length >= min) return { text, endingScore: ENDING_SCORE.sentence, last }
  }
  return { text, endingScore: ENDING_SCORE.sentence, last: sentences.length - 1 }
}

/**
 * Cuts the text at the last clause end beyond the minimum length, or else at a word, and appends
 * `…`.
 */
function cutAtClause(text: string, { min, room }: { min: number; room: Room }): { text: string; endingScore: number } {
  const end = fittingLength(text, { ...room, maxCharacters: room.maxCharacters - 1, maxPx: room.maxPx - room.sizePx })
  for (let position = end; position >= min; position--) {
    if (!CLAUSE_ENDS.has(text[position - 1]!) || !isWordEnd(text, position)) continue
    const clause = trimJoiners(text.slice(0, position))
    if (clause.length + 1 >= min) return { text: `${clause}…`, endingScore: ENDING_SCORE.clause }
  }
  return { text: truncateAt(text, end), endingScore: ENDING_SCORE.word }
}
