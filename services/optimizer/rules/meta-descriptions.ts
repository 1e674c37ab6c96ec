import { DESCRIPTION_LENGTH, WIDE_DESCRIPTION_LENGTH } from '../../blogs/content/descriptions.ts'
import { foldText, isWide } from '../../../lib/text.ts'
import { namesProduct } from './names.ts'
import { describeFacts } from './phrases.ts'
import { withFullStop } from './sentences.ts'
import { selectSentences } from './selection.ts'
import { DESCRIPTION, shorten, type Room } from './shorten.ts'
import type { Subject } from './subject.ts'

/** Below this length, a search result shows less than a line and a half. */
export const MIN_DESCRIPTION_LENGTH = 70
export const MIN_WIDE_DESCRIPTION_LENGTH = 35

export interface Lengths {
  /** The shortest acceptable text. */
  min: number
  /** Below this length, another sentence is an improvement. */
  good: number
  room: Room
}

/**
 * The length limits for a description of this text: 70–156 characters, or 35–80 in wide scripts, and
 * at most 920 px in Arial 14 px.
 */
export function descriptionLengths(text: string): Lengths {
  const wide = isWide(text)
  const { min: good, max } = wide ? WIDE_DESCRIPTION_LENGTH : DESCRIPTION_LENGTH
  return {
    min: wide ? MIN_WIDE_DESCRIPTION_LENGTH : MIN_DESCRIPTION_LENGTH,
    good,
    room: { maxCharacters: max, maxPx: DESCRIPTION.maxPx, sizePx: DESCRIPTION.sizePx }
  }
}

/**
 * Candidates for a meta description, best first: whole sentences of the source that say most on the
 * product, then sentences that begin with its name and its distinguishing attributes, then phrases of
 * its attributes. The texts state nothing that the product data does not state.
 */
export function* metaDescriptions(subject: Subject): Generator<string> {
  const { source, title } = subject
  const lengths = descriptionLengths(
    source.sentences.map(({ text }) => text).join(' ') || source.items.join(' ') || title
  )
  const seen = new Set<string>()
  for (const text of candidates(subject, lengths)) {
    const key = foldText(text)
    if (text === '' || seen.has(key)) continue
    seen.add(key)
    yield text
  }
}

function* candidates(subject: Subject, lengths: Lengths): Generator<string> {
  let isWritten = false
  for (const text of selectSentences(subject, lengths)) {
    isWritten = true
    yield text
  }
  if (isWritten) return
  yield* describeFacts(subject, lengths)
  // A text without any boundary, or nothing but a title.
  const { description, title, grammar } = subject
  const plain = description.replace(/\s+/g, ' ').trim()
  // A placeholder says nothing.
  const text = grammar.service.test(plain) ? '' : plain
  yield withFullStop(
    shorten(text === '' ? title : namesProduct(text, subject) ? text : `${title}${grammar.colon}${text}`, lengths.room)
  )
}
