import type { TextBlock } from './text-blocks.ts'
import { collapse, isWide, segmenterFor, trimEndOf } from '../../../lib/text.ts'

/**
 * Length of a description in characters that search results show in full. Wide characters take
 * twice the width.
 */
export const DESCRIPTION_LENGTH = { min: 121, max: 156 }
export const WIDE_DESCRIPTION_LENGTH = { min: 61, max: 80 }
const EXCERPT_LENGTH = { min: 200, max: 300 }

const CREDIT = new RegExp(
  '^(?:photo|image|picture|illustration|graphic|source|credits?|foto|bild|crédit|crédito)\\b' +
    '[^.!?]{0,20}(?::|\\bby\\b|\\bvia\\b|\\bcourtesy\\b)',
  'iu'
)
const SENTENCE_END = /[.!?…。！？][)"'”’»」』]*$/u
const CLAUSE_END = /[,;:–—)，、；：]$/u
/** Input beyond this length is ignored. */
const MAX_INPUT_LENGTH = 2_000

/**
 * The textBlocks that open the text in sentences: no headings, code, captions, credits, lists of
 * links or template tags. Falls back to any text.
 */
export function openingProse(textBlocks: TextBlock[]): string[] {
  const kinds: TextBlock['kind'][][] = [
    ['prose'],
    ['prose', 'quote', 'item'],
    ['prose', 'quote', 'item', 'cell', 'caption', 'heading']
  ]
  for (const wanted of kinds) {
    const found = textBlocks.filter((block) => wanted.includes(block.kind) && isProse(block)).map(({ text }) => text)
    if (found.length > 0) return found
  }
  return textBlocks.filter(({ kind }) => kind !== 'code').map(({ text }) => text)
}

function isProse({ text, withoutCode, linkLength }: TextBlock): boolean {
  if (/\{%|\{\{/.test(withoutCode) || CREDIT.test(text) || linkLength > text.length * 0.6) return false
  return text.length >= (isWide(text) ? 15 : 30) || SENTENCE_END.test(text)
}

/**
 * Creates a description for search results from prose (textBlocks separated by newlines): 121–156
 * characters, or 61–80 of wide scripts. Ends at a sentence, else at a clause, else after a word
 * with an ellipsis. Shorter texts are returned whole. Below the minimum only if a single word would
 * have to be cut.
 */
export function metaDescriptionFrom(text: string, locale: string): string {
  const flowing = collapse(text.slice(0, MAX_INPUT_LENGTH))
  return shorten(flowing, locale, isWide(flowing) ? WIDE_DESCRIPTION_LENGTH : DESCRIPTION_LENGTH)
}

/**
 * Creates a description from an author's excerpt: the excerpt if it is short enough, else as many of
 * its sentences as fit. Only an excerpt whose first sentence is too long, or is only a few words, is
 * cut like a text.
 */
export function metaDescriptionFromExcerpt(excerpt: string, locale: string): string {
  const flowing = collapse(excerpt.slice(0, MAX_INPUT_LENGTH))
  const { max } = isWide(flowing) ? WIDE_DESCRIPTION_LENGTH : DESCRIPTION_LENGTH
  if (flowing.length <= max) return flowing
  const min = Math.ceil(max / 3)
  return cutAtSentence(flowing, segmenterFor(locale, 'sentence'), { min, max }) ?? metaDescriptionFrom(excerpt, locale)
}

/** The first block of prose, at most 300 characters, cut like a description. */
export function excerptFrom(text: string, locale: string): string {
  return shorten(collapse((text.trimStart().split('\n')[0] ?? '').slice(0, MAX_INPUT_LENGTH)), locale, EXCERPT_LENGTH)
}

interface Lengths {
  min: number
  max: number
}

function shorten(text: string, locale: string, { min, max }: Lengths): string {
  if (text.length <= max) return text
  const sentence = cutAtSentence(text, segmenterFor(locale, 'sentence'), { min, max })
  if (sentence !== null) return sentence
  return cutAtWord(text, locale, { min, max: max - 1 })
}

/** The longest run of whole sentences that fits; null when none is long enough. */
function cutAtSentence(text: string, segmenter: Intl.Segmenter, { min, max }: Lengths): string | null {
  let best: string | null = null
  for (const { index, segment } of segmenter.segment(text)) {
    const upTo = text.slice(0, index + segment.length).trimEnd()
    if (upTo.length > max) break
    if (upTo.length >= min && SENTENCE_END.test(upTo)) best = upTo
  }
  return best
}

/** The last clause that fits, or else the last word, with an ellipsis. */
function cutAtWord(text: string, locale: string, { min, max }: Lengths): string {
  let word = ''
  let clause = ''
  for (const { index, segment } of segmenterFor(locale, 'word').segment(text)) {
    const upTo = text.slice(0, index + segment.length)
    if (upTo.trimEnd().length > max) break
    if (!atWordBoundary(text, upTo.length)) continue
    word = upTo.trimEnd()
    const bare = trimPunctuation(word)
    if (CLAUSE_END.test(word) && bare.length + 1 >= min) clause = bare
  }
  const bare = trimPunctuation(word)
  const end = clause !== '' ? clause : bare.length + 1 >= min ? bare : word
  return end === '' ? `${Array.from(text.slice(0, max)).slice(0, -1).join('')}…` : `${end}…`
}

/**
 * Whether a text may be cut here: at white space or between wide characters, not at a dash, dot or
 * apostrophe inside a name.
 */
function atWordBoundary(text: string, position: number): boolean {
  const after = text.slice(position, position + 1)
  return after === '' || /\s/.test(after) || isWide(text.slice(Math.max(0, position - 1), position + 1))
}

const trimPunctuation = (text: string) => trimEndOf(text, /[\s,;:–—\-(（[“‘"'，、；：]/u)
