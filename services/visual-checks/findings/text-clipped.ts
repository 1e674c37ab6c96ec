import { findHidden } from './find-hidden.ts'
import type { Rule } from './rule.ts'

export const textClipped: Rule = {
  category: 'layout',
  severity: 'critical',
  scope: 'article',
  version: 2,
  message: 'Text of the blog is cut away.',
  advice: 'Look for overflow: hidden with a fixed height or width, or a clip-path, on an element above it.',
  find: (sight) => findHidden('TEXT_CLIPPED', sight)
}
