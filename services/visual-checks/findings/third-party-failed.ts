import { failedOf } from './failed.ts'
import type { Rule } from './rule.ts'

export const thirdPartyFailed: Rule = {
  category: 'runtime',
  severity: 'info',
  scope: 'site',
  version: 1,
  message: 'Something that the page loads from another host fails.',
  advice: 'Check whether the page still needs it.',
  find: (sight) => failedOf(sight, ({ sameHost, type }) => !sameHost && type !== 'image')
}
