import { DESCRIPTION_LENGTH, WIDE_DESCRIPTION_LENGTH } from '../../blogs/content/descriptions.ts'
import { foldText, isWide } from '../../../lib/text.ts'
import { forbiddenIn, withoutEmoji } from './forbidden-content.ts'
import { selectExcerpt, withFullStop, joinSentences, splitSentences } from './passages.ts'
import { DESCRIPTION, pixelWidth, fits, shorten, type Room } from './shorten.ts'
import type { FallbackLevels } from './fallback-levels.ts'
import type { Subject } from './subject.ts'
import { joinTitle } from './titles.ts'
import { containsName, termsOf } from './words.ts'

interface Lengths {
  min: number
  room: Room
}
/** Share of the available space for the title and attributes before the text. */
const MAX_LEAD_SHARE = 0.6
/** Shorter pieces are not added. */
const MIN_PIECE = 15

/**
 * The length limits for a description of this text: 121–156 characters, or 61–80 in wide scripts,
 * and at most 920 px in Arial 14 px.
 */
export function descriptionLengths(text: string): Lengths {
  const { min, max } = isWide(text) ? WIDE_DESCRIPTION_LENGTH : DESCRIPTION_LENGTH
  return { min, room: { maxCharacters: max, maxPx: DESCRIPTION.maxPx, sizePx: DESCRIPTION.sizePx } }
}

/**
 * Candidates for a meta description, best first: the passage that covers the title best. A short
 * passage is extended with the title, attributes, brand and category. Further candidates begin with
 * the title and distinguishing parts. The texts state nothing that the product data does not state.
 */
export function* metaDescriptions(subject: Subject, levels: FallbackLevels): Generator<string> {
  const sentences = splitSentences(subject.description, subject.locale)
  const lengths = descriptionLengths(sentences.join(' ') || subject.title)
  yield compose('', { subject, sentences, lengths })
  for (const tail of levels.slice(1)) {
    const lead = buildLead(subject, tail, lengths)
    if (lead !== null) yield compose(lead, { subject, sentences, lengths })
  }
}

function buildLead({ title }: Subject, tail: string[], { room }: Lengths): string | null {
  const lead = joinTitle(title, tail, {
    ...room,
    maxCharacters: Math.floor(room.maxCharacters * MAX_LEAD_SHARE),
    maxPx: room.maxPx * MAX_LEAD_SHARE
  })
  return lead === null ? null : withFullStop(lead)
}

interface ComposeOptions {
  subject: Subject
  sentences: string[]
  lengths: Lengths
}

function compose(lead: string, { subject, sentences, lengths }: ComposeOptions): string {
  const text = selectExcerpt(sentences, {
    terms: termsOf(subject.title, subject.locale),
    ...remainingLengths(lead, lengths)
  })
  let result = joinSentences([lead, text])
  if (text !== '' && result.length < lengths.min && !mentions(result, subject.title)) {
    result = prependTitle(subject.title, result, lengths)
  }
  for (const phrase of productPhrases(subject)) {
    if (result.length >= lengths.min) break
    if (!mentions(result, phrase)) result = appendPhrase(result, phrase, lengths)
  }
  return result
}

function remainingLengths(lead: string, { min, room }: Lengths): Lengths {
  if (lead === '') return { min, room }
  const maxCharacters = Math.max(0, room.maxCharacters - lead.length - 1)
  return {
    min: Math.max(1, min - lead.length - 1),
    room: { ...room, maxCharacters, maxPx: room.maxPx - pixelWidth(`${lead} `, room.sizePx) }
  }
}

/** Phrases that are valid for any product. */
function productPhrases({ title, attributes, makerName, category }: Subject): string[] {
  const pairs = attributes.map(({ name, value }) => `${name}: ${value}`)
  return allowedPhrases([title, makerName, pairs.join(', '), category.join(' › ')])
}

function allowedPhrases(phrases: string[]): string[] {
  return phrases
    .map((phrase) => withoutEmoji(phrase))
    .filter((phrase) => phrase !== '' && forbiddenIn(phrase).length === 0)
}

function mentions(text: string, phrase: string): boolean {
  return containsName(text, phrase) || foldText(text).includes(foldText(phrase))
}

function prependTitle(title: string, text: string, { room }: Lengths): string {
  const [phrase = ''] = allowedPhrases([title])
  const longer = joinSentences([phrase === '' ? '' : withFullStop(phrase), text])
  return fits(longer, room) ? longer : text
}

function appendPhrase(text: string, phrase: string, { room }: Lengths): string {
  const longer = joinSentences([text, withFullStop(phrase)])
  if (fits(longer, room)) return longer
  if (room.maxCharacters - text.length <= MIN_PIECE) return text
  const { room: remaining } = remainingLengths(text, { min: 0, room })
  return joinSentences([text, shorten(phrase, remaining)])
}
