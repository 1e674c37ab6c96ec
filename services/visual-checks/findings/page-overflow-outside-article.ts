import type { Found, Rule, Sight } from './rule.ts'
import { isWithoutViewport } from './without-viewport.ts'

const LEAST_PX = 4

export const pageOverflowOutsideArticle: Rule = {
  category: 'layout',
  severity: 'low',
  scope: 'site',
  version: 1,
  message: 'The page can be scrolled sideways because of something outside of the blog.',
  advice: 'Limit the width of the named element of the site.',
  find
}

function find({ facts }: Sight): Found | null {
  // Where no article is known nothing is outside of it: what takes its place is told otherwise.
  if (facts.article === null) return null
  const overflow = facts.document.scrollWidth - facts.document.layoutWidth
  if (
    overflow <= LEAST_PX ||
    isWithoutViewport(facts) ||
    facts.overflows.some(({ inArticle, overflowPx }) => inArticle && overflowPx > LEAST_PX)
  ) {
    return null
  }
  const wide = [...facts.overflows].sort((a, b) => b.overflowPx - a.overflowPx)
  return {
    extent: Math.min(1, overflow / facts.width),
    places: wide.map(({ selector, box }) => ({ place: { selector, box } })),
    evidence: { overflowPx: Math.round(overflow) }
  }
}
