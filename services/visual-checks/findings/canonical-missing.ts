import type { Found, Rule, Sight } from './rule.ts'

export const canonicalMissing: Rule = {
  category: 'metadata',
  severity: 'low',
  scope: 'article',
  version: 1,
  message: 'The page does not name its canonical address.',
  advice: 'Add <link rel="canonical"> with the address under which the blog is to be found.',
  find
}

/** Where the blog names no canonical address none was asked for. */
function find({ facts: { document }, expected }: Sight): Found | null {
  if (document.canonicals.length > 0) return null
  return {
    extent: 1,
    places: [],
    evidence: {},
    ...(expected.canonicalUrl === null ? { severity: 'info' as const } : { expected: expected.canonicalUrl })
  }
}
