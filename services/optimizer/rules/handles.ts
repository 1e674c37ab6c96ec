import { transliterate } from '../../../lib/transliterate.ts'
import type { FallbackLevels } from './fallback-levels.ts'
import type { Subject } from './subject.ts'

const MAX_LENGTH = 80
/** Of a title, beside what tells it apart. */
const MIN_TITLE_LENGTH = 20
const FALLBACK = 'product'

/**
 * Handles, the best first: the title in `[a-z0-9]+(-[a-z0-9]+)*`, and with what tells it apart
 * where another product has it; at most 80 characters.
 * A title that cannot be written so gives way to the sku, then the externalId, then `product-` and
 * a number.
 */
export function* handles(subject: Subject, levels: FallbackLevels): Generator<string> {
  const { title, sku, externalId, locale } = subject
  const base = slug(title, locale)
  const speaks = /[a-z]/.test(base) || (base !== '' && !/\p{L}/u.test(title))
  const stem = speaks ? base : slug(sku, locale) || slug(externalId, locale)
  const tails = levels.map((rung) => rung.join(' '))
  for (const tail of [...tails.slice(0, -2), '2', '3', ...tails.slice(-2)]) {
    const end = slug(tail, locale)
    if (stem !== '' || end !== '') yield withTail(stem === '' ? FALLBACK : stem, end)
  }
}

function withTail(stem: string, tail: string): string {
  if (tail === '' || tail === stem) return shortened(stem, MAX_LENGTH)
  const end = shortened(tail, MAX_LENGTH - MIN_TITLE_LENGTH - 1)
  return `${shortened(stem, MAX_LENGTH - 1 - end.length)}-${end}`
}

function slug(text: string, locale: string): string {
  return transliterate(text, locale)
    .replace(/['’‘ʼ＇`´]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** Cut between words unless the first alone is longer. */
function shortened(handle: string, most: number): string {
  if (handle.length <= most) return handle
  const end = handle.lastIndexOf('-', most)
  return handle.slice(0, end > 0 ? end : most)
}
