import type { Rule } from './rule.ts'
import { findAbsent } from './why-absent.ts'

export const wrongPost: Rule = {
  category: 'content',
  severity: 'critical',
  scope: 'article',
  version: 1,
  message: 'The page shows another text than this blog.',
  advice: 'Check which blog the site loads for this address: its slug, its id, its cache.',
  find: (sight) => findAbsent('WRONG_POST', sight)
}
