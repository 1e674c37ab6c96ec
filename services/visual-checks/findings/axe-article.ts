import type { Found, Rule, Sight } from './rule.ts'

/** What keeps somebody from reading; `moderate` and `minor` are advice. */
const GRAVE = ['serious', 'critical']

export const axeArticle: Rule = {
  category: 'readability',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'Readers with assistive technology are kept from part of the blog.',
  advice: 'See the named rules of axe.',
  find
}

/** Tells what axe found (https://dequeuniversity.com/rules/axe/). */
function find({ facts: { axe } }: Sight): Found | null {
  const grave = axe.filter(({ impact }) => GRAVE.includes(impact))
  if (grave.length === 0) return null
  return {
    extent: 0.5,
    places: grave.map(({ target }) => ({ place: target })),
    evidence: { rules: grave.map(({ rule, impact, help, nodes }) => ({ rule, impact, help, nodes })).slice(0, 10) }
  }
}
