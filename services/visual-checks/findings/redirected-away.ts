import type { Rule } from './rule.ts'
import { findAbsent } from './why-absent.ts'

export const redirectedAway: Rule = {
  category: 'content',
  severity: 'critical',
  scope: 'article',
  version: 1,
  message: 'The address leads away to another page, and the blog is not there.',
  advice: 'Check the redirects of the site for this address.',
  find: (sight) => findAbsent('REDIRECTED_AWAY', sight)
}
