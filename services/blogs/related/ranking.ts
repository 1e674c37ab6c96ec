import type { IndexedNeighbors, RelatedEntry } from '../../../ports/store/port.ts'

/** A blog with its neighbors, for the ranking of related blogs. */
export type Member = Pick<IndexedNeighbors, 'id' | 'locale' | 'publishedAt' | 'neighbors' | 'cosines'>
/** The blogs of a group by id. Blogs that are missing are not recommended. */
export type Members = ReadonlyMap<string, Member>

/** A possible recommendation with its similarity (0 and above). */
export interface Candidate {
  id: string
  similarity: number
}

const MAX_RELATED = 12
/** Neighbors of each blog. With 60, P@3 in bench/related.ts is 0.805 instead of 0.801. */
export const MAX_NEIGHBORS = 30
/** How many neighbors vote, and with which weight. Chosen with bench/related.ts: P@3 is 0.79 without votes. */
const VOTING_NEIGHBORS = 5
const VOTE_WEIGHT = 0.8
const MAX_CANDIDATES = 40
const DENSITY_SAMPLE = 10
/**
 * Hubs would be recommended everywhere: similarity is divided by a power of the blog's density, the
 * mean cosine of its first ten neighbors (after Schnitzer et al., "Local and global scaling reduce
 * hubs in space", 2012).
 */
const HUB_POWER = 0.45
const RECENCY_WEIGHT = 0.05
const RECENCY_HALF_LIFE_DAYS = 730
const SAME_LOCALE_WEIGHT = 0.1
const REDUNDANCY_PENALTY = 0.3
const DAY_MS = 86_400_000

/** The neighbors whose own neighbors `candidatesOf` reads. */
export const votersOf = ({ neighbors }: Pick<Member, 'neighbors'>): string[] => neighbors.slice(0, VOTING_NEIGHBORS)

/**
 * The 40 most similar blogs, best first. Similarity is the cosine plus the votes of the five nearest
 * neighbors: two texts on one subject in different words have neighbors in common. Reads the members
 * of `votersOf`.
 */
export function candidatesOf(blog: Member, members: Members): Candidate[] {
  const sums = new Map<string, number>()
  for (let at = 0; at < blog.neighbors.length && at < VOTING_NEIGHBORS; at++) {
    const theirs = members.get(blog.neighbors[at]!)
    if (theirs === undefined) continue
    const weight = VOTE_WEIGHT * blog.cosines[at]!
    for (const [i, other] of theirs.neighbors.entries()) {
      sums.set(other, (sums.get(other) ?? 0) + weight * theirs.cosines[i]!)
    }
  }
  sums.delete(blog.id)
  for (const [i, other] of blog.neighbors.entries()) sums.set(other, blog.cosines[i]! + (sums.get(other) ?? 0))
  return Array.from(sums, ([id, sum]) => ({ id, similarity: roundStable(sum) }))
    .sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? 1 : -1))
    .slice(0, MAX_CANDIDATES)
}

/**
 * The related blogs, from the candidates of the blog: at most 12, best first, scores above 0 to 1 with
 * four digits. Ties go to the newer blog, then to the lower id. Reads the members of the candidates.
 */
export function rankCandidates(blog: Member, candidates: Candidate[], members: Members): RelatedEntry[] {
  const ranked: Candidate[] = []
  const publishedMs = Date.parse(blog.publishedAt ?? '')
  for (const { id, similarity } of candidates) {
    const other = members.get(id)
    if (other !== undefined) {
      ranked.push({ id, similarity: roundStable(similarity * boost(other, blog.locale, publishedMs)) })
    }
  }
  return diversify(ranked, MAX_RELATED, members)
    .map(({ id, similarity }) => ({ id, score: toScore(similarity) }))
    .filter(({ score }) => score > 0)
}

/** What the rank of a blog in the lists of others depends on. */
interface Traits {
  /** The factor of its density. */
  hubFactor: number
  /** When it was published, in milliseconds; NaN if unknown. */
  publishedMs: number
}

/** A member is in the lists of many others. */
const traits = new WeakMap<Member, Traits>()

function traitsOf(member: Member): Traits {
  let known = traits.get(member)
  if (known === undefined) {
    known = { hubFactor: densityOf(member) ** -HUB_POWER, publishedMs: Date.parse(member.publishedAt ?? '') }
    traits.set(member, known)
  }
  return known
}

/** The factor for another blog, for a blog with this locale that was published at this time. */
function boost(other: Member, locale: string, publishedMs: number): number {
  const sameLocale = other.locale === locale ? SAME_LOCALE_WEIGHT : 0
  const { hubFactor, publishedMs: otherMs } = traitsOf(other)
  return hubFactor * (1 + sameLocale) * (1 + recency(publishedMs, otherMs))
}

/** 1, which changes nothing, for a blog without neighbors. */
function densityOf({ cosines }: Member): number {
  const close = cosines.slice(0, DENSITY_SAMPLE)
  return close.length === 0 ? 1 : close.reduce((sum, cosine) => sum + cosine, 0) / close.length
}

/**
 * Bonus for newer neighbors, relative to the blog itself and not to today, so that lists do not
 * change over time.
 */
function recency(publishedMs: number, otherMs: number): number {
  const olderByDays = (publishedMs - otherMs) / DAY_MS
  return Number.isNaN(olderByDays) ? 0 : RECENCY_WEIGHT * 2 ** (-Math.max(0, olderByDays) / RECENCY_HALF_LIFE_DAYS)
}

/** Rounds off digits that depend on the order of summation. */
export function roundStable(value: number): number {
  return Math.round(value * 1e9) / 1e9
}

/** Maps unbounded similarity to 0–1 in the same order: 0.1 → 0.0952, 1 → 0.6321. */
function toScore(similarity: number): number {
  return Math.round((1 - Math.exp(-similarity)) * 10_000) / 10_000
}

/**
 * Picks `count` candidates one by one, each time the most similar after subtracting its overlap
 * with those already picked (maximal marginal relevance: Carbonell and Goldstein, 1998). The
 * returned similarity is the reduced one, so it never increases along the list.
 */
export function diversify(candidates: Candidate[], count: number, members: Members): Candidate[] {
  const left = new Map(candidates.map((candidate) => [candidate.id, { ...candidate, redundancy: 0 }]))
  const picked: Candidate[] = []
  while (picked.length < count && left.size > 0) {
    let best: Candidate = { id: '', similarity: -Infinity }
    for (const { id, similarity, redundancy } of left.values()) {
      const reduced = similarity * (1 - REDUNDANCY_PENALTY * redundancy)
      if (reduced < best.similarity) continue
      const other = { id, similarity: reduced }
      if (reduced > best.similarity || isBefore(other, best, members)) best = other
    }
    picked.push(best)
    left.delete(best.id)
    const alike = members.get(best.id)
    if (alike === undefined) continue
    for (const [i, id] of alike.neighbors.entries()) {
      const other = left.get(id)
      if (other !== undefined) other.redundancy = Math.max(other.redundancy, alike.cosines[i]!)
    }
  }
  return picked
}

/** Which of two equally similar blogs comes first. */
function isBefore(a: Candidate, b: Candidate, members: Members): boolean {
  const [first, second] = [members.get(a.id)?.publishedAt ?? '', members.get(b.id)?.publishedAt ?? '']
  return first === second ? a.id < b.id : first > second
}
