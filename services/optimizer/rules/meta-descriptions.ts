import { DESCRIPTION_LENGTH, WIDE_DESCRIPTION_LENGTH } from '../../blogs/content/descriptions.ts'
import { foldText, isWide } from '../../../lib/text.ts'
import { forbiddenIn, withoutEmoji } from './forbidden.ts'
import { bestPassage } from './passage.ts'
import { DESCRIPTION, pixelWidth } from './pixel-width.ts'
import type { Rungs } from './rungs.ts'
import { ended, flowing, sentencesOf } from './sentences.ts'
import { fits, shortened, type Room } from './shorten.ts'
import type { Subject } from './subject.ts'
import { joined } from './titles.ts'
import { names, termsOf } from './words-in.ts'

interface Lengths {
  least: number
  room: Room
}
/** Of the room, what title and attributes may take before the text. */
const MOST_OF_LEAD = 0.6
/** Less is not worth cutting for. */
const LEAST_PIECE = 15

/**
 * How long a description of this text should be: 121–156 characters, of wide scripts 61–80, and at
 * most 920 px of Arial 14 px.
 */
export function descriptionLengths(text: string): Lengths {
  const { min, max } = isWide(text) ? WIDE_DESCRIPTION_LENGTH : DESCRIPTION_LENGTH
  return { least: min, room: { mostCharacters: max, mostPx: DESCRIPTION.mostPx, sizePx: DESCRIPTION.sizePx } }
}

/**
 * Descriptions for search results, the best first: the passage of the text that tells most of what
 * the title names, and where the text is too short, filled with
 * title, attributes, maker and category as they are; where another product has it, led by the title
 * and what tells it apart. Nothing is said that the product does not say.
 */
export function* metaDescriptions(subject: Subject, rungs: Rungs): Generator<string> {
  const sentences = sentencesOf(subject.description, subject.locale)
  const lengths = descriptionLengths(sentences.join(' ') || subject.title)
  yield composed('', { subject, sentences, lengths })
  for (const tail of rungs.slice(1)) {
    const lead = leadOf(subject, tail, lengths)
    if (lead !== null) yield composed(lead, { subject, sentences, lengths })
  }
}

function leadOf({ title }: Subject, tail: string[], { room }: Lengths): string | null {
  const lead = joined(title, tail, {
    ...room,
    mostCharacters: Math.floor(room.mostCharacters * MOST_OF_LEAD),
    mostPx: room.mostPx * MOST_OF_LEAD
  })
  return lead === null ? null : ended(lead)
}

interface Composing {
  subject: Subject
  sentences: string[]
  lengths: Lengths
}

function composed(lead: string, { subject, sentences, lengths }: Composing): string {
  const text = bestPassage(sentences, { terms: termsOf(subject.title, subject.locale), ...lengthsAfter(lead, lengths) })
  let whole = flowing([lead, text])
  if (text !== '' && whole.length < lengths.least && !mentions(whole, subject.title)) {
    whole = headed(subject.title, whole, lengths)
  }
  for (const phrase of phrasesOf(subject)) {
    if (whole.length >= lengths.least) break
    if (!mentions(whole, phrase)) whole = filled(whole, phrase, lengths)
  }
  return whole
}

function lengthsAfter(lead: string, { least, room }: Lengths): Lengths {
  if (lead === '') return { least, room }
  const mostCharacters = Math.max(0, room.mostCharacters - lead.length - 1)
  return {
    least: Math.max(1, least - lead.length - 1),
    room: { ...room, mostCharacters, mostPx: room.mostPx - pixelWidth(`${lead} `, room.sizePx) }
  }
}

/** What can honestly be said of any product, each as a phrase of its own. */
function phrasesOf({ title, attributes, makerName, category }: Subject): string[] {
  const named = attributes.map(({ name, value }) => `${name}: ${value}`)
  return usable([title, makerName, named.join(', '), category.join(' › ')])
}

function usable(phrases: string[]): string[] {
  return phrases
    .map((phrase) => withoutEmoji(phrase))
    .filter((phrase) => phrase !== '' && forbiddenIn(phrase).length === 0)
}

function mentions(text: string, phrase: string): boolean {
  return names(text, phrase) || foldText(text).includes(foldText(phrase))
}

function headed(title: string, text: string, { room }: Lengths): string {
  const [phrase = ''] = usable([title])
  const longer = flowing([phrase === '' ? '' : ended(phrase), text])
  return fits(longer, room) ? longer : text
}

function filled(text: string, phrase: string, { room }: Lengths): string {
  const longer = flowing([text, ended(phrase)])
  if (fits(longer, room)) return longer
  if (room.mostCharacters - text.length <= LEAST_PIECE) return text
  const { room: left } = lengthsAfter(text, { least: 0, room })
  return flowing([text, shortened(phrase, left)])
}
