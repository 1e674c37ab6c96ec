import { MAX_SIMILARITY } from './similarity.ts'

/** Texts of a generation. An index holds at most two generations. */
const MAX_TEXTS = 1_000
/** A product, and the group whose products may have the same texts. */
interface Owner {
  productId: string
  groupId: string | null
}

/** A text that is similar to another one. */
export interface Neighbor {
  owner: Owner
  hashes: Uint32Array
}

/** A Jaccard index from 0.6 to 1 and its text, or 0. */
export interface Similarity {
  similarity: number
  neighbor: Neighbor | null
}

const NOTHING_SIMILAR: Similarity = { similarity: 0, neighbor: null }
const NO_POSTINGS: readonly number[] = []

/** Texts in the order in which they were added, found by their trigrams. */
class Generation {
  readonly entries: (Neighbor | null)[] = []
  readonly #postings = new Map<number, number[]>()
  readonly #positions = new Map<string, number>()

  has = (productId: string): boolean => this.#positions.has(productId)

  add(owner: Owner, hashes: Uint32Array): void {
    const position = this.entries.push({ owner, hashes }) - 1
    this.#positions.set(owner.productId, position)
    for (const hash of hashes) {
      const postings = this.#postings.get(hash)
      if (postings === undefined) this.#postings.set(hash, [position])
      else postings.push(position)
    }
  }

  delete(productId: string): void {
    const position = this.#positions.get(productId)
    if (position === undefined) return
    this.entries[position] = null
    this.#positions.delete(productId)
  }

  mostSimilar(owner: Owner, hashes: Uint32Array): Similarity {
    const common = new Uint16Array(this.entries.length)
    for (const hash of hashes) {
      for (const position of this.#postings.get(hash) ?? NO_POSTINGS) common[position]!++
    }
    let most: Similarity = NOTHING_SIMILAR
    for (let position = 0; position < common.length; position++) {
      const count = common[position]!
      // Most texts have too few trigrams in common to be compared further.
      if (count < hashes.length * MAX_SIMILARITY) continue
      const neighbor = this.entries[position]!
      if (neighbor === null || isSame(neighbor.owner, owner)) continue
      const similarity = count / (hashes.length + neighbor.hashes.length - count)
      if (similarity > most.similarity) most = { similarity, neighbor }
    }
    return most
  }
}

const isSame = (a: Owner, b: Owner): boolean =>
  a.productId === b.productId || (a.groupId !== null && a.groupId === b.groupId)

/** The share of common elements of two sorted lists. */
function jaccard(a: Uint32Array, b: Uint32Array): number {
  let common = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [left, right] = [a[i]!, b[j]!]
    if (left === right) common++
    if (left <= right) i++
    if (right <= left) j++
  }
  return common / (a.length + b.length - common)
}

/**
 * The descriptions that a process wrote most recently in a project: 1,000 to 2,000 texts, about 3 MB.
 * Products of one import are most alike, and their exact similarity is known here. Similarity claims
 * cover the texts of other processes and older ones. Texts are represented by `trigramHashes`.
 */
export class RecentDescriptions {
  #current = new Generation()
  #previous = new Generation()

  /** Whether the text of a product is known. */
  has(productId: string): boolean {
    return this.#current.has(productId) || this.#previous.has(productId)
  }

  /** Adds the text of a product, or replaces it. */
  add(owner: Owner, hashes: Uint32Array): void {
    this.#current.delete(owner.productId)
    this.#previous.delete(owner.productId)
    if (this.#current.entries.length >= MAX_TEXTS) {
      this.#previous = this.#current
      this.#current = new Generation()
    }
    this.#current.add(owner, hashes)
  }

  /**
   * The Jaccard index of the trigrams of a text and those of another product, except for products of
   * its group: one of `near`, if it is similar, or else the most similar one. Smaller indexes than 0.6
   * are 0. Other texts of a product are often similar to the same neighbors, which are found faster.
   */
  mostSimilar(owner: Owner, hashes: Uint32Array, near: readonly Neighbor[] = []): Similarity {
    for (const neighbor of near) {
      const similarity = jaccard(hashes, neighbor.hashes)
      if (similarity >= MAX_SIMILARITY) return { similarity, neighbor }
    }
    const [a, b] = [this.#current.mostSimilar(owner, hashes), this.#previous.mostSimilar(owner, hashes)]
    const most = a.similarity >= b.similarity ? a : b
    return most.similarity < MAX_SIMILARITY ? NOTHING_SIMILAR : most
  }
}
