import { jsonLdArticles } from './json-ld-articles.ts'
import type { Found, Rule, Sight } from './rule.ts'

export const jsonldMissing: Rule = {
  category: 'metadata',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'The page has no structured data of the blog.',
  advice: 'Add schemaOrgJson of the blog in a <script type="application/ld+json">.',
  find
}

function find({ facts: { document } }: Sight): Found | null {
  const { articles, invalid } = jsonLdArticles(document.jsonLd)
  return articles.length > 0 || invalid > 0
    ? null
    : { extent: 1, places: [], evidence: { scripts: document.jsonLd.length } }
}
