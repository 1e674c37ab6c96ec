import type { Rule } from './rule.ts'

export const langMissing: Rule = {
  category: 'metadata',
  severity: 'low',
  scope: 'article',
  version: 1,
  message: 'The page does not say in which language it is.',
  advice: 'Set lang of <html> to the language of the blog.',
  find: ({ facts: { document }, expected }) =>
    document.lang.trim() === '' ? { extent: 1, places: [], evidence: {}, expected: expected.language } : null
}
