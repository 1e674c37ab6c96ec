import type { BlockSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { areCaptionsOfInvisible } from './captions.ts'
import { hiddenBy, type HiddenCode } from './hidden-by.ts'
import type { Found, Sight } from './rule.ts'
import { isLong } from './scripts.ts'
import { isWalled } from './walled.ts'
import { placesOf, rounded, shareOf } from './weight.ts'

/** A trace of hidden text is told from this share on; one whole paragraph is told in any case. */
const LEAST_SHARE = 0.005

const BEYOND_WALL: readonly HiddenCode[] = ['TEXT_OFFSCREEN', 'TEXT_CLIPPED', 'TEXT_CUT_OFF']

/**
 * The blocks that are kept from readers by one reason. The measure is exact, so a single paragraph
 * of a long blog is told too.
 */
export function findHidden(code: HiddenCode, sight: Sight): Found | null {
  const { blocks: all } = sight.facts
  if (isWalled(sight) && BEYOND_WALL.includes(code)) return null
  const blocks = all.filter((block) => hiddenBy(block) === code)
  const share = shareOf(blocks, all)
  if (share < LEAST_SHARE && !blocks.some(({ text }) => isLong(text))) return null
  return blocks.length === 0 || areCaptionsOfInvisible(blocks, sight)
    ? null
    : { extent: share, places: placesOf(blocks), evidence: { share: rounded(share), ...measuredOf(blocks) } }
}

function measuredOf(blocks: readonly BlockSnapshot[]) {
  const { visibility, typography, text } = blocks[0]!
  return {
    text: text.slice(0, 120),
    opacity: visibility!.opacity,
    clippedShare: rounded(visibility!.clippedShare),
    offScreenShare: rounded(visibility!.offScreenShare),
    contrast: visibility!.contrast === null ? null : rounded(visibility!.contrast, 2),
    fontPx: typography === null ? null : rounded(typography.fontPx, 1)
  }
}
