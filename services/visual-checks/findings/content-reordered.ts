import { longestRun } from './longest-run.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { isLong } from './scripts.ts'
import { placesOf } from './weight.ts'

/** What may wander without harm: a picture's caption with its picture. */
const MAY_WANDER = ['figcaption', 'caption']
const LEAST_SHARE = 0.08

export const contentReordered: Rule = {
  category: 'content',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'The paragraphs stand in another order than they were written.',
  advice: 'Keep the order of htmlContent: look for templates that sort, move or split it.',
  find
}

function find ({ facts }: Sight): Found | null {
  const known = facts.blocks.filter(({ order, copies, expectedCopies, text, tag }) => order !== null && copies <= 1 && expectedCopies <= 1 && isLong(text, 13) && !MAY_WANDER.includes(tag))
  if (known.length < 3) return null
  const inOrder = longestRun(known.map(({ order }) => order!))
  const moved = known.filter((_, at) => !inOrder.has(at))
  const share = moved.length / known.length
  if (moved.length === 0 || (share <= LEAST_SHARE && !moved.some(({ text }) => isLong(text)))) return null
  return { extent: share, places: placesOf(moved), evidence: { moved: moved.length, of: known.length, text: moved[0]!.text.slice(0, 120) } }
}
