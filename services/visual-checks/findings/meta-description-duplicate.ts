import { metasOf } from './metas-of.ts'
import type { Found, Rule, Sight } from './rule.ts'

export const metaDescriptionDuplicate: Rule = {
  category: 'metadata',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'The page has more than one description.',
  advice: 'Keep one <meta name="description"> in the head.',
  find
}

function find({ facts }: Sight): Found | null {
  const descriptions = metasOf(facts, 'description')
  return descriptions.length > 1
    ? { extent: 1, places: [], evidence: { descriptions: descriptions.slice(0, 5).map((text) => text.slice(0, 200)) } }
    : null
}
