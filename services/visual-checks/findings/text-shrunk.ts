import { findHidden } from './find-hidden.ts'
import type { Rule } from './rule.ts'

export const textShrunk: Rule = {
  category: 'layout',
  severity: 'critical',
  scope: 'article',
  version: 2,
  message: 'Text of the blog is too small to be seen as text.',
  advice: 'Look for a font size near 0, or a scale on an element above it.',
  find: (sight) => findHidden('TEXT_SHRUNK', sight)
}
