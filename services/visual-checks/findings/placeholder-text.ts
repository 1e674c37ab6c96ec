import { findOdd } from './find-odd.ts'
import { placeholdersBetween, placeholdersIn } from './placeholders.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { unplacedBlocks } from './unplaced-blocks.ts'

export const placeholderText: Rule = {
  category: 'content',
  severity: 'medium',
  scope: 'article',
  version: 2,
  message: 'Readers see a placeholder or an empty value of the template.',
  advice: 'Fill the named field of the template, or leave its place out where there is no value.',
  find
}

/** What stands for a paragraph of ours weighs as much as its loss. */
function find(sight: Sight): Found | null {
  const found = findOdd(sight, {
    count: ({ text, own, inCode }) => (inCode ? 0 : Math.max(0, placeholdersIn(text) - placeholdersIn(own))),
    full: 3
  })
  return found !== null && placeholdersBetween(sight) > 0 && unplacedBlocks(sight).gone.length > 0
    ? { ...found, severity: 'high' }
    : found
}
