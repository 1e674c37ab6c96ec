import { transliterate } from '../../lib/transliterate.ts'

const MAX_GENERATED_LENGTH = 80
const MAX_LENGTH = 120
const FALLBACK = 'blog'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Last segments of paths of the interface under /api/v1/blogs, which a slug would hide or be hidden
 * by.
 */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  'categories',
  'images',
  'redirects',
  'feed',
  'sitemap',
  'by-id'
])

/**
 * Whether a blog may not have this slug: a path of the interface, or shaped like a UUID, which the
 * same place in a path takes for an id.
 */
export function isReservedSlug(slug: string): boolean {
  return RESERVED_SLUGS.has(slug) || UUID.test(slug)
}

/**
 * A slug out of a title: `[a-z0-9]+(-[a-z0-9]+)*`, at most 80 characters, cut between words unless
 * the first alone is longer.
 * `blog` where nothing of the title can be written so. It may be reserved or taken: `nextSlug`
 * gives the ones to try then.
 */
export function slugify(title: string, locale: string = 'en'): string {
  const slug = transliterate(title, locale)
    .replace(/['’‘ʼ＇`´]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return slug === '' ? FALLBACK : shorten(slug)
}

/**
 * The slug to try when `base` is not to be had: `base-2` for n = 2 and so on (n an integer ≥ 2),
 * the base shortened so that the whole has at most 120 characters.
 */
export function nextSlug(base: string, n: number): string {
  const suffix = `-${n}`
  return base.slice(0, MAX_LENGTH - suffix.length).replace(/-+$/, '') + suffix
}

function shorten(slug: string): string {
  if (slug.length <= MAX_GENERATED_LENGTH) return slug
  const end = slug.lastIndexOf('-', MAX_GENERATED_LENGTH)
  return slug.slice(0, end > 0 ? end : MAX_GENERATED_LENGTH)
}
