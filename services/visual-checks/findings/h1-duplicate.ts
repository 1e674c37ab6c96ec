import { normalText } from './normal-text.ts'
import type { Found, Rule, Sight } from './rule.ts'

export const h1Duplicate: Rule = {
  category: 'metadata',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'The page has more than one main heading.',
  advice: 'Keep <h1> for the title of the blog; the name of the site is not a heading of this page.',
  find
}

/** Headings that the blog itself brings are its author's own. */
function find({ facts }: Sight): Found | null {
  const own = facts.blocks.filter(({ tag }) => tag === 'h1').map(({ text }) => normalText(text))
  const shown = facts.document.h1s.filter(({ rendered, text }) => rendered && !own.includes(normalText(text)))
  return shown.length < 2
    ? null
    : {
        extent: 1,
        places: shown.map(({ selector, box }) => ({ place: { selector, box } })),
        evidence: { headings: shown.slice(0, 5).map(({ text }) => text.slice(0, 120)) }
      }
}
