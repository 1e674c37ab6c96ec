import { resolvedCanonicals } from './canonicals.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { isSameAddress } from './same-address.ts'

export const canonicalElsewhere: Rule = {
  category: 'metadata',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'The canonical address is that of another page.',
  advice: 'Name the address of this page, or the canonicalUrl of the blog.',
  find
}

/** A page on staging may name the host on which it will be. */
function find(sight: Sight): Found | null {
  const { facts, expected } = sight
  const addresses = resolvedCanonicals(sight)
  const [address] = addresses
  if (addresses.length !== 1 || !address) return null
  const right = [expected.canonicalUrl, facts.runtime.finalUrl, expected.url].filter((url) => url !== null)
  if (right.some((url) => isSameAddress(address, url, expected.environment === 'staging'))) return null
  return { extent: 1, places: [], evidence: {}, expected: right[0]!, actual: address.slice(0, 300) }
}
