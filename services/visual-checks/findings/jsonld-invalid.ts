import { jsonLdArticles } from './json-ld-articles.ts'
import type { Found, Rule, Sight } from './rule.ts'

export const jsonldInvalid: Rule = {
  category: 'metadata',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'Structured data of the page is not JSON.',
  advice: 'Put schemaOrgJson of the blog into the script as it is, without escaping it.',
  find
}

function find({ facts: { document } }: Sight): Found | null {
  const { invalid } = jsonLdArticles(document.jsonLd)
  return invalid === 0
    ? null
    : { extent: 1, places: [], count: invalid, evidence: { scripts: document.jsonLd.length, invalid } }
}
