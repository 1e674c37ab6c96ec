import type { Rule } from './rule.ts'
import { findAbsent } from './why-absent.ts'

export const contentMissing: Rule = {
  category: 'content',
  severity: 'critical',
  scope: 'article',
  version: 1,
  message: 'The text of the blog is not in the page.',
  advice: 'Check that htmlContent is put into the page, and that no error in a script prevents it.',
  find: (sight) => findAbsent('CONTENT_MISSING', sight)
}
