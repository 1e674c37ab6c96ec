import type { Found, Rule, Sight } from './rule.ts'
import { rounded } from './weight.ts'

const LEAST_SHARE = 0.2

export const textOverlap: Rule = {
  category: 'layout',
  severity: 'high',
  scope: 'article',
  version: 1,
  message: 'Lines of text lie on each other.',
  advice: 'Let blocks grow with their text: look for fixed heights, negative margins, absolute positions.',
  find
}

function find({ facts }: Sight): Found | null {
  const pairs = facts.overlaps.filter(({ share }) => share > LEAST_SHARE)
  if (pairs.length === 0) return null
  const places = [...pairs].sort((a, b) => b.share - a.share).map(({ place, block }) => ({ place, block }))
  const touched = new Set(pairs.flatMap(({ block, other }) => (other === null ? [block] : [block, other])))
  return {
    extent: Math.min(1, touched.size / Math.max(1, facts.blocks.length)),
    places,
    evidence: {
      pairs: pairs.length,
      worst: rounded(places.length > 0 ? Math.max(...pairs.map(({ share }) => share)) : 0, 2)
    }
  }
}
