import type { Rule } from './rule.ts'
import { findAbsent } from './why-absent.ts'

export const soft404: Rule = {
  category: 'content',
  severity: 'critical',
  scope: 'article',
  version: 1,
  message: 'The page says that there is nothing here, although it answers with success.',
  advice: 'Check that the site knows the slug of the blog, and answer 404 where it does not.',
  find: (sight) => findAbsent('SOFT_404', sight)
}
