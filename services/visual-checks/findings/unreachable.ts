import type { Rule } from './rule.ts'
import { findAbsent } from './why-absent.ts'

export const unreachable: Rule = {
  category: 'content',
  severity: 'critical',
  scope: 'article',
  version: 1,
  message: 'Nothing answered at this address.',
  advice: 'Check that the site is running and that its name resolves from outside.',
  find: (sight) => findAbsent('UNREACHABLE', sight)
}
