import { DESCRIPTION_LENGTH, WIDE_DESCRIPTION_LENGTH } from '../../blogs/content/descriptions.ts'
import { foldText, isWide } from '../../../lib/text.ts'
import { forbiddenIn, withoutEmoji } from './forbidden-content.ts'
import { bestPassage, withFullStop, joinSentences, sentencesOf } from './passages.ts'
import { DESCRIPTION, pixelWidth, fits, shortened, type Room } from './shorten.ts'
import type { FallbackLevels } from './fallback-levels.ts'
import type { Subject } from './subject.ts'
import { joined } from './titles.ts'
import { containsName, termsOf } from './words.ts'

interface Lengths {
  least: number
  room: Room
}
/** Of the room, what title and attributes may take before the text. */
const MAX_LEAD_SHARE = 0.6
/** Less is not worth cutting for. */
const MIN_PIECE = 15

/**
 * How long a description of this text should be: 121–156 characters, of wide scripts 61–80, and at
 * most 920 px of Arial 14 px.
 */
export function descriptionLengths(text: string): Lengths {
  const { min: least, max: most } = isWide(text) ? WIDE_DESCRIPTION_LENGTH : DESCRIPTION_LENGTH
  return { least, room: { maxCharacters: most, maxPx: DESCRIPTION.maxPx, sizePx: DESCRIPTION.sizePx } }
}

/**
 * Descriptions for search results, the best first: the passage of the text that tells most of what
 * the title names, and where the text is too short, filled with
 * title, attributes, maker and category as they are; where another product has it, led by the title
 * and what tells it apart. Nothing is said that the product does not say.
 */
export function* metaDescriptions(subject: Subject, levels: FallbackLevels): Generator<string> {
  const sentences = sentencesOf(subject.description, subject.locale)
  const lengths = descriptionLengths(sentences.join(' ') || subject.title)
  yield composed('', { subject, sentences, lengths })
  for (const tail of levels.slice(1)) {
    const lead = leadOf(subject, tail, lengths)
    if (lead !== null) yield composed(lead, { subject, sentences, lengths })
  }
}

function leadOf({ title }: Subject, tail: string[], { room }: Lengths): string | null {
  const lead = joined(title, tail, {
    ...room,
    maxCharacters: Math.floor(room.maxCharacters * MAX_LEAD_SHARE),
    maxPx: room.maxPx * MAX_LEAD_SHARE
  })
  return lead === null ? null : withFullStop(lead)
}

interface Composing {
  subject: Subject
  sentences: string[]
  lengths: Lengths
}

function composed(lead: string, { subject, sentences, lengths }: Composing): string {
  const text = bestPassage(sentences, { terms: termsOf(subject.title, subject.locale), ...lengthsAfter(lead, lengths) })
  let whole = joinSentences([lead, text])
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
  const maxCharacters = Math.max(0, room.maxCharacters - lead.length - 1)
  return {
    least: Math.max(1, least - lead.length - 1),
    room: { ...room, maxCharacters, maxPx: room.maxPx - pixelWidth(`${lead} `, room.sizePx) }
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
  return containsName(text, phrase) || foldText(text).includes(foldText(phrase))
}

function headed(title: string, text: string, { room }: Lengths): string {
  const [phrase = ''] = usable([title])
  const longer = joinSentences([phrase === '' ? '' : withFullStop(phrase), text])
  return fits(longer, room) ? longer : text
}

function filled(text: string, phrase: string, { room }: Lengths): string {
  const longer = joinSentences([text, withFullStop(phrase)])
  if (fits(longer, room)) return longer
  if (room.maxCharacters - text.length <= MIN_PIECE) return text
  const { room: left } = lengthsAfter(text, { least: 0, room })
  return joinSentences([text, shortened(phrase, left)])
}
