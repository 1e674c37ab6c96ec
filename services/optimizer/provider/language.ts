import { foldText, splitRuns } from '../../../lib/text.ts'
import { stopWordsFor } from '../../blogs/related/vector.ts'
import { languageOf } from '../../../lib/transliterate.ts'

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
const FEWEST = 2
/** A language that the source hardly speaks is not its own. */
const SPOKEN = 0.5

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
  const said = hits(text)
  const most = Math.max(...said.values())
  if (most < FEWEST) return true
  const heard = hits(source)
  const loudest = Math.max(...heard.values())
  const best = LANGUAGES.filter((language) => said.get(language) === most)
  if (loudest < FEWEST) return locale !== null && best.includes(languageOf(locale))
  return best.some((language) => heard.get(language)! >= loudest * SPOKEN)
}

function hits(text: string): Map<string, number> {
  const words = splitRuns(foldText(text)).map((run) => run.text)
  return new Map(
    LANGUAGES.map((language) => [language, words.filter((word) => stopWordsFor(language).has(word)).length])
  )
}
