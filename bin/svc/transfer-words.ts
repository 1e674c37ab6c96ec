/**
 * How people speak of what is moved: one, and many. Kinds that are not here are of no interest to
 * them.
 */
const WORDS: Record<string, [one: string, many: string]> = {
  account: ['account', 'accounts'],
  project: ['project', 'projects'],
  apiKey: ['key', 'keys'],
  blog: ['blog', 'blogs'],
  tombstone: ['deleted blog', 'deleted blogs'],
  image: ['image', 'images'],
  product: ['product', 'products'],
  import: ['import', 'imports'],
  importError: ['failed row', 'failed rows'],
  visualCheck: ['visual check', 'visual checks'],
  event: ['event', 'events'],
  webhook: ['webhook', 'webhooks'],
  delivery: ['delivery', 'deliveries'],
  recovery: ['recovery', 'recoveries'],
  idempotency: ['kept answer', 'kept answers'],
  usage: ['hour of usage', 'hours of usage'],
  file: ['file', 'files']
}

/** `2 accounts, 1 blog`; null where there is nothing of interest. */
export function inWords(counts: Record<string, number>): string | null {
  const parts = Object.entries(WORDS).flatMap(([kind, [one, many]]) => {
    const count = counts[kind] ?? 0
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]
  })
  return parts.length === 0 ? null : parts.join(', ')
}
