import { type ReadableBlock, findAmong, readableBlocks } from './readable-blocks.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { rounded } from './weight.ts'

/** WCAG 2.2, 1.4.3: large is 24 px, or 18.66 px in bold. */
const needOf = ({ fontPx, bold }: ReadableBlock['typography']): number =>
  fontPx >= 24 || (fontPx >= 18.66 && bold) ? 3 : 4.5
const HALF_SEEN = 0.5
const LEAST_SHARE = 0.02
/** Of the contrast that it needs: a heading of less is lost to most readers, be it the only one. */
const GROSS_PART = 0.6

const isFaint = ({ visibility, typography }: ReadableBlock): boolean =>
  visibility.opacity < HALF_SEEN || (visibility.contrast !== null && visibility.contrast < needOf(typography))
/** How much of the contrast that it needs a text has. */
const partOf = ({ visibility, typography }: ReadableBlock): number =>
  visibility.opacity < HALF_SEEN ? visibility.opacity : visibility.contrast! / needOf(typography)

export const lowContrast: Rule = {
  category: 'readability',
  severity: 'high',
  scope: 'article',
  version: 2,
  message: 'The text differs too little from its background.',
  advice: 'Use a contrast of at least 4.5 to 1, or 3 to 1 for large text.',
  find
}

function find(sight: Sight): Found | null {
  const found = findAmong(readableBlocks(sight), isFaint, {
    over: LEAST_SHARE,
    gross: (block) => partOf(block) < GROSS_PART,
    evidence: (bad) => ({ worst: worstOf(bad), ofNeeded: rounded(Math.min(...bad.map(partOf)), 2) })
  })
  return found && Number(found.evidence.ofNeeded) >= 0.9 ? { ...found, severity: 'medium' } : found
}

function worstOf(bad: readonly ReadableBlock[]): number | null {
  const contrasts = bad.flatMap(({ visibility }) => (visibility.contrast === null ? [] : [visibility.contrast]))
  return contrasts.length === 0 ? null : rounded(Math.min(...contrasts), 2)
}
