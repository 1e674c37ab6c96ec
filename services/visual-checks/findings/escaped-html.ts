import { findOdd } from './find-odd.ts'
import { tagsShown } from './garbled.ts'
import { presenceOf } from './presence.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { unplacedBlocks } from './unplaced-blocks.ts'

export const escapedHtml: Rule = {
  category: 'content',
  severity: 'critical',
  scope: 'article',
  version: 1,
  message: 'Readers see HTML tags as text.',
  advice: 'Put htmlContent into the page as HTML, not as text: no escaping, no Markdown, no code block.',
  find
}

/** Markup in code is an example, unless text of ours is missing: then it is our own text that became code. */
function find (sight: Sight): Found | null {
  const ownInCode = unplacedBlocks(sight).gone.length > 0
  const page = presenceOf(sight) === 'garbled' ? tagsShown(sight.facts.document.text, sight.facts.blocks.map(({ text }) => text).join(' ')) : 0
  return findOdd(sight, { count: ({ text, own, inCode }) => inCode && !ownInCode ? 0 : tagsShown(text, own), full: 8, page })
}
