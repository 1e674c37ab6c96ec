import { hiddenBy } from './hidden-by.ts'
import { type ReadableBlock, findAmong, hasType } from './readable-blocks.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { rounded } from './weight.ts'

/** A few degrees are a matter of taste. */
const LEAST_DEGREES = 5
const LEAST_SHARE = 0.01

const degrees = ({ visibility: { rotation } }: ReadableBlock): number => Math.min(rotation, 360 - rotation)

export const textRotated: Rule = {
  category: 'layout',
  severity: 'high',
  scope: 'article',
  version: 2,
  message: 'The text is turned or mirrored.',
  advice: 'Look for a transform: rotate(), a negative scale or a writing mode on an element above the text.',
  find
}

/** What was turned until it is cut off or lies outside of the page is told as turned. */
const turnable = ({ facts }: Sight): ReadableBlock[] =>
  facts.blocks
    .filter(hasType)
    .filter((block) =>
      [null, 'TEXT_CUT_OFF', 'TEXT_CLIPPED', 'TEXT_OFFSCREEN', 'TEXT_COVERED'].includes(hiddenBy(block))
    )

function find(sight: Sight): Found | null {
  return findAmong(turnable(sight), (block) => degrees(block) > LEAST_DEGREES, {
    over: LEAST_SHARE,
    evidence: (bad) => ({ degrees: rounded(Math.max(...bad.map(degrees)), 0) })
  })
}
