import { failedOf } from './failed.ts'
import type { Found, Rule, Sight } from './rule.ts'

/**
 * Stylesheets and images of the blog are told for themselves; pictures of the site's own frame hurt
 * nobody's reading.
 */
const TOLD_OTHERWISE = ['stylesheet', 'image', 'document']

export const resourceFailed: Rule = {
  category: 'runtime',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'A script, a font or data of the site does not load.',
  advice: 'Check the named addresses: they were deleted, renamed, or are refused.',
  find
}

function find(sight: Sight): Found | null {
  const found = failedOf(sight, ({ sameHost, type }) => sameHost && !TOLD_OTHERWISE.includes(type))
  if (found === null) return null
  return failedOf(sight, ({ sameHost, type }) => sameHost && type === 'script') ? found : { ...found, severity: 'low' }
}
