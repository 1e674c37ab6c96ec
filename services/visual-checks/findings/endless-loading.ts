import { hostOf, isFavicon } from './hosts.ts'
import type { Found, Rule, Sight } from './rule.ts'

/** What the look of a page waits for. */
const HOLDS_BACK = /\.(?:css|m?js)(?:$|[?#])/i

export const endlessLoading: Rule = {
  category: 'runtime',
  severity: 'low',
  scope: 'article',
  version: 1,
  message: 'The page never finishes loading.',
  advice: 'Check the named addresses of the site: they do not answer.',
  find
}

function find({ facts: { runtime } }: Sight): Found | null {
  const own = [...new Set(runtime.pending)]
    .filter((address) => hostOf(address) === hostOf(runtime.finalUrl) && !isFavicon(address))
    .sort()
  if (own.length === 0) return null
  return {
    extent: 0.5,
    places: [],
    count: own.length,
    evidence: { pending: own.slice(0, 5).map((address) => address.slice(0, 300)) },
    ...(own.some((address) => HOLDS_BACK.test(address)) ? { severity: 'medium' as const } : {})
  }
}
