import type { ViewportFacts } from '../../../ports/browser/facts.ts'
import type { Found, Sight } from './rule.ts'

type Violation = ViewportFacts['axe'][number]

/** What findings of our own tell more exactly. */
const TOLD_OTHERWISE = ['color-contrast', 'document-title', 'html-has-lang', 'html-lang-valid', 'html-xml-lang-mismatch', 'meta-viewport', 'meta-viewport-large', 'scrollable-region-focusable', 'page-has-heading-one']

/** What hurts within the article. */
export const isInArticle = ({ articleNodes, impact }: Violation): boolean => articleNodes > 0 && ['serious', 'critical'].includes(impact)

/** Tells what axe found (https://dequeuniversity.com/rules/axe/). */
export function axeOf ({ facts }: Sight, counts: (violation: Violation) => boolean): Found | null {
  const violations = facts.axe.filter((violation) => !TOLD_OTHERWISE.includes(violation.rule) && counts(violation))
  if (violations.length === 0) return null
  return { extent: 0.5, places: violations.map(({ target }) => ({ place: target })), evidence: { rules: violations.map(({ rule, impact, help, nodes }) => ({ rule, impact, help, nodes })).slice(0, 10) } }
}
