import { findAmong, readableBlocks } from './readable-blocks.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { rounded } from './weight.ts'

const LEAST_RATIO = 1.15
const LEAST_SHARE = 0.2
/** Lines lie on each other. */
const GROSS_RATIO = 0.75

export const lineHeightTight: Rule = {
  category: 'readability',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'The lines of text stand too close to each other.',
  advice: 'Use a line height of about 1.5 for running text.',
  find
}

function find(sight: Sight): Found | null {
  return findAmong(
    readableBlocks(sight),
    ({ typography }) => typography.lines > 1 && typography.lineHeightRatio < LEAST_RATIO,
    {
      over: LEAST_SHARE,
      gross: ({ typography }) => typography.lineHeightRatio < GROSS_RATIO,
      evidence: (bad) => ({
        lineHeight: rounded(Math.min(...bad.map(({ typography }) => typography.lineHeightRatio)), 2)
      })
    }
  )
}
