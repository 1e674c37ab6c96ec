import type { Rule } from './rule.ts'

export const h1Missing: Rule = {
  category: 'metadata',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'The page has no main heading.',
  advice: 'Show the title of the blog as <h1>.',
  find: ({ facts: { document } }) =>
    document.h1s.some(({ rendered }) => rendered)
      ? null
      : { extent: 1, places: [], evidence: { unseen: document.h1s.length } }
}
