import { cosineOf, cosines, type TermIndex } from './term-index.ts'

/** The blogs of one project and language, those published last first, then by id. */
export interface BlogGroup {
  ids: string[]
  locales: string[]
  /** Days since 1970; not a number where the time is unknown. */
  publishedDays: Float64Array
  index: TermIndex
  nearest: (blog: number) => Neighbors
}

/** A blog that may be recommended, and how close it is: 0 and up. */
export interface Candidate {
  blog: number
  similarity: number
}

/**
 * How many neighbors speak for theirs, how many of theirs, and how loud. Chosen by
 * bench/related.ts: P@3 0.79 without.
 */
const VOTING_NEIGHBORS = 5
const VOTES_PER_NEIGHBOR = 30
const VOTE_WEIGHT = 0.8
const MAX_CANDIDATES = 40
/**
 * A blog near to everything would be recommended everywhere: similarity is divided by a power of how
 * near its own nearest are (after Schnitzer et al., "Local and global scaling reduce hubs in
 * space", 2012).
 */
const HUB_POWER = 0.45
const RECENCY_WEIGHT = 0.05
const RECENCY_HALF_LIFE_DAYS = 730
const SAME_LOCALE_WEIGHT = 0.1

/**
 * The 40 closest others of a blog, the closest first; of equal ones the newer, then the one with
 * the lower id.
 * Closeness is the cosine, and what the five nearest blogs say of their own neighbors: two texts
 * on one matter in other words have neighbors in common.
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

/** Order of candidates: the closest first, then as on the shelf. */
export function bySimilarity(a: Candidate, b: Candidate): number {
  return b.similarity - a.similarity || a.blog - b.blog
}

function scoreThroughNeighbors(shelf: BlogGroup, own: Neighbors): Map<number, number> {
  const heard = new Map<number, number>()
  for (let i = 0; i < VOTING_NEIGHBORS && i < own.blogs.length; i++) {
    const theirs = shelf.nearest(own.blogs[i]!)
    const loudness = VOTE_WEIGHT * own.cosines[i]!
    for (let j = 0; j < VOTES_PER_NEIGHBOR && j < theirs.blogs.length; j++) {
      const other = theirs.blogs[j]!
      heard.set(other, (heard.get(other) ?? 0) + loudness * theirs.cosines[j]!)
    }
  }
  return heard
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
 * What a neighbor gains by being new, measured from the blog itself and not from today, so that no
 * list ages by itself.
 */
function recency(olderByDays: number): number {
  return Number.isNaN(olderByDays) ? 0 : RECENCY_WEIGHT * 2 ** (-Math.max(0, olderByDays) / RECENCY_HALF_LIFE_DAYS)
}

/** Without the last digits, which depend on the order of summing. */
function roundStable(value: number): number {
  return Math.round(value * 1e9) / 1e9
}

/**
 * Other blogs in order of their cosine, the nearest first; of equal ones the one with the lower
 * number. `density` is the mean cosine of the first ten.
 */
export interface Neighbors {
  blogs: Uint32Array
  cosines: Float64Array
  density: number
}

const MAX_NEIGHBORS = 60
const DENSITY_SAMPLE = 10

/**
 * Gives the 60 nearest others of a blog that share a term with it; each is worked out when first
 * asked for, and kept.
 */
export function createNeighborIndex(index: TermIndex): (blog: number) => Neighbors {
  const known = new Array<Neighbors | undefined>(index.size)
  const sums = new Float64Array(index.size)
  return (blog) => (known[blog] ??= largest(cosines(index, blog, sums)))
}

/**
 * Keeps the largest found so far in falling order; few of many thousands get past the last one, so
 * moving them up is cheap.
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
 * Picks `count` candidates one after another, each time the closest after what it has in common
 * with those already picked is taken off
 * (maximal marginal relevance: Carbonell and Goldstein, 1998). The similarity of what is returned is
 * the reduced one, so it never rises along the list.
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
