import { axeOf, isInArticle } from './axe-of.ts'
import type { Rule } from './rule.ts'

export const axePage: Rule = {
  category: 'readability',
  severity: 'info',
  scope: 'site',
  version: 1,
  message: 'Parts of the page are hard to use with assistive technology.',
  advice: 'See the named rules of axe.',
  find: (sight) => axeOf(sight, (violation) => !isInArticle(violation))
}
