import { findOdd } from './find-odd.ts'
import { entitiesShown } from './garbled.ts'
import type { Rule } from './rule.ts'

export const escapedEntities: Rule = {
  category: 'content',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'Readers see HTML entities such as &amp; as text.',
  advice: 'Escape texts once: htmlContent is HTML already.',
  find: (sight) =>
    findOdd(sight, { count: ({ text, own, inCode }) => (inCode ? 0 : entitiesShown(text, own)), full: 8 })
}
