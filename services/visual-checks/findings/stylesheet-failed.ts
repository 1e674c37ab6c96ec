import { failedOf } from './failed.ts'
import type { Found, Rule, Sight } from './rule.ts'

export const stylesheetFailed: Rule = {
  category: 'style',
  severity: 'high',
  scope: 'article',
  version: 1,
  message: 'A stylesheet of the site does not load.',
  advice: 'Check the address of the stylesheet, and that its answer is text/css.',
  find
}

function find(sight: Sight): Found | null {
  const found = failedOf(sight, ({ sameHost, type }) => sameHost && type === 'stylesheet')
  return found && { ...found, extent: 1 }
}
