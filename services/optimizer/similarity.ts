import { foldText } from '../../lib/text.ts'

/** Descriptions of two products are too similar from this Jaccard index of their trigrams on. */
export const MAX_SIMILARITY = 0.6

/**
 * Bands of a MinHash signature. Texts whose trigrams have a Jaccard index of 0.6 share a band with a
 * probability of 0.86, texts with an index of 0.7 with 0.97, and texts with one of 0.3 with 0.2.
 */
const BANDS = 8
const ROWS = 3
/** Four digits in base 36 for each row: about 60 bits for each band. */
const DIGEST_MODULUS = 36 ** 4

const lettersOf = (text: string): string =>
  foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** A 32-bit hash of each distinct trigram of a folded text, in ascending order. */
export function trigramHashes(text: string): Uint32Array {
  const letters = lettersOf(text)
  const hashes = new Uint32Array(Math.max(1, letters.length - 2))
  for (let at = 0; at < hashes.length; at++) {
    let hash = 0x811c9dc5
    for (let i = at; i < at + 3; i++) hash = Math.imul(hash ^ letters.charCodeAt(i), 0x01000193)
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    hashes[at] = hash ^ (hash >>> 16)
  }
  hashes.sort()
  return hashes.filter((hash, i) => i === 0 || hash !== hashes[i - 1])
}

/**
 * Digests of a text by its trigram hashes, of which similar texts very probably share at least one:
 * one-permutation MinHash (Li, Owen, Zhang 2012).
 */
export function similarityDigests(hashes: Uint32Array): string[] {
  const minima = new Uint32Array(BANDS * ROWS).fill(0xffffffff)
  for (const hash of hashes) {
    const row = hash % minima.length
    if (hash < minima[row]!) minima[row] = hash
  }
  return Array.from({ length: BANDS }, (_, band) => {
    const rows = minima.subarray(band * ROWS, (band + 1) * ROWS)
    return `${band}${rows.reduce((digest, row) => digest + (row % DIGEST_MODULUS).toString(36), '')}`
  })
}
