import { metasOf } from './metas-of.ts'
import type { Found, Rule, Sight } from './rule.ts'

export const ogTitleMissing: Rule = {
  category: 'metadata',
  severity: 'low',
  scope: 'article',
  version: 2,
  message: 'The page has no title for previews in messages and social networks.',
  advice:
    'Add <meta property="og:title"> with the title of the blog: what falls back to the title of the page shows the name of the site with it.',
  find
}

function find({ facts, expected }: Sight): Found | null {
  if (metasOf(facts, 'og:title').length > 0) return null
  return {
    extent: 1,
    places: [],
    evidence: { title: (facts.document.titles[0] ?? '').slice(0, 200) },
    expected: expected.title
  }
}
