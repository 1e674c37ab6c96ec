import type { BlockSnapshot, Typography, Visibility } from '../../../ports/browser/port/page-snapshot.ts'
import { isReadable } from './hidden-by.ts'
import type { Found, Sight } from './rule.ts'
import { isLong } from './scripts.ts'
import { placesOf, rounded, shareOf } from './weight.ts'

export type ReadableBlock = BlockSnapshot & { visibility: Visibility; typography: Typography }

export const hasType = (block: BlockSnapshot): block is ReadableBlock =>
  block.visibility !== null && block.typography !== null

/** The blocks that a reader can see, with how they are set: what is hidden is charged as hidden. */
export function readableBlocks({ facts }: Sight): ReadableBlock[] {
  return facts.blocks.filter(hasType).filter(isReadable)
}

const HEADING_CHARACTERS = 12
const isHeading = ({ tag }: BlockSnapshot): boolean => /^h[1-6]$/.test(tag)

/** Paragraphs and their like that are long enough to tell how lines run. */
export const isRunningText = ({ tag }: BlockSnapshot): boolean =>
  ['p', 'li', 'blockquote', 'div', 'dd', 'section', 'article'].includes(tag)

/**
 * Tells the blocks that fail a test, where they are more than a share of those that were looked at,
 * or one long enough fails it so far that nobody could mean it (`gross`).
 */
export function findAmong(
  all: readonly ReadableBlock[],
  isBad: (block: ReadableBlock) => boolean,
  {
    over,
    evidence,
    gross = () => false
  }: {
    over: number
    gross?: (block: ReadableBlock) => boolean
    evidence: (bad: readonly ReadableBlock[]) => Record<string, unknown>
  }
): Found | null {
  const bad = all.filter(isBad)
  const share = shareOf(bad, all)
  return bad.length === 0 ||
    (share <= over &&
      !bad.some((block) => isLong(block.text, isHeading(block) ? HEADING_CHARACTERS : undefined) && gross(block)))
    ? null
    : { extent: share, places: placesOf(bad), evidence: { share: rounded(share), ...evidence(bad) } }
}
