import type { ImageSnapshot } from '../../../ports/browser/port/media-snapshot.ts'
import type { BlockSnapshot, Box, ViewportSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { getBlockPlaces, getHiddenReason } from './helpers/blocks.ts'
import { isLong, longestIncreasingRun } from './helpers/text.ts'
import type { RuleHit, RuleInput } from './rule.ts'

/** Captions may move with their images. */
const MOVABLE_TAGS = ['figcaption', 'caption']
const MIN_MOVED_SHARE = 0.08

/** Reports text and images that are in another order than in our HTML. */
export function detectReordered({ snapshot }: RuleInput): RuleHit | null {
  const known = snapshot.blocks.filter(
    ({ order, copies, expectedCopies, text, tag }) =>
      order !== null &&
      copies <= 1 &&
      expectedCopies <= 1 &&
      (isLong(text, 13) || isHeading(tag)) &&
      !MOVABLE_TAGS.includes(tag)
  )
  if (known.length < 3) return null
  const inOrder = longestIncreasingRun(known.map(({ order }) => order!))
  const movedInDocument = known.filter((_, at) => !inOrder.has(at))
  const movedInColumn = movedInDocument.length > 0 ? movedInDocument : getVisuallyMovedBlocks(known)
  const moved = movedInColumn.length > 0 ? movedInColumn : getMovedCells(snapshot)
  const swapped = getSwappedImages(snapshot)
  const images = swapped.length > 0 ? swapped : getMovedImages(snapshot)
  if (moved.length === 0 && images.length > 0) {
    return {
      extent: images.length / snapshot.expectedImages.length,
      places: images.map(({ selector, box }) => ({ place: { selector, box } })),
      evidence: { images: images.map(({ src }) => src.slice(0, 300)).slice(0, 5) }
    }
  }
  const share = moved.length / known.length
  if (moved.length === 0 || (share <= MIN_MOVED_SHARE && !moved.some(({ text, tag }) => isLong(text) || isCell(tag)))) {
    return null
  }
  return {
    extent: share,
    places: getBlockPlaces(moved),
    evidence: { moved: moved.length, of: known.length, text: moved[0]!.text.slice(0, 120) }
  }
}

/** A heading has its place, however short it is. */
const isHeading = (tag: string): boolean => /^h[1-6]$/.test(tag)

const isCell = (tag: string | null): boolean => tag === 'td' || tag === 'th'
/** A number may be in several cells, and match the wrong one. */
const MIN_MOVED_CELLS = 2

/** Cells of a table that are in another order. Their texts are short, but their places have a meaning. */
function getMovedCells({ blocks }: ViewportSnapshot): BlockSnapshot[] {
  const cells = blocks.filter(
    ({ tag, actualTag, order, copies, expectedCopies }) =>
      isCell(tag) && isCell(actualTag) && order !== null && copies <= 1 && expectedCopies <= 1
  )
  const inOrder = longestIncreasingRun(cells.map(({ order }) => order!))
  const moved = cells.filter((_, at) => !inOrder.has(at))
  return moved.length >= MIN_MOVED_CELLS ? moved : []
}

const getBox = ({ place }: BlockSnapshot): Box => place!.box!
const overlapHorizontally = (one: Box, other: Box): boolean =>
  Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x) > 0.5 * Math.min(one.width, other.width)

/** Cells stand side by side, and captions go with their images. */
const SIDE_BY_SIDE_TAGS = ['td', 'th', 'figcaption', 'caption']
const isAbove = (one: BlockSnapshot, other: BlockSnapshot): boolean =>
  getBox(one).y + getBox(one).height <= getBox(other).y

/**
 * Blocks that CSS shows above or below their place in the document, such as by `order` or a
 * reversed flex column. Empty if the text has several columns.
 */
function getVisuallyMovedBlocks(blocks: readonly BlockSnapshot[]): BlockSnapshot[] {
  const column = blocks.filter(
    (block) =>
      block.place?.box != null &&
      !SIDE_BY_SIDE_TAGS.includes(block.tag) &&
      getHiddenReason(block) === null &&
      block.visibility?.rotation === 0
  )
  if (column.length < 3 || hasColumns(column)) return []
  // Of blocks at the same height, the first in the document comes first.
  const inOrder = longestIncreasingRun(column.map((block, at) => getBox(block).y + at / 1000))
  return column.filter(
    (block, at) =>
      !inOrder.has(at) &&
      column.some((other, otherAt) => (otherAt < at ? isAbove(block, other) : isAbove(other, block) && otherAt > at))
  )
}

/**
 * Whether blocks stand in several columns. Only texts of several lines are as wide as their column: a short heading
 * and an item deep in a list may share no width in the same one.
 */
function hasColumns(blocks: readonly BlockSnapshot[]): boolean {
  const filled = blocks.filter(({ typography }) => (typography?.lines ?? 1) > 1)
  return (
    filled.some((one) => filled.some((other) => !overlapHorizontally(getBox(one), getBox(other)))) ||
    blocks.some((one) => blocks.some((other) => isBeside(getBox(one), getBox(other))))
  )
}

const isBeside = (one: Box, other: Box): boolean =>
  Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y) >
    0.5 * Math.min(one.height, other.height) &&
  (one.x + one.width <= other.x || other.x + other.width <= one.x)

/** Images of ours between the blocks that are not in the order of our HTML. */
function getSwappedImages({ images }: ViewportSnapshot): ImageSnapshot[] {
  const ours = images.filter(({ index, betweenBlocks, rendered }) => index !== null && betweenBlocks && rendered)
  const inOrder = longestIncreasingRun(ours.map(({ index }) => index!))
  return ours.filter((_, at) => !inOrder.has(at))
}

/** An image may move by a heading or a caption, but not away from what it belongs to. */
const MAX_PASSED_BLOCKS = 2

/** Images of ours that are after other paragraphs than in our HTML. A template may show one above the article. */
function getMovedImages({ images, blocks, expectedImages }: ViewportSnapshot): ImageSnapshot[] {
  // Positions count the blocks that are in the page.
  const present = blocks.filter(({ place }) => place !== null)
  return images.filter(({ index, blocksBefore, inArticle, rendered }) => {
    const expected = index === null ? undefined : expectedImages[index]?.blocksBefore
    if (expected === undefined || blocksBefore === undefined || !inArticle || !rendered || blocksBefore === 0) {
      return false
    }
    const passed = present
      .slice(Math.min(expected, blocksBefore), Math.max(expected, blocksBefore))
      .filter(({ text, tag }) => !MOVABLE_TAGS.includes(tag) && isLong(text))
    return passed.length > MAX_PASSED_BLOCKS
  })
}
