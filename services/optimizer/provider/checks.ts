import { languageOf } from '../../../lib/transliterate.ts'
import { countStopWords, MIN_STOP_WORDS, STOP_WORD_LANGUAGES } from '../language.ts'
import { descriptionLengths } from '../rules/meta-descriptions.ts'
import { TITLE, pixelWidth, fits } from '../rules/shorten.ts'
import type { SuggestedTexts, ProviderSource } from './prompt.ts'
import { isGrounded } from './grounding.ts'
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

/** The texts that passed every check; rejected texts are omitted. */
export type Suggestion = Readonly<SuggestedTexts>

const HAS_VALID_LENGTH: Record<keyof Suggestion, (text: string) => boolean> = {
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
export function checkTexts(texts: SuggestedTexts, source: ProviderSource): Suggestion {
  const sourceText = [
    source.title,
    source.description,
    source.category,
    source.brand,
    ...Object.entries(source.attributes).flat()
  ].join('\n')
  return Object.fromEntries(
    Object.entries(texts).filter(
      ([field, text]) =>
        HAS_VALID_LENGTH[field as keyof Suggestion](text) &&
        isReadable(text) &&
        isInLanguageOf(text, sourceText, source.locale) &&
        isGrounded(text, sourceText, source.locale)
    )
  )
}
