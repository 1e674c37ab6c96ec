import { transliterate } from '../../../lib/transliterate.ts'
import type { FallbackLevels } from './fallback-levels.ts'
import type { Subject } from './subject.ts'

const MAX_LENGTH = 80
/** Minimum number of characters for the title before a distinguishing suffix. */
const MIN_TITLE_LENGTH = 20
const FALLBACK = 'product'

/**
 * Candidates for a handle, best first: the title as `[a-z0-9]+(-[a-z0-9]+)*`, then with
 * distinguishing suffixes; at maxLength 80 characters.
 * A title that cannot be transliterated is replaced by the sku, then the externalId, then
 * `product-` and a number.
 */
export function* handles(subject: Subject, levels: FallbackLevels): Generator<string> {
  const { title, sku, externalId, locale } = subject
  const base = slug(title, locale)
  const isReadable = /[a-z]/.test(base) || (base !== '' && !/\p{L}/u.test(title))
  const stem = isReadable ? base : slug(sku, locale) || slug(externalId, locale)
  const tails = levels.map((level) => level.join(' '))
  for (const tail of [...tails.slice(0, -2), '2', '3', ...tails.slice(-2)]) {
    const end = slug(tail, locale)
    if (stem !== '' || end !== '') yield withTail(stem === '' ? FALLBACK : stem, end)
  }
}

function withTail(stem: string, tail: string): string {
  if (tail === '' || tail === stem) return truncate(stem, MAX_LENGTH)
  const end = truncate(tail, MAX_LENGTH - MIN_TITLE_LENGTH - 1)
  return `${truncate(stem, MAX_LENGTH - 1 - end.length)}-${end}`
}

function slug(text: string, locale: string): string {
  return transliterate(text, locale)
    .replace(/['’‘ʼ＇`´]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** Cuts between words, unless the first word alone is too long. */
function truncate(handle: string, maxLength: number): string {
  if (handle.length <= maxLength) return handle
  const end = handle.lastIndexOf('-', maxLength)
  return handle.slice(0, end > 0 ? end : maxLength)
}
