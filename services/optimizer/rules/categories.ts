import { languageOf } from '../../../lib/transliterate.ts'
import { capitalizeFirst } from './sentences.ts'

/** English words that slugs write without an apostrophe. */
const POSSESSIVES: Readonly<Record<string, string>> = {
  mens: "men's",
  womens: "women's",
  childrens: "children's",
  kids: "kids'",
  ladies: "ladies'",
  girls: "girls'",
  boys: "boys'",
  babys: "baby's"
}
const SLUG = /^[\p{Ll}\p{N}]+(?:[-_/][\p{Ll}\p{N}]+)*$/u

/**
 * The levels of a category path as people read them: `mens-shirts` becomes `Men's shirts`. Levels
 * without letters, such as ids, are dropped. Names that are not slugs stay unchanged.
 */
export function readableCategory(levels: string[], locale: string): string[] {
  return levels.filter((level) => /\p{L}/u.test(level)).map((level) => readableLevel(level, locale))
}

function readableLevel(level: string, locale: string): string {
  if (!SLUG.test(level)) return level.replace(/_/g, ' ')
  const words = level.split(/[-_/]/)
  const isEnglish = languageOf(locale) === 'en'
  return capitalizeFirst(
    words
      .map((word, i) =>
        isEnglish && i < words.length - 1 && Object.hasOwn(POSSESSIVES, word) ? POSSESSIVES[word] : word
      )
      .join(' ')
  )
}
