import type {
  BlockSnapshot,
  Typography,
  ViewportSnapshot,
  Visibility
} from '../../../../ports/browser/port/page-snapshot.ts'
import type { HitPlace, RuleHit, RuleInput } from '../rule.ts'
import { isLong, normalizeText, round } from './text.ts'

/** The weight of a block: the length of our text in it. */
export const getWeight = ({ text }: { text: string }): number => normalizeText(text).length

export const sumWeights = (blocks: readonly { text: string }[]): number =>
  blocks.reduce((sum, block) => sum + getWeight(block), 0)

/** The share of these blocks in all, by the length of our text. 0 if there is no text. */
export function getShare(some: readonly BlockSnapshot[], all: readonly BlockSnapshot[]): number {
  const total = sumWeights(all)
  return total === 0 ? 0 : sumWeights(some) / total
}

/** The place of the article, or none if the article is not in the page. */
export const getArticlePlaces = ({ article }: ViewportSnapshot): HitPlace[] =>
  article ? [{ place: { selector: article.selector, box: article.box } }] : []

/** The places of the blocks that are in the page, those with the longest text first. */
export function getBlockPlaces(blocks: readonly BlockSnapshot[]): HitPlace[] {
  return [...blocks]
    .sort((a, b) => getWeight(b) - getWeight(a) || a.index - b.index)
    .flatMap(({ place, index }) => (place ? [{ place, block: index }] : []))
}

export type HiddenCode =
  | 'TEXT_HIDDEN'
  | 'TEXT_TRANSPARENT'
  | 'TEXT_BLURRED'
  | 'TEXT_CLIPPED'
  | 'TEXT_OFFSCREEN'
  | 'TEXT_SHRUNK'
  | 'TEXT_INVISIBLE_COLOR'
  | 'TEXT_COVERED'
  | 'TEXT_CUT_OFF'

/** In CSS pixels, as rendered. Nobody can read smaller text. */
const UNREADABLE_PX = 5
/** At this contrast, text and background look alike: measured on pages with text of that color. */
const NO_CONTRAST = 1.15
const UNREADABLE_BLUR_EM = 0.12
/** Share of its lines. The others are faded out, or blended into their background. */
const MIN_PAINTED_SHARE = 0.5

/**
 * What keeps readers from the text of a block. The first reason that applies counts, so that a
 * block is reported once. Null for visible blocks and for blocks that are not in the page.
 */
export function getHiddenReason({ visibility, typography, styles, shownAsLabel }: BlockSnapshot): HiddenCode | null {
  if (visibility === null || shownAsLabel) return null
  const { rendered, opacity, clippedShare, offScreenShare, contrast, coveredShare, paintedShare } = visibility
  if (!rendered) return 'TEXT_HIDDEN'
  if (opacity < 0.15) return 'TEXT_TRANSPARENT'
  if (styles !== undefined && styles.blurEm > UNREADABLE_BLUR_EM) return 'TEXT_BLURRED'
  if (clippedShare > 0.5) return 'TEXT_CLIPPED'
  if (offScreenShare > 0.5) return 'TEXT_OFFSCREEN'
  if (typography !== null && typography.fontPx < UNREADABLE_PX) return 'TEXT_SHRUNK'
  if (contrast !== null && contrast < NO_CONTRAST) return 'TEXT_INVISIBLE_COLOR'
  if (coveredShare > 0.3) return 'TEXT_COVERED'
  if (paintedShare !== null && paintedShare < MIN_PAINTED_SHARE) return 'TEXT_TRANSPARENT'
  return clippedShare + offScreenShare > 0.08 ? 'TEXT_CUT_OFF' : null
}

/** Whether nearly all of the text is readable. It may be cut off at an edge. */
export const isReadable = (block: BlockSnapshot): boolean =>
  block.visibility !== null && [null, 'TEXT_CUT_OFF'].includes(getHiddenReason(block))

export type RenderedBlock = BlockSnapshot & { visibility: Visibility; typography: Typography }

export const isRendered = (block: BlockSnapshot): block is RenderedBlock =>
  block.visibility !== null && block.typography !== null

/** The blocks that a reader can see. Hidden blocks are reported as hidden only. */
export const getReadableBlocks = ({ snapshot }: RuleInput): RenderedBlock[] =>
  snapshot.blocks.filter(isRendered).filter(isReadable)

const MIN_HEADING_LENGTH = 12
const isHeadingTag = (tag: string | null): boolean => tag !== null && /^h[1-6]$/.test(tag)

/** Whether the block has paragraph-like text. */
export const isRunningText = ({ tag }: BlockSnapshot): boolean =>
  ['p', 'li', 'blockquote', 'div', 'dd', 'section', 'article'].includes(tag)

interface BlockDetector {
  isBad: (block: RenderedBlock) => boolean
  /** The share of bad blocks above which they are reported. */
  minShare: number
  /** Whether a single block of sufficient length is bad enough to be reported alone. */
  isGross?: (block: RenderedBlock) => boolean
  evidence: (bad: readonly RenderedBlock[]) => Record<string, unknown>
}

/** Reports the bad blocks if they are more than a share of all, or if a long one is grossly bad. */
export function detectBlocks(
  all: readonly RenderedBlock[],
  { isBad, minShare, isGross = () => false, evidence }: BlockDetector
): RuleHit | null {
  const bad = all.filter(isBad)
  const share = getShare(bad, all)
  const hasGross = () =>
    bad.some((block) => isLong(block.text, isHeadingTag(block.tag) ? MIN_HEADING_LENGTH : undefined) && isGross(block))
  if (bad.length === 0 || (share <= minShare && !hasGross())) return null
  return { extent: share, places: getBlockPlaces(bad), evidence: { share: round(share), ...evidence(bad) } }
}

/** Whether a heading of ours became plain text, in the size and weight of a paragraph. */
export function isFlattenedHeading(
  { tag, actualTag, typography }: BlockSnapshot,
  { blocks }: Pick<ViewportSnapshot, 'blocks'>
): boolean {
  if (!isHeadingTag(tag) || actualTag === null || isHeadingTag(actualTag)) return false
  if (typography === null || typography.bold) return false
  const paragraphSizes = blocks
    .flatMap((block) => (block.tag === 'p' && block.typography !== null ? [block.typography.fontPx] : []))
    .sort((a, b) => a - b)
  const median = paragraphSizes[paragraphSizes.length >> 1]
  return median !== undefined && typography.fontPx < median * 1.1
}

const OVERLAY_SHARE = 0.6

/**
 * Whether layers cover nearly the whole page. They often block scrolling, so that text out of reach
 * is reported through the overlay.
 */
export const hasFullPageOverlay = ({ snapshot }: RuleInput): boolean => snapshot.layersShare >= OVERLAY_SHARE
