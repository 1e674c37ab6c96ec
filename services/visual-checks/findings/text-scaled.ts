import { hiddenBy } from './hidden-by.ts'
import { type ReadableBlock, findAmong, hasType, readableBlocks } from './readable-blocks.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { clearlyOver, rounded } from './weight.ts'

const LEAST = 0.8
const MOST = 1.25
const LEAST_SHARE = 0.01

const isScaled = ({ visibility }: ReadableBlock): boolean => visibility.scale < LEAST || visibility.scale > MOST
/** How far it is off: 2 for double and for half. */
const factorOf = ({ visibility: { scale } }: ReadableBlock): number => Math.max(scale, 1 / Math.max(scale, 0.01))

export const textScaled: Rule = {
  category: 'layout',
  severity: 'medium',
  scope: 'article',
  version: 2,
  message: 'The text is shown larger or smaller than it was laid out.',
  advice: 'Look for transform: scale() or zoom on an element above the text.',
  find
}

/** What was made so large that it lies outside of the page is told as large. */
const scalable = (sight: Sight): ReadableBlock[] => [
  ...readableBlocks(sight),
  ...sight.facts.blocks
    .filter(hasType)
    .filter((block) => hiddenBy(block) === 'TEXT_OFFSCREEN' && block.visibility.scale > MOST)
]

function find(sight: Sight): Found | null {
  const found = findAmong(scalable(sight), isScaled, {
    over: LEAST_SHARE,
    evidence: (bad) => ({
      scale: rounded(bad[0]!.visibility.scale, 2),
      worst: rounded(Math.max(...bad.map(factorOf)), 2)
    })
  })
  return found && clearlyOver(Number(found.evidence.worst), 1.5) ? { ...found, severity: 'high' } : found
}
