import type { Rule } from './rule.ts'
import { findAbsent } from './why-absent.ts'

export const loginWall: Rule = {
  category: 'content',
  severity: 'critical',
  scope: 'article',
  version: 1,
  message: 'The page asks to sign in instead of showing the blog.',
  advice: 'Publish the page without a login, or give the check an address that readers can open.',
  find: (sight) => findAbsent('LOGIN_WALL', sight)
}
