import { findHidden } from './find-hidden.ts'
import type { Rule } from './rule.ts'

export const textInvisibleColor: Rule = {
  category: 'layout',
  severity: 'critical',
  scope: 'article',
  version: 2,
  message: 'Text of the blog has the color of its background.',
  advice: 'Give the text a color that differs from its background, in every color scheme.',
  find: (sight) => findHidden('TEXT_INVISIBLE_COLOR', sight)
}
