import { descriptionLengths } from '../rules/meta-descriptions.ts'
import { TITLE, pixelWidth } from '../rules/pixel-width.ts'
import { fits } from '../rules/shorten.ts'
import type { AnsweredTexts } from './answer.ts'
import { isGrounded } from './grounding.ts'
import { isInLanguageOf } from './language.ts'
import { isPlain } from './plainness.ts'
import type { ProviderSource } from './prompt.ts'

/** Texts that passed every check; what did not is left out. */
export type Suggestion = Readonly<AnsweredTexts>

const LENGTH_IS_RIGHT: Record<keyof Suggestion, (text: string) => boolean> = {
  metaTitle: (text) => text.length >= 3 && pixelWidth(text, TITLE.sizePx) <= TITLE.mostPx,
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
export function checked(texts: AnsweredTexts, source: ProviderSource): Suggestion {
  const told = [
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
        isPlain(text) &&
        isInLanguageOf(text, told, source.locale) &&
        isGrounded(text, told, source.locale)
    )
  )
}
