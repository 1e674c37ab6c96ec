import { jsonLdArticles } from './json-ld-articles.ts'
import { tells } from './likeness.ts'
import { normalText } from './normal-text.ts'
import type { Found, Rule, Sight } from './rule.ts'

/** Headlines may be cut: 110 characters were the most for a long time. */
const isOurs = (headline: string, title: string): boolean =>
  tells(headline, title) ||
  (headline.length >= 60 && normalText(title).startsWith(normalText(headline).replace(/\.{3}$/, '')))

export const jsonldMismatch: Rule = {
  category: 'metadata',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'The structured data is that of another blog.',
  advice: 'Put schemaOrgJson of this blog into the page.',
  find
}

function find({ facts: { document }, expected }: Sight): Found | null {
  const { articles } = jsonLdArticles(document.jsonLd)
  if (articles.length === 0 || articles.some(({ headline }) => isOurs(headline, expected.title))) return null
  return {
    extent: 1,
    places: [],
    evidence: { articles: articles.length },
    expected: expected.title,
    actual: articles[0]!.headline.slice(0, 300)
  }
}
