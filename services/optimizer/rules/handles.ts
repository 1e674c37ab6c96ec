import { transliterate } from '../../../lib/transliterate.ts'
import type { Rungs } from './rungs.ts'
import type { Subject } from './subject.ts'

const LONGEST = 80
/** Of a title, beside what tells it apart. */
const LEAST_OF_TITLE = 20
const FALLBACK = 'product'

/**
 * Handles, the best first: the title in `[a-z0-9]+(-[a-z0-9]+)*`, and with what tells it apart
 * where another product has it; at most 80 characters.
 * A title that cannot be written so gives way to the sku, then the externalId, then `product-` and
 * a number.
 */
export function* handles(subject: Subject, rungs: Rungs): Generator<string> {
  const { title, sku, externalId, locale } = subject
  const base = slug(title, locale)
  const speaks = /[a-z]/.test(base) || (base !== '' && !/\p{L}/u.test(title))
  const stem = speaks ? base : slug(sku, locale) || slug(externalId, locale)
  const tails = rungs.map((rung) => rung.join(' '))
  for (const tail of [...tails.slice(0, -2), '2', '3', ...tails.slice(-2)]) {
    const end = slug(tail, locale)
    if (stem !== '' || end !== '') yield withTail(stem === '' ? FALLBACK : stem, end)
  }
}

function withTail(stem: string, tail: string): string {
  if (tail === '' || tail === stem) return shortened(stem, LONGEST)
  const end = shortened(tail, LONGEST - LEAST_OF_TITLE - 1)
  return `${shortened(stem, LONGEST - 1 - end.length)}-${end}`
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
