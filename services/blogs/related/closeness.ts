import type { BlogVector } from '../../../ports/store/port.ts'
import type { Nearest } from './nearest.ts'
import { cosineOf, type TermIndex } from './term-index.ts'

/** The blogs of one project and language, those published last first, then by id. */
export interface Shelf { blogs: BlogVector[], index: TermIndex, nearest: (blog: number) => Nearest }

/** A blog that may be recommended, and how close it is: 0 and up. */
export interface Candidate { blog: number, closeness: number }

/** How many neighbours speak for theirs, how many of theirs, and how loud; see docs of bench/related.ts for what each is worth. */
const SPEAKERS = 5
const SPOKEN_FOR = 30
const VOICE = 0.8
const POOL = 40
/** A blog near to everything would be recommended everywhere: closeness is divided by a power of how near its own ten nearest are (after Schnitzer et al., "Local and global scaling reduce hubs in space", 2012). */
const HUB_POWER = 0.3
const HUB_NEIGHBOURS = 10
const RECENT = 0.05
const RECENT_HALF_LIFE_DAYS = 730
const SAME_LOCALE = 0.1
const DAY_MS = 86_400_000

/**
 * The 40 closest others of a blog, the closest first; of equal ones the newer, then the one with the lower id.
 * Closeness is the cosine, and what the five nearest blogs say of their own neighbours: two texts on one matter in other words have neighbours in common.
 */
export function closest (shelf: Shelf, blog: number): Candidate[] {
  const sums = new Map<number, number>()
  const own = shelf.nearest(blog)
  own.blogs.forEach((other, i) => sums.set(other, own.cosines[i]!))
  const direct = (other: number) => sums.get(other) ?? cosineOf(shelf.index, blog, other)
  const heard = new Map<number, number>()
  own.blogs.slice(0, SPEAKERS).forEach((speaker, i) => {
    const theirs = shelf.nearest(speaker)
    const loudness = VOICE * own.cosines[i]!
    theirs.blogs.slice(0, SPOKEN_FOR).forEach((other, j) => heard.set(other, (heard.get(other) ?? 0) + loudness * theirs.cosines[j]!))
  })
  heard.delete(blog)
  for (const [other, voices] of heard) sums.set(other, direct(other) + voices)
  const pool = Array.from(sums, ([other, closeness]) => ({ blog: other, closeness })).sort(byCloseness).slice(0, POOL)
  return pool.map(found => ({ blog: found.blog, closeness: steady(found.closeness * favour(shelf, blog, found.blog)) })).sort(byCloseness)
}

/** Order of candidates: the closest first, then as on the shelf. */
export function byCloseness (a: Candidate, b: Candidate): number {
  return b.closeness - a.closeness || a.blog - b.blog
}

function favour (shelf: Shelf, blog: number, other: number): number {
  const from = shelf.blogs[blog]!
  const to = shelf.blogs[other]!
  const near = shelf.nearest(other).cosines.slice(0, HUB_NEIGHBOURS)
  const density = near.reduce((sum, cosine) => sum + cosine, 0) / near.length
  const language = from.locale.toLowerCase() === to.locale.toLowerCase() ? 1 + SAME_LOCALE : 1
  return density ** -HUB_POWER * language * (1 + recency(from.publishedAt, to.publishedAt))
}

/** What a neighbour gains by being new, measured from the blog itself and not from today, so that no list ages by itself. */
function recency (from: string | null, to: string | null): number {
  if (from === null || to === null) return 0
  const olderByDays = Math.max(0, Date.parse(from) - Date.parse(to)) / DAY_MS
  return RECENT * 2 ** (-olderByDays / RECENT_HALF_LIFE_DAYS)
}

/** Without the last digits, which depend on the order of summing. */
function steady (value: number): number {
  return Math.round(value * 1e9) / 1e9
}
