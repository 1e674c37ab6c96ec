import type { IndexedBlog } from '../../../ports/store/port.ts'
import { MAX_NEIGHBORS, roundStable, type Member } from './ranking.ts'
import { rarityOf } from './terms.ts'

/** A term of a blog: its number, and its weight in a vector of length 1. */
interface Weighted {
  number: number
  weight: number
}

/**
 * The exact neighbors of all blogs of one group, by comparing each with all others: for small groups,
 * and as the measure of what the index finds. The time grows with the square of the number of blogs.
 * The order of the input does not matter.
 */
export function neighborsOfAll(blogs: IndexedBlog[]): Map<string, Member> {
  const sorted = blogs.toSorted(newestFirst)
  const vectors = toVectors(sorted)
  const postings = new Map<number, { at: number; weight: number }[]>()
  vectors.forEach((vector, at) => {
    for (const { number, weight } of vector) {
      const others = postings.get(number)
      if (others === undefined) postings.set(number, [{ at, weight }])
      else others.push({ at, weight })
    }
  })
  const members = new Map<string, Member>()
  for (const [at, vector] of vectors.entries()) {
    const sums = new Float64Array(sorted.length)
    for (const { number, weight } of vector) {
      for (const other of postings.get(number)!) sums[other.at]! += weight * other.weight
    }
    sums[at] = 0
    members.set(sorted[at]!.id, toMember(sorted, at, sums))
  }
  return members
}

function toMember(blogs: IndexedBlog[], at: number, sums: Float64Array): Member {
  const nearest = Array.from(sums, (cosine, other) => ({ other, cosine: roundStable(cosine) }))
    .filter(({ cosine }) => cosine > 0)
    .sort((a, b) => b.cosine - a.cosine || a.other - b.other)
    .slice(0, MAX_NEIGHBORS)
  const { id, locale, publishedAt } = blogs[at]!
  return {
    id,
    locale,
    publishedAt,
    neighbors: nearest.map(({ other }) => blogs[other]!.id),
    cosines: nearest.map(({ cosine }) => cosine)
  }
}

/** TF-IDF vectors of length 1, so that the dot product is the cosine. */
function toVectors(blogs: IndexedBlog[]): Weighted[][] {
  const counts = new Map<number, number>()
  for (const { terms } of blogs) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return blogs.map(({ terms, weights }) => {
    const weighted: Weighted[] = []
    let square = 0
    terms.forEach((number, i) => {
      const weight = weights[i]! * rarityOf(counts.get(number)!, blogs.length)
      if (weight > 0) weighted.push({ number, weight })
      square += weight * weight
    })
    const length = Math.sqrt(square)
    return weighted.map(({ number, weight }) => ({ number, weight: weight / length }))
  })
}

function newestFirst(a: IndexedBlog, b: IndexedBlog): number {
  const [first, second] = [a.publishedAt ?? '', b.publishedAt ?? '']
  if (first !== second) return first < second ? 1 : -1
  return a.id < b.id ? -1 : 1
}
