import { findHidden } from './find-hidden.ts'
import type { Rule } from './rule.ts'

export const textOffscreen: Rule = {
  category: 'layout',
  severity: 'critical',
  scope: 'article',
  version: 2,
  message: 'Text of the blog stands outside of the page.',
  advice: 'Look for a negative position, margin, indent or a transform that moves it away.',
  find: (sight) => findHidden('TEXT_OFFSCREEN', sight)
}
