import { findHidden } from './find-hidden.ts'
import type { Rule } from './rule.ts'

export const textCutOff: Rule = {
  category: 'layout',
  severity: 'high',
  scope: 'article',
  version: 1,
  message: 'Lines of text are cut off at an edge.',
  advice: 'Let the element grow with its text, or let lines break: look for a fixed size, nowrap, overflow: hidden.',
  find: (sight) => findHidden('TEXT_CUT_OFF', sight)
}
