import { segmenterFor } from '../../../lib/text.ts'
import { forbiddenIn, withoutEmoji } from './forbidden-content.ts'
import { bareEnd, cutBefore, fits, mayEndAt, roomFor, type Room } from './shorten.ts'
import { foldText } from '../../../lib/text.ts'

/** What fits a description comes from the beginning; more is not looked at. */
const MAX_INPUT_CHARACTERS = 4_000
const MAX_SENTENCES = 40
const BULLET = /^[\s•·▪▫◦‣*✓✔➤►–—-]+/u
const SENTENCE_END = /[.!?…。！？:：]["'”’»」』)\]]*$/u
const WIDE_END = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]["'”’»」』)\]]*$/u

/**
 * The sentences of a plain text that may stand in search results: those with an address, a
 * telephone number or a price are left out, emoji are taken out,
 * and lines without an end (headings, lists) get one.
 */
export function sentencesOf(text: string, locale: string): string[] {
  const found: string[] = []
  const looked = text.slice(0, MAX_INPUT_CHARACTERS)
  // Most texts hold nothing of the kind, and one look at the whole is cheaper than one at each
  // sentence.
  const suspicious = forbiddenIn(looked).length > 0
  for (const line of looked.split('\n')) {
    for (const { segment } of segmenterFor(locale, 'sentence').segment(line)) {
      const bare = segment.replace(BULLET, '').replace(/\s+/g, ' ').trim()
      const sentence = suspicious ? withoutEmoji(bare) : bare
      if (/[\p{L}\p{N}]/u.test(sentence) && (!suspicious || forbiddenIn(sentence).length === 0)) {
        found.push(withFullStop(sentence))
      }
      if (found.length === MAX_SENTENCES) return found
    }
  }
  return found
}

/** With a full stop where there is no end yet. */
export function withFullStop(sentence: string): string {
  if (SENTENCE_END.test(sentence)) return sentence
  const bare = sentence.replace(/[\s,;–—-]+$/u, '')
  return bare + (WIDE_END.test(bare) ? '。' : '.')
}

/** Sentences side by side: a space between them, none after the full stop of a wide script. */
export function joinSentences(sentences: string[]): string {
  return sentences
    .filter((sentence) => sentence !== '')
    .reduce((text, sentence) => (text === '' || /[。！？]$/u.test(text) ? text + sentence : `${text} ${sentence}`), '')
}

const CLAUSE_ENDS: ReadonlySet<string> = new Set(',;:–—)，、；：）')
/**
 * What a whole sentence, a whole clause and a cut after a word are worth beside the share of the
 * title's terms that a passage names.
 */
const WORTH = { sentence: 1, clause: 0.75, word: 0.6 }
/** A passage that leaves room empty is worth less than one that is cut. */
const TOO_SHORT = 0.5
/** Of two that are as good, the earlier one. */
const LATER = 0.02

export interface PassageRequest {
  terms: string[]
  least: number
  room: Room
}

/**
 * The best passage of so many sentences in a row as have room: first by how many of the terms it
 * names and how whole its end is, then by where it stands.
 * It is cut at a clause, or else a word, where the next sentence is needed for the least length but
 * has no room. '' where there are no sentences.
 */
export function bestPassage(sentences: string[], request: PassageRequest): string {
  let best = { text: '', score: -1 }
  // Nothing that begins later can be better than a whole passage that names all the terms.
  for (let first = 0; first < sentences.length && best.score < 1 + WORTH.sentence - first * LATER; first++) {
    const { text, worth, last } = passageFrom(sentences, first, request)
    if (text === '') continue
    const named = foldText(sentences.slice(first, last + 1).join(' '))
    const coverage =
      request.terms.length === 0
        ? 1
        : request.terms.filter((term) => named.includes(term)).length / request.terms.length
    const fullness = text.length >= request.least ? 1 : (TOO_SHORT * text.length) / request.least
    const score = coverage + worth * fullness - first * LATER
    if (score > best.score) best = { text, score }
  }
  return best.text
}

function passageFrom(
  sentences: string[],
  first: number,
  { least, room }: PassageRequest
): { text: string; worth: number; last: number } {
  let text = ''
  for (let last = first; last < sentences.length; last++) {
    const longer = joinSentences([text, sentences[last]!])
    if (!fits(longer, room)) {
      return text.length >= least
        ? { text, worth: WORTH.sentence, last: last - 1 }
        : { ...cut(longer, { least, room }), last }
    }
    text = longer
    if (text.length >= least) return { text, worth: WORTH.sentence, last }
  }
  return { text, worth: WORTH.sentence, last: sentences.length - 1 }
}

/**
 * The beginning that has room, up to the last clause of the least length, else the last word, with
 * `…`.
 */
function cut(text: string, { least, room }: { least: number; room: Room }): { text: string; worth: number } {
  const end = roomFor(text, { ...room, maxCharacters: room.maxCharacters - 1, maxPx: room.maxPx - room.sizePx })
  for (let position = end; position >= least; position--) {
    if (!CLAUSE_ENDS.has(text[position - 1]!) || !mayEndAt(text, position)) continue
    const clause = bareEnd(text.slice(0, position))
    if (clause.length + 1 >= least) return { text: `${clause}…`, worth: WORTH.clause }
  }
  return { text: cutBefore(text, end), worth: WORTH.word }
}
