import { cosineOf, cosines, type TermIndex } from './term-index.ts'

/** The blogs of one project and language, those published last first, then by id. */
export interface Shelf {
  ids: string[]
  locales: string[]
  /** Days since 1970; not a number where the time is unknown. */
  publishedDays: Float64Array
  index: TermIndex
  nearest: (blog: number) => Nearest
}

/** A blog that may be recommended, and how close it is: 0 and up. */
export interface Candidate {
  blog: number
  closeness: number
}

/**
 * How many neighbors speak for theirs, how many of theirs, and how loud. Chosen by
 * bench/related.ts: P@3 0.79 without.
 */
const SPEAKERS = 5
const SPOKEN_FOR = 30
const VOICE = 0.8
const POOL = 40
/**
 * A blog near to everything would be recommended everywhere: closeness is divided by a power of how
 * near its own nearest are (after Schnitzer et al., "Local and global scaling reduce hubs in
 * space", 2012).
 */
const HUB_POWER = 0.45
const RECENT = 0.05
const RECENT_HALF_LIFE_DAYS = 730
const SAME_LOCALE = 0.1

/**
 * The 40 closest others of a blog, the closest first; of equal ones the newer, then the one with
 * the lower id.
 * Closeness is the cosine, and what the five nearest blogs say of their own neighbors: two texts
 * on one matter in other words have neighbors in common.
 */
export function closest(shelf: Shelf, blog: number): Candidate[] {
  const own = shelf.nearest(blog)
  const sums = heardOf(shelf, own)
  sums.delete(blog)
  own.blogs.forEach((other, i) => sums.set(other, own.cosines[i]! + (sums.get(other) ?? 0)))
  const near = new Set(own.blogs)
  const all = Array.from(sums, ([other, sum]) => ({
    blog: other,
    closeness: near.has(other) ? sum : sum + cosineOf(shelf.index, blog, other)
  }))
  const pool = all.sort(byCloseness).slice(0, POOL)
  for (const found of pool) found.closeness = steady(found.closeness * favor(shelf, blog, found.blog))
  return pool.sort(byCloseness)
}

/** Order of candidates: the closest first, then as on the shelf. */
export function byCloseness(a: Candidate, b: Candidate): number {
  return b.closeness - a.closeness || a.blog - b.blog
}

function heardOf(shelf: Shelf, own: Nearest): Map<number, number> {
  const heard = new Map<number, number>()
  for (let i = 0; i < SPEAKERS && i < own.blogs.length; i++) {
    const theirs = shelf.nearest(own.blogs[i]!)
    const loudness = VOICE * own.cosines[i]!
    for (let j = 0; j < SPOKEN_FOR && j < theirs.blogs.length; j++) {
      const other = theirs.blogs[j]!
      heard.set(other, (heard.get(other) ?? 0) + loudness * theirs.cosines[j]!)
    }
  }
  return heard
}

function favor(shelf: Shelf, blog: number, other: number): number {
  const locale = shelf.locales[blog] === shelf.locales[other] ? SAME_LOCALE : 0
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
  return Number.isNaN(olderByDays) ? 0 : RECENT * 2 ** (-Math.max(0, olderByDays) / RECENT_HALF_LIFE_DAYS)
}

/** Without the last digits, which depend on the order of summing. */
function steady(value: number): number {
  return Math.round(value * 1e9) / 1e9
}

/**
 * Other blogs in order of their cosine, the nearest first; of equal ones the one with the lower
 * number. `density` is the mean cosine of the first ten.
 */
export interface Nearest {
  blogs: Uint32Array
  cosines: Float64Array
  density: number
}

const REACH = 60
const DENSITY_OF = 10

/**
 * Gives the 60 nearest others of a blog that share a term with it; each is worked out when first
 * asked for, and kept.
 */
export function createNearest(index: TermIndex): (blog: number) => Nearest {
  const known = new Array<Nearest | undefined>(index.size)
  const sums = new Float64Array(index.size)
  return (blog) => (known[blog] ??= largest(cosines(index, blog, sums)))
}

/**
 * Keeps the largest found so far in falling order; few of many thousands get past the last one, so
 * moving them up is cheap.
 */
function largest(values: Float64Array): Nearest {
  const blogs = new Uint32Array(REACH)
  const found = new Float64Array(REACH)
  let count = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (value <= (count < REACH ? 0 : found[REACH - 1]!)) continue
    let at = count < REACH ? count++ : REACH - 1
    for (; at > 0 && found[at - 1]! < value; at--) {
      found[at] = found[at - 1]!
      blogs[at] = blogs[at - 1]!
    }
    found[at] = value
    blogs[at] = i
  }
  const close = found.subarray(0, Math.min(count, DENSITY_OF))
  return {
    blogs: blogs.slice(0, count),
    cosines: found.slice(0, count),
    density: close.reduce((sum, cosine) => sum + cosine, 0) / close.length
  }
}

const SAMENESS_COST = 0.3

/**
 * Picks `count` candidates one after another, each time the closest after what it has in common
 * with those already picked is taken off
 * (maximal marginal relevance: Carbonell and Goldstein, 1998). The closeness of what is returned is
 * the reduced one, so it never rises along the list.
 */
export function diversify(candidates: Candidate[], count: number, nearest: (blog: number) => Nearest): Candidate[] {
  const left = new Map(candidates.map((candidate) => [candidate.blog, { ...candidate, sameness: 0 }]))
  const picked: Candidate[] = []
  while (picked.length < count && left.size > 0) {
    let best: Candidate = { blog: -1, closeness: -1 }
    for (const { blog, closeness, sameness } of left.values()) {
      const reduced = { blog, closeness: closeness * (1 - SAMENESS_COST * sameness) }
      if (byCloseness(reduced, best) < 0) best = reduced
    }
    picked.push(best)
    left.delete(best.blog)
    const alike = nearest(best.blog)
    for (let i = 0; i < alike.blogs.length; i++) {
      const other = left.get(alike.blogs[i]!)
      if (other) other.sameness = Math.max(other.sameness, alike.cosines[i]!)
    }
  }
  return picked
}
