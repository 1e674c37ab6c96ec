import { metasOf } from './metas-of.ts'
import type { Rule } from './rule.ts'

export const metaDescriptionMissing: Rule = {
  category: 'metadata',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'The page has no description for search engines.',
  advice: 'Add <meta name="description"> with the metaDescription of the blog.',
  find: ({ facts, expected }) =>
    metasOf(facts, 'description').length > 0
      ? null
      : { extent: 1, places: [], evidence: {}, expected: expected.metaDescription }
}
