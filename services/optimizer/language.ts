import { foldText, splitRuns } from '../../lib/text.ts'
import { languageOf } from '../../lib/transliterate.ts'
import { stopWordsFor } from '../blogs/related/vector.ts'

/** The languages that stop words can tell apart. */
export const STOP_WORD_LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl']
/** With fewer stop words, the language cannot be determined. */
export const MIN_STOP_WORDS = 2
/** The stop words of the best language must exceed those of the second one by this factor. */
const MIN_LEAD = 1.3
/** Text beyond this length does not change the result. */
const SAMPLE_CHARACTERS = 1_500

/** Scripts of one language, or of one that dominates in shops. The first match decides. */
const SCRIPT_LANGUAGES: readonly (readonly [language: string, script: RegExp])[] = [
  ['ja', /[\p{sc=Hiragana}\p{sc=Katakana}]/gu],
  ['ko', /\p{sc=Hangul}/gu],
  ['zh', /\p{sc=Han}/gu],
  ['ar', /\p{sc=Arabic}/gu],
  ['he', /\p{sc=Hebrew}/gu],
  ['ru', /\p{sc=Cyrillic}/gu],
  ['el', /\p{sc=Greek}/gu],
  ['th', /\p{sc=Thai}/gu]
]
/** Letters and elisions that are common in one language and rare in the others. */
const SPELLING_HINTS: readonly (readonly [language: string, hint: RegExp])[] = [
  ['fr', /[èêëâçîïôûùœ]|(?<!\p{L})[ldnsjc]['’](?=\p{L})|ée?s?(?!\p{L})|aux?(?!\p{L})/giu],
  ['de', /[äöüß]|(?<!\p{L})\p{Lu}\p{L}+(?:ung|keit|heit|chen)(?!\p{L})/gu],
  ['es', /[ñ¿¡áíóú]|ción(?!\p{L})/giu],
  ['pt', /[ãõ]|ção(?!\p{L})/giu]
]
const HINT_POINTS = 0.8
const MAX_HINT_POINTS = 4
const LETTERS = /\p{L}/gu

/** The languages of each stop word, so that a word is looked up once. */
const languagesByWord = new Map<string, string[]>()

function languagesOf(word: string): readonly string[] {
  if (languagesByWord.size === 0) {
    for (const language of STOP_WORD_LANGUAGES) {
      for (const stopWord of stopWordsFor(language)) {
        languagesByWord.set(stopWord, [...(languagesByWord.get(stopWord) ?? []), language])
      }
    }
  }
  return languagesByWord.get(word) ?? NO_LANGUAGES
}

const NO_LANGUAGES: readonly string[] = []

/** The number of stop words of each language in a text. */
export function countStopWords(text: string): Map<string, number> {
  const counts = new Map(STOP_WORD_LANGUAGES.map((language) => [language, 0]))
  for (const { text: word } of splitRuns(foldText(text))) {
    for (const language of languagesOf(word)) counts.set(language, counts.get(language)! + 1)
  }
  return counts
}

/**
 * The language of a text: by its script, or else by its stop words. Null if the text is too short or
 * too mixed to tell.
 */
export function detectLanguage(text: string): string | null {
  const sample = text.slice(0, SAMPLE_CHARACTERS)
  const letters = sample.match(LETTERS)?.length ?? 0
  if (letters === 0) return null
  for (const [language, script] of SCRIPT_LANGUAGES) {
    const share = (sample.match(script)?.length ?? 0) / letters
    // Japanese mixes three scripts, of which only two are its own.
    if (share > (language === 'ja' ? 0.15 : 0.5)) return language
  }
  const points = countStopWords(sample)
  for (const [language, hint] of SPELLING_HINTS) {
    const count = sample.match(hint)?.length ?? 0
    points.set(language, points.get(language)! + Math.min(count * HINT_POINTS, MAX_HINT_POINTS))
  }
  const [best, second] = [...points].sort((a, b) => b[1] - a[1])
  if (best === undefined || best[1] < MIN_STOP_WORDS || best[1] < (second?.[1] ?? 0) * MIN_LEAD) return null
  return best[0]
}

/**
 * The locale in which the texts of a product are written: its own, or else the language of its text,
 * the project's locale, and English.
 */
export function textLocale(text: string, { own, project }: { own: string | null; project: string | null }): string {
  if (own !== null) return own
  const detected = detectLanguage(text)
  // The project's tag may be more precise: `de-CH` for a German text.
  if (detected !== null && project !== null && languageOf(project) === detected) return project
  return detected ?? project ?? 'en'
}
