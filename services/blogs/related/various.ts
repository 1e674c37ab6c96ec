import type { Candidate } from './closeness.ts'
import { byCloseness } from './closeness.ts'
import type { Nearest } from './nearest.ts'

const SAMENESS_COST = 0.15

/**
 * Picks `count` candidates one after another, each time the closest after what it has in common with those already picked is taken off
 * (maximal marginal relevance: Carbonell and Goldstein, 1998). The closeness of what is returned is the reduced one, so it never rises along the list.
 */
export function various (candidates: Candidate[], count: number, nearest: (blog: number) => Nearest): Candidate[] {
  const left = new Map(candidates.map(candidate => [candidate.blog, { ...candidate, sameness: 0 }]))
  const picked: Candidate[] = []
  while (picked.length < count && left.size > 0) {
    const best = left.values().map(({ blog, closeness, sameness }) => ({ blog, closeness: closeness * (1 - SAMENESS_COST * sameness) }))
      .reduce((first, next) => byCloseness(first, next) <= 0 ? first : next)
    picked.push(best)
    left.delete(best.blog)
    const alike = nearest(best.blog)
    alike.blogs.forEach((blog, i) => {
      const other = left.get(blog)
      if (other) other.sameness = Math.max(other.sameness, alike.cosines[i]!)
    })
  }
  return picked
}
