import { foldText } from '../../../lib/text.ts'
import { queryTerms, searchTerms } from '../../../services/blogs/search-terms.ts'
import { slugify } from '../../../services/blogs/slug.ts'

export const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** Matches like the stores: every term must occur, the last one as a prefix. */
export function finds(query: string, text: string, locale = 'en'): boolean {
  const terms = searchTerms(text, locale)
  const wanted = queryTerms(query)
  return (
    wanted.length > 0 &&
    wanted.every((term, i) =>
      i === wanted.length - 1 ? terms.some((word) => word.startsWith(term)) : terms.includes(term)
    )
  )
}

/** Checks search terms of texts: characters, lengths, folding, and that each text is found. */
export function searchTermProblems(texts: string[]): string[] {
  const terms = texts.flatMap((text) => [...searchTerms(text, 'de'), ...queryTerms(text)])
  return [
    ...terms
      .filter((term) => !/^[\p{L}\p{M}\p{N}]{1,64}$/u.test(term))
      .map((term) => `not only letters, marks and digits, at most 64: ${JSON.stringify(term)}`),
    ...texts
      .filter((text) => queryTerms(text).length > 0 && !finds(text, `before ${text} after`))
      .map((text) => `not found by its own words: ${JSON.stringify(text)}`),
    ...texts
      .filter((text) => foldText(foldText(text)) !== foldText(text))
      .map((text) => `folding it twice changes it: ${JSON.stringify(text)}`)
  ]
}

/** The invalid slugs among those of these titles in four languages. */
export function slugProblems(titles: string[]): string[] {
  return titles
    .flatMap((title) => ['en', 'de', 'uk', ''].map((locale) => slugify(title, locale)))
    .filter((slug) => !SLUG.test(slug) || slug.length > 80)
}
