import { findAmong, readableBlocks } from './readable-blocks.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { rounded } from './weight.ts'

const LEAST_PX = 12
const LEAST_SHARE = 0.2

export const fontTooSmall: Rule = {
  category: 'readability',
  severity: 'high',
  scope: 'article',
  version: 1,
  message: 'The text is too small to be read with ease.',
  advice: 'Use at least 16 px for running text, and never less than 12 px.',
  find
}

function find(sight: Sight): Found | null {
  const found = findAmong(readableBlocks(sight), ({ typography }) => typography.fontPx < LEAST_PX - 0.05, {
    over: LEAST_SHARE,
    evidence: (bad) => ({ fontPx: rounded(Math.min(...bad.map(({ typography }) => typography.fontPx)), 1) })
  })
  return found && Number(found.evidence.fontPx) >= LEAST_PX * 0.9 ? { ...found, severity: 'medium' } : found
}
