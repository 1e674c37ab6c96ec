import { findHidden } from './find-hidden.ts'
import type { Rule } from './rule.ts'

export const textHidden: Rule = {
  category: 'layout',
  severity: 'critical',
  scope: 'article',
  version: 2,
  message: 'Text of the blog is not displayed.',
  advice: 'Look for display: none, visibility: hidden or a collapsed element on it or above it.',
  find: (sight) => findHidden('TEXT_HIDDEN', sight)
}
