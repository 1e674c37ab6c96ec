import { trigramHashes } from './similarity.ts'

/** Texts of a generation. An index holds at most two generations. */
const MAX_TEXTS = 2_000

/** A product, and the group whose products may have the same texts. */
interface Owner {
  productId: string
  groupId: string | null
}

/** Texts in the order in which they were added, found by their trigrams. */
class Generation {
  readonly owners: (Owner | null)[] = []
  readonly #sizes: number[] = []
  readonly #postings = new Map<number, number[]>()
  readonly #positions = new Map<string, number>()

  has = (productId: string): boolean => this.#positions.has(productId)

  add(owner: Owner, hashes: ReadonlySet<number>): void {
    const position = this.owners.push(owner) - 1
    this.#positions.set(owner.productId, position)
    this.#sizes.push(hashes.size)
    for (const hash of hashes) {
      const postings = this.#postings.get(hash)
      if (postings === undefined) this.#postings.set(hash, [position])
      else postings.push(position)
    }
  }

  delete(productId: string): void {
    const position = this.#positions.get(productId)
    if (position === undefined) return
    this.owners[position] = null
    this.#positions.delete(productId)
  }

  maxSimilarity(hashes: ReadonlySet<number>, { productId, groupId }: Owner): number {
    const common = new Uint16Array(this.owners.length)
    for (const hash of hashes) {
      for (const position of this.#postings.get(hash) ?? []) common[position]!++
    }
    let max = 0
    for (const [position, owner] of this.owners.entries()) {
      if (owner === null || owner.productId === productId || (groupId !== null && owner.groupId === groupId)) continue
      const count = common[position]!
      max = Math.max(max, count / (hashes.size + this.#sizes[position]! - count))
    }
    return max
  }
}

/**
 * The descriptions that a process wrote most recently in a project: 2,000 to 4,000 texts, about 4 MB.
 * Products of one import are most alike, and their exact similarity is known here. Similarity claims
 * cover the texts of other processes and older ones.
 */
export class RecentDescriptions {
  #current = new Generation()
  #previous = new Generation()

  /** Whether the text of a product is known. */
  has(productId: string): boolean {
    return this.#current.has(productId) || this.#previous.has(productId)
  }

  /** Adds the text of a product, or replaces it. */
  add(owner: Owner, text: string): void {
    this.#current.delete(owner.productId)
    this.#previous.delete(owner.productId)
    if (this.#current.owners.length >= MAX_TEXTS) {
      this.#previous = this.#current
      this.#current = new Generation()
    }
    this.#current.add(owner, trigramHashes(text))
  }

  /** The largest Jaccard index of trigrams of a text and those of other groups and products, 0 to 1. */
  maxSimilarity(owner: Owner, text: string): number {
    const hashes = trigramHashes(text)
    return Math.max(this.#current.maxSimilarity(hashes, owner), this.#previous.maxSimilarity(hashes, owner))
  }
}
