import { type ReadableBlock, findAmong, isRunningText, readableBlocks } from './readable-blocks.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { isLong, isWideText } from './scripts.ts'

const LEAST_CHARACTERS = { wide: 8, other: 17 }
const LEAST_SHARE = 0.2
/** A word a line. */
const GROSS_CHARACTERS = { wide: 4, other: 10 }

const isNarrow = ({ text, typography }: ReadableBlock): boolean =>
  typography.lines > 2 &&
  typography.charactersPerLine < (isWideText(text) ? LEAST_CHARACTERS.wide : LEAST_CHARACTERS.other)

export const columnTooNarrow: Rule = {
  category: 'layout',
  severity: 'high',
  scope: 'article',
  version: 1,
  message: 'The column of text is so narrow that lines hold only a few words.',
  advice: 'Give the text more width: look for fixed widths, floats and columns beside it.',
  find
}

function find(sight: Sight): Found | null {
  const running = readableBlocks(sight).filter((block) => isRunningText(block) && isLong(block.text, 60))
  return findAmong(running, isNarrow, {
    over: LEAST_SHARE,
    gross: ({ text, typography }) =>
      typography.charactersPerLine < (isWideText(text) ? GROSS_CHARACTERS.wide : GROSS_CHARACTERS.other),
    evidence: (bad) => ({
      charactersPerLine: Math.round(Math.min(...bad.map(({ typography }) => typography.charactersPerLine)))
    })
  })
}
