import type { Found, Rule, Sight } from './rule.ts'
import { clearlyOver, rounded } from './weight.ts'

const LEAST_SHARE = 0.28
const HALF = 0.5

export const viewportObstructed: Rule = {
  category: 'layout',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'Bars or boxes that stay in place take a large part of the screen.',
  advice: 'Make fixed bars and boxes smaller, or let readers close them.',
  find
}

function find({ facts: { layers, layersShare } }: Sight): Found | null {
  if (layersShare <= LEAST_SHARE) return null
  const places = [...layers]
    .sort((a, b) => b.share - a.share)
    .map(({ selector, box }) => ({ place: { selector, box } }))
  return {
    extent: layersShare,
    places,
    evidence: { share: rounded(layersShare, 2), texts: layers.slice(0, 3).map(({ text }) => text.slice(0, 80)) },
    ...(clearlyOver(layersShare, HALF) ? { severity: 'high' as const } : {})
  }
}
