import { randomInt } from 'node:crypto'
import { transliterate } from '../../lib/transliterate.ts'
import { trimEndOf } from '../../lib/text.ts'

const MAX_GENERATED_LENGTH = 80
const MAX_LENGTH = 120
const FALLBACK = 'blog'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Path segments under /api/v1/blogs that a slug would conflict with. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  'categories',
  'tags',
  'authors',
  'images',
  'redirects',
  'feed',
  'sitemap',
  'by-id'
])

/** Whether the text has the form of an id, which no slug has. */
export const isId = (text: string): boolean => UUID.test(text.toLowerCase())

/**
 * Whether a slug is a path of the API, or has the form of a UUID, which the same place in a path
 * takes for an id.
 */
export function isReservedSlug(slug: string): boolean {
  return RESERVED_SLUGS.has(slug) || UUID.test(slug)
}

/**
 * Creates a slug from a title: `[a-z0-9]+(-[a-z0-9]+)*`, at most 80 characters, cut between words
 * unless the first word alone is longer. `blog` when no character of the title can be written in
 * ASCII. The slug may be reserved or taken: use `nextSlug` then.
 */
export function slugify(title: string, locale: string = 'en'): string {
  return slugifyOrNull(title, locale) ?? FALLBACK
}

/** Like `slugify`, but null when no character can be written in ASCII. */
export function slugifyOrNull(title: string, locale: string): string | null {
  const slug = transliterate(title, locale)
    .replace(/['’‘ʼ＇`´]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return slug === '' ? null : shorten(slug)
}

/**
 * The next candidate for a slug: `base-2` for n = 2 and so on (n is an integer ≥ 2), with the base
 * shortened to at most 120 characters in total.
 */
export function nextSlug(base: string, n: number): string {
  const suffix = `-${n}`
  return trimEndOf(base.slice(0, MAX_LENGTH - suffix.length), /-/) + suffix
}

/** Numbers of slugs that are tried in order. More posts with the same title are rare. */
const ORDERED_ATTEMPTS = 20
const RANDOM_ATTEMPTS = 20
/** `randomInt` accepts ranges of less than 2^48. */
const MAX_RANDOM = 2 ** 47

/**
 * The numbers to try for a slug: 1 for the slug itself, 2 to 20 in order, and then 20 random numbers from ranges
 * that grow, so that the number of attempts does not depend on how many blogs have the same title.
 */
export function* slugNumbers(): Generator<number> {
  for (let n = 1; n <= ORDERED_ATTEMPTS; n++) yield n
  for (let k = 1; k <= RANDOM_ATTEMPTS; k++) {
    yield randomInt(ORDERED_ATTEMPTS + 1, Math.min(MAX_RANDOM, ORDERED_ATTEMPTS * 10 ** k))
  }
}

function shorten(slug: string): string {
  if (slug.length <= MAX_GENERATED_LENGTH) return slug
  const end = slug.lastIndexOf('-', MAX_GENERATED_LENGTH)
  return slug.slice(0, end > 0 ? end : MAX_GENERATED_LENGTH)
}
