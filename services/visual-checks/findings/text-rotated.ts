import { type ReadableBlock, findAmong, readableBlocks } from './readable-blocks.ts'
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
  version: 1,
  message: 'The text is turned or mirrored.',
  advice: 'Look for a transform: rotate(), a negative scale or a writing mode on an element above the text.',
  find
}

function find (sight: Sight): Found | null {
  return findAmong(readableBlocks(sight), (block) => degrees(block) > LEAST_DEGREES, { over: LEAST_SHARE, evidence: (bad) => ({ degrees: rounded(Math.max(...bad.map(degrees)), 0) }) })
}
