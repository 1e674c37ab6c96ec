import { findOdd } from './find-odd.ts'
import { marksShown, tagsShown } from './garbled.ts'
import { presenceOf } from './presence.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { unplacedBlocks } from './unplaced-blocks.ts'

export const escapedHtml: Rule = {
  category: 'content',
  severity: 'critical',
  scope: 'article',
  version: 2,
  message: 'Readers see HTML tags or Markdown as text.',
  advice: 'Put htmlContent into the page as HTML, not as text: no escaping, no Markdown, no code block.',
  find
}

const signsIn = (text: string, own: string): number => tagsShown(text, own) + marksShown(text, own)

/**
 * Markup in code is an example, unless text of ours is missing: then it is our own text that became
 * code.
 */
function find(sight: Sight): Found | null {
  const { gone, marked } = unplacedBlocks(sight)
  const ownInCode = gone.length + marked.length > 0
  const { document, blocks, article } = sight.facts
  const page =
    presenceOf(sight) === 'garbled' || article === null
      ? signsIn(document.text, blocks.map(({ text }) => text).join(' '))
      : 0
  return findOdd(sight, {
    count: ({ text, own, inCode }) => (inCode && !ownInCode ? 0 : signsIn(text, own)),
    full: 8,
    page
  })
}
