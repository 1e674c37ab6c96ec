import { tells } from './likeness.ts'
import { metasOf } from './metas-of.ts'
import type { Found, Rule, Sight } from './rule.ts'

export const ogTitleMissing: Rule = {
  category: 'metadata',
  severity: 'low',
  scope: 'article',
  version: 1,
  message: 'The page has no title for previews in messages and social networks.',
  advice: 'Add <meta property="og:title"> with the title of the blog.',
  find
}

/** Where the title of the page tells the blog, previews fall back to it: then nobody sees a difference. */
function find ({ facts, expected }: Sight): Found | null {
  if (metasOf(facts, 'og:title').length > 0) return null
  const fallback = facts.document.titles[0] ?? ''
  return { extent: 1, places: [], evidence: { title: fallback.slice(0, 200) }, expected: expected.title, ...(tells(fallback, expected.title) ? { severity: 'info' as const } : {}) }
}
