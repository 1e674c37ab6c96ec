import { resolvedCanonicals } from './canonicals.ts'
import type { Found, Rule, Sight } from './rule.ts'

export const canonicalInvalid: Rule = {
  category: 'metadata',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'The canonical address is none, or there are several.',
  advice: 'Keep one <link rel="canonical"> with a complete address.',
  find
}

function find(sight: Sight): Found | null {
  const addresses = resolvedCanonicals(sight)
  if (addresses.length <= 1 && !addresses.includes(null)) return null
  return {
    extent: 1,
    places: [],
    evidence: { canonicals: sight.facts.document.canonicals.slice(0, 5).map((href) => href.slice(0, 300)) }
  }
}
