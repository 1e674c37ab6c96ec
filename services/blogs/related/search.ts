import type { IndexCandidate, IndexedBlog } from '../../../ports/store/port.ts'
import { roundStable } from './ranking.ts'
import { rarityOf } from './terms.ts'

/** Entries of terms that the search for one blog may read, unless its rarest term has more. */
const MAX_ENTRIES = 250
/** A power of two, at least twice the number of terms of a blog. */
const SLOTS = 1024

/** A search for the blogs that are similar to one. */
export interface NeighborQuery {
  id: string
  /** The length of the vector of the blog with the current rarity of its terms. */
  length: number
  /** Terms to find candidates by. */
  terms: Int32Array
  /** The cosine with another blog, whose length may be newer than in its entry. */
  cosine: (other: IndexCandidate, lengthOfOther?: number) => number
}

/**
 * Prepares the search for the neighbors of a blog. `counts` are the numbers of blogs with each of its
 * terms, in their order, and `blogs` is the size of the group.
 *
 * Candidates share a term that contributes much for the number of blogs that have it: terms are chosen
 * by weight² ÷ count. So a search reads the same number of entries in a group of any size. All
 * terms count for the similarity of the candidates.
 */
export function createNeighborQuery(
  { id, terms, weights }: Pick<IndexedBlog, 'id' | 'terms' | 'weights'>,
  counts: Int32Array,
  blogs: number
): NeighborQuery {
  const weighted = Array.from(terms, (term, at) => {
    const rarity = rarityOf(counts[at]!, blogs)
    return { term, count: counts[at]!, rarity, weight: weights[at]! * rarity }
  }).filter(({ weight }) => weight > 0)
  const length = Math.sqrt(weighted.reduce((sum, { weight }) => sum + weight * weight, 0))
  const factorOf = createLookup(weighted.map(({ term, weight, rarity }) => ({ term, factor: weight * rarity })))
  return {
    id,
    length,
    terms: chooseTerms(weighted),
    cosine(other, lengthOfOther = other.length) {
      if (length === 0 || lengthOfOther === 0) return 0
      let sum = 0
      for (let at = 0; at < other.terms.length; at++) sum += factorOf(other.terms[at]!) * other.weights[at]!
      // Above 1 when the length of the other blog is older than the current rarity of its terms.
      return roundStable(Math.min(1, sum / (length * lengthOfOther)))
    }
  }
}

function chooseTerms(weighted: { term: number; count: number; weight: number }[]): Int32Array {
  const byWorth = weighted
    .map(({ term, count, weight }) => ({ term, count, worth: (weight * weight) / count }))
    .sort((a, b) => b.worth - a.worth || a.term - b.term)
  const chosen: number[] = []
  let entries = 0
  for (const { term, count } of byWorth) {
    if (entries + count > MAX_ENTRIES) continue
    entries += count
    chosen.push(term)
  }
  if (chosen.length > 0) return Int32Array.from(chosen)
  const rarest = weighted.toSorted((a, b) => a.count - b.count || a.term - b.term)[0]
  return Int32Array.from(rarest === undefined ? [] : [rarest.term])
}

/** Candidates that one search may return. */
export const MAX_FOUND = MAX_ENTRIES

/** A hash table: a search looks up each term of each candidate. Returns 0 for an unknown term. */
function createLookup(entries: { term: number; factor: number }[]): (term: number) => number {
  const slots = Math.max(SLOTS, 2 ** Math.ceil(Math.log2(2 * entries.length + 1)))
  const keys = new Int32Array(slots)
  const factors = new Float64Array(slots)
  // Hashes are random in all of their bits. An empty slot has the factor 0.
  const slotOf = (term: number): number => {
    let slot = term & (slots - 1)
    while (factors[slot] !== 0 && keys[slot] !== term) slot = (slot + 1) & (slots - 1)
    return slot
  }
  for (const { term, factor } of entries) {
    const slot = slotOf(term)
    keys[slot] = term
    factors[slot] = factor
  }
  return (term) => factors[slotOf(term)]!
}
