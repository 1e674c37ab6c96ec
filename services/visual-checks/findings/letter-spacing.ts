import { findAmong, readableBlocks } from './readable-blocks.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { rounded } from './weight.ts'

/**
 * In em. Headings and labels may be set a little wider; text that is read may not be set far off.
 */
const LETTERS = { least: -0.05, most: 0.22 }
const WORDS = { least: -0.15, most: 1 }
const LEAST_SHARE = 0.2
/** Nobody sets a paragraph so, be it the only one. */
const GROSS = { least: -0.2, most: 0.6 }

const isOff = (value: number, { least, most }: { least: number; most: number }): boolean =>
  value < least || value > most

export const letterSpacing: Rule = {
  category: 'readability',
  severity: 'medium',
  scope: 'article',
  version: 2,
  message: 'Letters or words stand too close to each other or too far apart.',
  advice: 'Leave letter-spacing and word-spacing of running text at normal.',
  find
}

function find(sight: Sight): Found | null {
  return findAmong(
    readableBlocks(sight),
    ({ typography }) => isOff(typography.letterSpacingEm, LETTERS) || isOff(typography.wordSpacingEm, WORDS),
    {
      over: LEAST_SHARE,
      gross: ({ typography }) => isOff(typography.letterSpacingEm, GROSS),
      evidence: ([first]) => ({
        letterSpacingEm: rounded(first!.typography.letterSpacingEm),
        wordSpacingEm: rounded(first!.typography.wordSpacingEm)
      })
    }
  )
}
