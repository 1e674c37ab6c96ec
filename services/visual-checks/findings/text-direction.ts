import { type ReadableBlock, findAmong, readableBlocks } from './readable-blocks.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { rightToLeftShare } from './scripts.ts'

const LEAST_SHARE = 0.25

export const textDirection: Rule = {
  category: 'readability',
  severity: 'high',
  scope: 'article',
  version: 1,
  message: 'The text runs in the wrong direction.',
  advice: 'Set dir="rtl" for Arabic, Hebrew and their like, and dir="ltr" for others.',
  find
}

function isWrongWay({ text, typography }: ReadableBlock): boolean {
  const share = rightToLeftShare(text)
  if (!/\p{L}/u.test(text)) return false
  return typography.direction === 'rtl' ? share < 0.1 : share > 0.5
}

function find(sight: Sight): Found | null {
  return findAmong(readableBlocks(sight), isWrongWay, {
    over: LEAST_SHARE,
    evidence: ([first]) => ({ direction: first!.typography.direction })
  })
}
