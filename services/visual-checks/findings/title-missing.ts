import type { Rule } from './rule.ts'

export const titleMissing: Rule = {
  category: 'metadata',
  severity: 'high',
  scope: 'article',
  version: 1,
  message: 'The page has no title.',
  advice: 'Add <title> with the title of the blog.',
  find: ({ facts: { document } }) =>
    document.titles.some((title) => title.trim() !== '')
      ? null
      : { extent: 1, places: [], evidence: { titles: document.titles.length } }
}
