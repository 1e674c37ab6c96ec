import type { ListenedEvent } from './listened-event.ts'

/**
 * An event on one line for a person: when it happened (time of day here), its type, its sequence,
 * the mark, and what it is about in a few words.
 */
export function eventLine({ type, timestamp, sequence, data }: ListenedEvent, mark: string): string {
  return [
    new Date(timestamp).toTimeString().slice(0, 8),
    type.padEnd(25),
    `#${sequence}`.padEnd(6),
    ...(mark === '' ? [] : [mark]),
    gist(data)
  ]
    .join('  ')
    .trimEnd()
}

/**
 * `12 products`, `40 rows, 2 failed`, `old-slug → new-slug`; empty for data that is none of these.
 */
function gist({ products, processed, failed, slug, previousSlug, overallScore }: Record<string, unknown>): string {
  if (Array.isArray(products)) return products.length === 1 ? '1 product' : `${products.length} products`
  if (typeof processed === 'number') return `${processed} rows, ${Number(failed)} failed`
  if (typeof slug === 'string') return typeof previousSlug === 'string' ? `${previousSlug} → ${slug}` : slug
  return typeof overallScore === 'number' ? `score ${overallScore}` : ''
}
