import type { BlockSnapshot } from '../../../ports/browser/port/page-snapshot.ts'

export type HiddenCode =
  | 'TEXT_HIDDEN'
  | 'TEXT_TRANSPARENT'
  | 'TEXT_CLIPPED'
  | 'TEXT_OFFSCREEN'
  | 'TEXT_SHRUNK'
  | 'TEXT_INVISIBLE_COLOR'
  | 'TEXT_COVERED'
  | 'TEXT_CUT_OFF'

/** In CSS pixels, as rendered: nobody reads less. */
const UNREADABLE_PX = 5
/**
 * Text and ground are one to the eye: measured on pages whose text was colored like their ground.
 */
const NO_CONTRAST = 1.15

/** Of its lines: the others are faded away, or blended into their ground. */
const LEAST_INK = 0.5

/**
 * What keeps readers from the text of a block; the first that holds is charged, so that a block
 * counts once. Null for one that can be seen, and for one that is not in the page.
 */
export function hiddenBy({ visibility, typography }: BlockSnapshot): HiddenCode | null {
  if (visibility === null) return null
  const { rendered, opacity, clippedShare, offScreenShare, contrast, coveredShare, paintedShare } = visibility
  if (!rendered) return 'TEXT_HIDDEN'
  if (opacity < 0.15) return 'TEXT_TRANSPARENT'
  if (clippedShare > 0.5) return 'TEXT_CLIPPED'
  if (offScreenShare > 0.5) return 'TEXT_OFFSCREEN'
  if (typography !== null && typography.fontPx < UNREADABLE_PX) return 'TEXT_SHRUNK'
  if (contrast !== null && contrast < NO_CONTRAST) return 'TEXT_INVISIBLE_COLOR'
  if (coveredShare > 0.3) return 'TEXT_COVERED'
  if (paintedShare !== null && paintedShare < LEAST_INK) return 'TEXT_TRANSPARENT'
  return clippedShare + offScreenShare > 0.08 ? 'TEXT_CUT_OFF' : null
}

/** Whether a reader can read nearly all of it: it may be cut off at an edge. */
export const isReadable = (block: BlockSnapshot): boolean =>
  block.visibility !== null && [null, 'TEXT_CUT_OFF'].includes(hiddenBy(block))
