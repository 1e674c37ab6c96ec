import { findHidden } from './find-hidden.ts'
import type { Rule } from './rule.ts'

export const textTransparent: Rule = {
  category: 'layout',
  severity: 'critical',
  scope: 'article',
  version: 2,
  message: 'Text of the blog is transparent.',
  advice:
    'Look for an opacity of 0, often of an animation on scroll whose script never runs, and for masks, blends and filters.',
  find: (sight) => findHidden('TEXT_TRANSPARENT', sight)
}
