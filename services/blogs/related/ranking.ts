import { cosineOf, cosines, type TermIndex } from './term-index.ts'

/** Blogs of one project and language, newest first, then by id. */
export interface BlogGroup {
  ids: string[]
  locales: string[]
  /** Days since 1970; NaN when unknown. */
  publishedDays: Float64Array
  index: TermIndex
  nearest: (blog: number) => Neighbors
}

/** A possible recommendation with its similarity (0 and above). */
export interface Candidate {
  blog: number
  similarity: number
}

/**
 * How many neighbors vote, for how many of their own neighbors, with which weight. Chosen with
 * bench/related.ts: P@3 is 0.79 without votes.
 */
const VOTING_NEIGHBORS = 5
const VOTES_PER_NEIGHBOR = 30
const VOTE_WEIGHT = 0.8
const MAX_CANDIDATES = 40
/**
 * Hubs would be recommended everywhere: similarity is divided by a power of the blog's density
 * (after Schnitzer et al., "Local and global scaling reduce hubs in space", 2012).
 */
const HUB_POWER = 0.45
const RECENCY_WEIGHT = 0.05
const RECENCY_HALF_LIFE_DAYS = 730
const SAME_LOCALE_WEIGHT = 0.1

/**
 * The 40 most similar blogs, best first; ties go to the newer one, then to the lower id. Similarity
 * is the cosine plus the votes of the five nearest neighbors: two texts on one subject in different
 * words have neighbors in common.
 */
export function rankCandidates(shelf: BlogGroup, blog: number): Candidate[] {
  const own = shelf.nearest(blog)
  const sums = scoreThroughNeighbors(shelf, own)
  sums.delete(blog)
  own.blogs.forEach((other, i) => sums.set(other, own.cosines[i]! + (sums.get(other) ?? 0)))
  const near = new Set(own.blogs)
  const all = Array.from(sums, ([other, sum]) => ({
    blog: other,
    similarity: near.has(other) ? sum : sum + cosineOf(shelf.index, blog, other)
  }))
  const pool = all.sort(bySimilarity).slice(0, MAX_CANDIDATES)
  for (const found of pool) found.similarity = roundStable(found.similarity * boost(shelf, blog, found.blog))
  return pool.sort(bySimilarity)
}

/** Sort order: most similar first, then the order of the group. */
export function bySimilarity(a: Candidate, b: Candidate): number {
  return b.similarity - a.similarity || a.blog - b.blog
}

function scoreThroughNeighbors(shelf: BlogGroup, own: Neighbors): Map<number, number> {
  const scores = new Map<number, number>()
  for (let i = 0; i < VOTING_NEIGHBORS && i < own.blogs.length; i++) {
    const theirs = shelf.nearest(own.blogs[i]!)
    const loudness = VOTE_WEIGHT * own.cosines[i]!
    for (let j = 0; j < VOTES_PER_NEIGHBOR && j < theirs.blogs.length; j++) {
      const other = theirs.blogs[j]!
      scores.set(other, (scores.get(other) ?? 0) + loudness * theirs.cosines[j]!)
    }
  }
  return scores
}

function boost(shelf: BlogGroup, blog: number, other: number): number {
  const locale = shelf.locales[blog] === shelf.locales[other] ? SAME_LOCALE_WEIGHT : 0
  return (
    shelf.nearest(other).density ** -HUB_POWER *
    (1 + locale) *
    (1 + recency(shelf.publishedDays[blog]! - shelf.publishedDays[other]!))
  )
}

/**
 * Bonus for newer neighbors, relative to the blog itself and not to today, so that lists do not
 * change over time.
 */
function recency(olderByDays: number): number {
  return Number.isNaN(olderByDays) ? 0 : RECENCY_WEIGHT * 2 ** (-Math.max(0, olderByDays) / RECENCY_HALF_LIFE_DAYS)
}

/** Rounds off digits that depend on the order of summation. */
function roundStable(value: number): number {
  return Math.round(value * 1e9) / 1e9
}

/**
 * Other blogs by descending cosine; ties by lower number. `density` is the mean cosine of the first
 * ten.
 */
export interface Neighbors {
  blogs: Uint32Array
  cosines: Float64Array
  density: number
}

const MAX_NEIGHBORS = 60
const DENSITY_SAMPLE = 10

/** Returns the 60 nearest blogs that share a term, computed on first use and cached. */
export function createNeighborIndex(index: TermIndex): (blog: number) => Neighbors {
  const known = new Array<Neighbors | undefined>(index.size)
  const sums = new Float64Array(index.size)
  return (blog) => (known[blog] ??= largest(cosines(index, blog, sums)))
}

/**
 * Insertion into a sorted list of the largest values; few values pass the smallest one, so moving
 * is cheap.
 */
function largest(values: Float64Array): Neighbors {
  const blogs = new Uint32Array(MAX_NEIGHBORS)
  const found = new Float64Array(MAX_NEIGHBORS)
  let count = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (value <= (count < MAX_NEIGHBORS ? 0 : found[MAX_NEIGHBORS - 1]!)) continue
    let at = count < MAX_NEIGHBORS ? count++ : MAX_NEIGHBORS - 1
    for (; at > 0 && found[at - 1]! < value; at--) {
      found[at] = found[at - 1]!
      blogs[at] = blogs[at - 1]!
    }
    found[at] = value
    blogs[at] = i
  }
  const close = found.subarray(0, Math.min(count, DENSITY_SAMPLE))
  return {
    blogs: blogs.slice(0, count),
    cosines: found.slice(0, count),
    density: close.reduce((sum, cosine) => sum + cosine, 0) / close.length
  }
}

const REDUNDANCY_PENALTY = 0.3

/**
 * Picks `count` candidates one by one, each time the most similar after subtracting its overlap
 * with those already picked (maximal marginal relevance: Carbonell and Goldstein, 1998). The
 * returned similarity is the reduced one, so it never increases along the list.
 */
export function diversify(candidates: Candidate[], count: number, nearest: (blog: number) => Neighbors): Candidate[] {
  const left = new Map(candidates.map((candidate) => [candidate.blog, { ...candidate, redundancy: 0 }]))
  const picked: Candidate[] = []
  while (picked.length < count && left.size > 0) {
    let best: Candidate = { blog: -1, similarity: -1 }
    for (const { blog, similarity, redundancy } of left.values()) {
      const reduced = { blog, similarity: similarity * (1 - REDUNDANCY_PENALTY * redundancy) }
      if (bySimilarity(reduced, best) < 0) best = reduced
    }
    picked.push(best)
    left.delete(best.blog)
    const alike = nearest(best.blog)
    for (let i = 0; i < alike.blogs.length; i++) {
      const other = left.get(alike.blogs[i]!)
      if (other) other.redundancy = Math.max(other.redundancy, alike.cosines[i]!)
    }
  }
  return picked
}
