import type { Rule } from './rule.ts'

export const titleDuplicate: Rule = {
  category: 'metadata',
  severity: 'low',
  scope: 'article',
  version: 1,
  message: 'The page has more than one title.',
  advice: 'Keep one <title> in the head.',
  find: ({ facts: { document } }) =>
    document.titles.length > 1 ? { extent: 1, places: [], evidence: { titles: document.titles.slice(0, 5) } } : null
}
