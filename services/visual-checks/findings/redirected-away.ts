import type { Rule } from './rule.ts'
import { findAbsent } from './why-absent.ts'

export const redirectedAway: Rule = {
  category: 'content',
  severity: 'critical',
  scope: 'article',
  version: 2,
  message: 'The address leads away to another page, and the blog is not there.',
  advice: 'Check the redirects of the site for this address, and whether its scripts lead away.',
  find: (sight) => findAbsent('REDIRECTED_AWAY', sight)
}
