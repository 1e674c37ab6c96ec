/** Terms as hashes in ascending order, with their weights in hundredths. */
export interface PackedTerms {
  terms: Int32Array
  weights: Uint16Array
}

const TERM_BYTES = 6

/** Packs terms into bytes: all hashes, then all weights, in the byte order of the processor (little-endian). */
export function packTerms({ terms, weights }: PackedTerms): Uint8Array {
  const bytes = new Uint8Array(terms.length * TERM_BYTES)
  new Int32Array(bytes.buffer, 0, terms.length).set(terms)
  new Uint16Array(bytes.buffer, terms.length * 4, terms.length).set(weights)
  return bytes
}

/** The inverse of `packTerms`. */
export function unpackTerms(bytes: Uint8Array): PackedTerms {
  // Typed arrays begin at a multiple of their element size.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
  const count = aligned.byteLength / TERM_BYTES
  return {
    terms: new Int32Array(aligned.buffer, aligned.byteOffset, count),
    weights: new Uint16Array(aligned.buffer, aligned.byteOffset + count * 4, count)
  }
}

/** A 32-bit hash of a text (FNV-1a over UTF-16 code units). */
export function hashTerm(term: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193)
  return hash
}
