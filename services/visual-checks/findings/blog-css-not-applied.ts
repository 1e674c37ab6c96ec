import { presenceOf } from './presence.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { articlePlaces } from './weight.ts'

const HALF = 0.5

export const blogCssNotApplied: Rule = {
  category: 'style',
  severity: 'high',
  scope: 'article',
  version: 1,
  message: "Most of the blog's own CSS has no effect.",
  advice: 'Put cssContent into the page beside htmlContent, and keep the classes of its elements.',
  find
}

function find(sight: Sight): Found | null {
  const { declarations, applied, broken } = sight.facts.css
  const share = declarations === 0 ? 1 : applied / declarations
  if (presenceOf(sight) !== 'here' || share >= HALF) return null
  return {
    extent: 1 - share,
    places: articlePlaces(sight.facts),
    evidence: {
      declarations,
      holding: applied,
      broken: broken.slice(0, 5),
      properties: [...new Set(broken.map(({ property }) => property))].sort()
    }
  }
}
