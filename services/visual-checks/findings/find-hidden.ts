import type { BlockFact } from '../../../ports/browser/facts.ts'
import { hiddenBy, type HiddenCode } from './hidden-by.ts'
import type { Found, Sight } from './rule.ts'
import { isLong } from './scripts.ts'
import { placesOf, rounded, shareOf } from './weight.ts'

/** A trace of hidden text is told from this share on; one whole paragraph is told in any case. */
const LEAST_SHARE = 0.005

/** The blocks that are kept from readers by one reason. The measure is exact, so a single paragraph of a long blog is told too. */
export function findHidden (code: HiddenCode, { facts }: Sight): Found | null {
  const blocks = facts.blocks.filter((block) => hiddenBy(block) === code)
  const share = shareOf(blocks, facts.blocks)
  if (share < LEAST_SHARE && !blocks.some(({ text }) => isLong(text))) return null
  return blocks.length === 0 ? null : { extent: share, places: placesOf(blocks), evidence: { share: rounded(share), ...measuredOf(blocks) } }
}

function measuredOf (blocks: readonly BlockFact[]) {
  const { visibility, type, text } = blocks[0]!
  return { text: text.slice(0, 120), opacity: visibility!.opacity, clippedShare: rounded(visibility!.clippedShare), offScreenShare: rounded(visibility!.offScreenShare), contrast: visibility!.contrast === null ? null : rounded(visibility!.contrast, 2), fontPx: type === null ? null : rounded(type.fontPx, 1) }
}
