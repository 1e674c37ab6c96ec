import { axeOf, isInArticle } from './axe-of.ts'
import type { Rule } from './rule.ts'

export const axeArticle: Rule = {
  category: 'readability',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'Readers with assistive technology are kept from part of the blog.',
  advice: 'See the named rules of axe.',
  find: (sight) => axeOf(sight, isInArticle)
}
