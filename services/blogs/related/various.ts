import type { Candidate } from './closeness.ts'
import { byCloseness } from './closeness.ts'
import type { Nearest } from './nearest.ts'

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
