import { type ReadableBlock, findAmong, isRunningText, readableBlocks } from './readable-blocks.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { isLong, isWideText } from './scripts.ts'

/** Characters that fit, and that stand, in a line. */
const MOST = { wide: [60, 45], other: [120, 95] } as const
const LEAST_WIDTH = 600
const LEAST_SHARE = 0.4

export const lineTooLong: Rule = {
  category: 'readability',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'The lines are too long to find the next one with ease.',
  advice: 'Limit the width of the text to about 75 characters (max-width: 70ch).',
  find
}

function isTooLong({ text, typography, place }: ReadableBlock): boolean {
  const [fit, stand] = isWideText(text) ? MOST.wide : MOST.other
  return (
    typography.lineCapacity > fit &&
    typography.charactersPerLine > stand &&
    (isWideText(text) ? typography.lineCapacity * typography.fontPx : (place?.box?.width ?? 0)) > LEAST_WIDTH
  )
}

function find(sight: Sight): Found | null {
  const running = readableBlocks(sight).filter((block) => isRunningText(block) && isLong(block.text, 90))
  return findAmong(running, isTooLong, {
    over: LEAST_SHARE,
    evidence: (bad) => ({
      charactersPerLine: Math.round(Math.max(...bad.map(({ typography }) => typography.charactersPerLine)))
    })
  })
}
