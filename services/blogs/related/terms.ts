import { hashTerm } from '../../../lib/packed-terms.ts'
import { normalize } from '../../../lib/normalize.ts'
import { languageOf } from '../../../lib/transliterate.ts'
import type { BlogVector, IndexedBlog } from '../../../ports/store/port.ts'

/**
 * Weight of tags and categories relative to words (before squaring). Their rarity counts like that
 * of words.
 */
const TAG_WEIGHT = 2.5
const CATEGORY_WEIGHT = 1.5
/** Terms in a larger share of the blogs distinguish nothing and would take most of the time. */
const COMMON_SHARE = 0.4
const MIN_COMMON = 12
const MAX_WEIGHT = 65_535

/** The version of these rules and of `createVector`: with another one, the index is built again. */
export const INDEX_VERSION = 1

/**
 * The entry of a blog in the index. Its terms are the words of its vector, its tags and its category,
 * as 32-bit hashes: two terms with the same hash count as one, which is as rare as it is harmless.
 */
export function toIndexedBlog(accountId: string, blog: BlogVector): IndexedBlog {
  const weights = new Map<number, number>()
  for (const [term, weight] of blogTerms(blog)) {
    const hash = hashTerm(term)
    weights.set(hash, Math.max(weights.get(hash) ?? 0, Math.min(MAX_WEIGHT, Math.round(100 * weight))))
  }
  const terms = Int32Array.from(weights.keys()).sort()
  return {
    id: blog.id,
    group: { accountId, projectId: blog.projectId, language: languageOf(blog.locale) },
    locale: blog.locale.toLowerCase(),
    publishedAt: blog.publishedAt,
    terms,
    weights: Uint16Array.from(terms, (term) => weights.get(term)!)
  }
}

/** Words of the text, plus tags and the category with a prefix (`#`, `>`) that no word has. */
function blogTerms(blog: BlogVector): [string, number][] {
  const labels = new Set(blog.tags.map((tag) => `#${sameCase(tag)}`))
  const terms: [string, number][] = [
    ...blog.vector,
    ...Array.from(labels, (label): [string, number] => [label, TAG_WEIGHT])
  ]
  if (blog.category !== null) terms.push([`>${sameCase(blog.category)}`, CATEGORY_WEIGHT])
  return terms
}

function sameCase(label: string): string {
  return normalize(label, 'NFKC').trim().toLowerCase()
}

/**
 * The rarity of a term that occurs in `count` of `blogs` blogs: ln((n + 1) / count), never 0, so that
 * two blogs alone find each other. 0 for a term of a single blog and of most blogs.
 */
export function rarityOf(count: number, blogs: number): number {
  return count < 2 || count > Math.max(MIN_COMMON, blogs * COMMON_SHARE) ? 0 : Math.log((blogs + 1) / count)
}
