import { foldText } from '../../lib/text.ts'

/**
 * Bands of a MinHash signature. Texts whose trigrams have a Jaccard index of 0.6 share a band with a
 * probability of 0.86, texts with an index of 0.7 with 0.97, and texts with one of 0.3 with 0.2.
 */
const BANDS = 8
const ROWS = 3
/** Four digits in base 36 for each row: about 60 bits for each band. */
const DIGEST_MODULUS = 36 ** 4

/** The character trigrams of a folded text. */
export function trigramsOf(text: string): Set<string> {
  const folded = foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return new Set(Array.from({ length: Math.max(1, folded.length - 2) }, (_, i) => folded.slice(i, i + 3)))
}

/** The share of common trigrams, from 0 to 1. */
export function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0
  for (const trigram of a) if (b.has(trigram)) common++
  return common / (a.size + b.size - common)
}

/**
 * Digests of a text, of which similar texts very probably share at least one: one-permutation MinHash
 * (Li, Owen, Zhang 2012) of the trigrams.
 */
export function similarityDigests(text: string): string[] {
  const letters = foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  const minima = new Uint32Array(BANDS * ROWS).fill(0xffffffff)
  for (let at = 0; at < Math.max(1, letters.length - 2); at++) {
    let hash = 0x811c9dc5
    for (let i = at; i < at + 3; i++) hash = Math.imul(hash ^ letters.charCodeAt(i), 0x01000193)
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    hash = (hash ^ (hash >>> 16)) >>> 0
    const row = hash % minima.length
    if (hash < minima[row]!) minima[row] = hash
  }
  return Array.from({ length: BANDS }, (_, band) => {
    const rows = minima.subarray(band * ROWS, (band + 1) * ROWS)
    return `${band}${rows.reduce((digest, row) => digest + (row % DIGEST_MODULUS).toString(36), '')}`
  })
}
