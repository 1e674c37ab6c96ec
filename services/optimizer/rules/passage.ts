import { bareEnd, cutBefore, fits, mayEndAt, roomFor, type Room } from './shorten.ts'
import { foldText } from '../../../lib/text.ts'
import { flowing } from './sentences.ts'

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

export interface PassageWish {
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
export function bestPassage(sentences: string[], wish: PassageWish): string {
  let best = { text: '', score: -1 }
  // Nothing that begins later can be better than a whole passage that names all the terms.
  for (let first = 0; first < sentences.length && best.score < 1 + WORTH.sentence - first * LATER; first++) {
    const { text, worth, last } = passageFrom(sentences, first, wish)
    if (text === '') continue
    const named = foldText(sentences.slice(first, last + 1).join(' '))
    const coverage =
      wish.terms.length === 0 ? 1 : wish.terms.filter((term) => named.includes(term)).length / wish.terms.length
    const fullness = text.length >= wish.least ? 1 : (TOO_SHORT * text.length) / wish.least
    const score = coverage + worth * fullness - first * LATER
    if (score > best.score) best = { text, score }
  }
  return best.text
}

function passageFrom(
  sentences: string[],
  first: number,
  { least, room }: PassageWish
): { text: string; worth: number; last: number } {
  let text = ''
  for (let last = first; last < sentences.length; last++) {
    const longer = flowing([text, sentences[last]!])
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
  const end = roomFor(text, { ...room, mostCharacters: room.mostCharacters - 1, mostPx: room.mostPx - room.sizePx })
  for (let position = end; position >= least; position--) {
    if (!CLAUSE_ENDS.has(text[position - 1]!) || !mayEndAt(text, position)) continue
    const clause = bareEnd(text.slice(0, position))
    if (clause.length + 1 >= least) return { text: `${clause}…`, worth: WORTH.clause }
  }
  return { text: cutBefore(text, end), worth: WORTH.word }
}
