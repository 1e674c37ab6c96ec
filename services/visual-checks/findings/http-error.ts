import type { Rule } from './rule.ts'
import { findAbsent } from './why-absent.ts'

export const httpError: Rule = {
  category: 'content',
  severity: 'critical',
  scope: 'article',
  version: 1,
  message: 'The address answers with an error instead of the blog.',
  advice: 'Check the route of the page and the log of the site at the time of the check.',
  find: (sight) => findAbsent('HTTP_ERROR', sight)
}
