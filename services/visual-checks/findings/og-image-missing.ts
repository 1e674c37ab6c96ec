import { metasOf } from './metas-of.ts'
import type { Rule } from './rule.ts'

export const ogImageMissing: Rule = {
  category: 'metadata',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'The page has no picture for previews in messages and social networks.',
  advice: 'Add <meta property="og:image"> with the ogImageUrl of the blog.',
  find: ({ facts, expected }) =>
    expected.ogImageUrl === null || metasOf(facts, 'og:image').length > 0
      ? null
      : { extent: 1, places: [], evidence: {}, expected: expected.ogImageUrl }
}
