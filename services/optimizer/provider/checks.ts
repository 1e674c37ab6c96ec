import { languageOf } from '../../../lib/transliterate.ts'
import { countStopWords, MIN_STOP_WORDS, STOP_WORD_LANGUAGES } from '../language.ts'
import { descriptionLengths } from '../rules/meta-descriptions.ts'
import { TITLE, pixelWidth, fits } from '../rules/shorten.ts'
import type { SuggestedTexts, ProviderSource } from './prompt.ts'
import { findUngrounded } from './grounding.ts'
import { isReadable } from './readability.ts'

const SCRIPTS = [
  'Latin',
  'Greek',
  'Cyrillic',
  'Arabic',
  'Hebrew',
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Thai',
  'Devanagari',
  'Armenian',
  'Georgian',
  'Bengali',
  'Tamil',
  'Telugu'
].map((script) => new RegExp(`\\p{sc=${script}}`, 'u'))
const OTHER_LETTER = new RegExp(`(?!${SCRIPTS.map(({ source }) => source).join('|')})\\p{L}`, 'u')
/**
 * A language counts as one of the source if it has at least this share of the maximum stop word
 * hits.
 */
const MIN_LANGUAGE_SHARE = 0.5

/**
 * Whether a text uses only scripts of its source and, as far as stop words show, its language.
 * `locale` decides if the source has too few stop words.
 */
export function isInLanguageOf(text: string, source: string, locale: string | null): boolean {
  if (
    !SCRIPTS.every((script) => !script.test(text) || script.test(source)) ||
    (OTHER_LETTER.test(text) && !OTHER_LETTER.test(source))
  ) {
    return false
  }
  const textHits = countStopWords(text)
  const maxTextHits = Math.max(...textHits.values())
  if (maxTextHits < MIN_STOP_WORDS) return true
  const sourceHits = countStopWords(source)
  const maxSourceHits = Math.max(...sourceHits.values())
  const best = STOP_WORD_LANGUAGES.filter((language) => textHits.get(language) === maxTextHits)
  if (maxSourceHits < MIN_STOP_WORDS) return locale !== null && best.includes(languageOf(locale))
  return best.some((language) => sourceHits.get(language)! >= maxSourceHits * MIN_LANGUAGE_SHARE)
}

type TextField = keyof SuggestedTexts

/** A text that did not pass a check, and the reason as a sentence part: `states "steel" …`. */
export interface RejectedText {
  field: TextField
  reason: string
}

/** The texts that passed every check, and the others with the reason. */
export interface CheckedTexts {
  texts: Readonly<SuggestedTexts>
  rejected: RejectedText[]
}

/** At most so many unsupported parts are named in a reason. */
const MAX_NAMED_PARTS = 3
const MAX_PART_LENGTH = 40

const HAS_VALID_LENGTH: Record<TextField, (text: string) => boolean> = {
  metaTitle: (text) => text.length >= 3 && pixelWidth(text, TITLE.sizePx) <= TITLE.maxPx,
  pageTitle: (text) => text.length >= 3 && text.length <= 150,
  metaDescription: (text) => {
    const { min, room } = descriptionLengths(text)
    return text.length >= min && fits(text, room)
  }
}

/**
 * Checks each text separately: length, width in pixels, plain text, language, and grounding in the
 * data sent to the provider.
 */
export function checkTexts(suggested: SuggestedTexts, source: ProviderSource): CheckedTexts {
  const sourceText = [
    source.title,
    source.description,
    source.category,
    source.brand,
    ...Object.entries(source.attributes).flat()
  ].join('\n')
  const texts: SuggestedTexts = {}
  const rejected: RejectedText[] = []
  for (const [field, text] of Object.entries(suggested) as [TextField, string][]) {
    const reason = reasonAgainst(field, { text, sourceText, locale: source.locale })
    if (reason === null) texts[field] = text
    else rejected.push({ field, reason })
  }
  return { texts, rejected }
}

function reasonAgainst(
  field: TextField,
  { text, sourceText, locale }: { text: string; sourceText: string; locale: string | null }
): string | null {
  if (!HAS_VALID_LENGTH[field](text)) return `has an unsuitable length (${text.length} characters)`
  if (!isReadable(text)) return 'is not plain text'
  if (!isInLanguageOf(text, sourceText, locale)) return 'is in another language than the product data'
  const parts = findUngrounded(text, sourceText, locale)
  if (parts.length === 0) return null
  const named = parts.filter(({ kind }) => kind !== 'topic').slice(0, MAX_NAMED_PARTS)
  if (named.length === 0) return 'is about something else than the product data'
  const list = named.map((part) => `${part.text.slice(0, MAX_PART_LENGTH)} (${part.kind})`).join(', ')
  return `states what the product data does not: ${list}`
}
