import { foldText, splitRuns } from '../../../lib/text.ts'
import { stopWordsFor } from '../../blogs/related/vector.ts'
import { languageOf } from '../../../lib/transliterate.ts'
import { descriptionLengths } from '../rules/meta-descriptions.ts'
import { TITLE, pixelWidth, fits } from '../rules/shorten.ts'
import type { SuggestedTexts, ProviderSource } from './prompt.ts'
import { isGrounded } from './grounding.ts'
import { isReadable } from './readability.ts'

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl']
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
/** Fewer stop words than this say nothing about the language. */
const MIN_STOP_WORDS = 2
/** A language that the source hardly speaks is not its own. */
const MIN_LANGUAGE_SHARE = 0.5

/**
 * Whether a text is written in the scripts and, as far as stop words tell, in the language of its
 * source. `locale` counts where the source has too few of them.
 */
export function isInLanguageOf(text: string, source: string, locale: string | null): boolean {
  if (
    !SCRIPTS.every((script) => !script.test(text) || script.test(source)) ||
    (OTHER_LETTER.test(text) && !OTHER_LETTER.test(source))
  ) {
    return false
  }
  const textHits = countStopWords(text)
  const most = Math.max(...textHits.values())
  if (most < MIN_STOP_WORDS) return true
  const sourceHits = countStopWords(source)
  const maxSourceHits = Math.max(...sourceHits.values())
  const best = LANGUAGES.filter((language) => textHits.get(language) === most)
  if (maxSourceHits < MIN_STOP_WORDS) return locale !== null && best.includes(languageOf(locale))
  return best.some((language) => sourceHits.get(language)! >= maxSourceHits * MIN_LANGUAGE_SHARE)
}

function countStopWords(text: string): Map<string, number> {
  const words = splitRuns(foldText(text)).map((run) => run.text)
  return new Map(
    LANGUAGES.map((language) => [language, words.filter((word) => stopWordsFor(language).has(word)).length])
  )
}

/** Texts that passed every check; what did not is left out. */
export type Suggestion = Readonly<SuggestedTexts>

const LENGTH_IS_RIGHT: Record<keyof Suggestion, (text: string) => boolean> = {
  metaTitle: (text) => text.length >= 3 && pixelWidth(text, TITLE.sizePx) <= TITLE.maxPx,
  pageTitle: (text) => text.length >= 3 && text.length <= 150,
  metaDescription: (text) => {
    const { least, room } = descriptionLengths(text)
    return text.length >= least && fits(text, room)
  }
}

/**
 * Checks each text by itself: length, pixels, plain text, language, grounding in what the provider
 * was told.
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
        LENGTH_IS_RIGHT[field as keyof Suggestion](text) &&
        isReadable(text) &&
        isInLanguageOf(text, sourceText, source.locale) &&
        isGrounded(text, sourceText, source.locale)
    )
  )
}
