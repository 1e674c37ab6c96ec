import type { BlockSnapshot, Box, ImageSnapshot, ViewportSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { hiddenBy } from './hidden-by.ts'
import { longestRun } from './longest-run.ts'

const boxOf = ({ place }: BlockSnapshot): Box => place!.box!
const isUnder = (one: Box, other: Box): boolean =>
  Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x) > 0.5 * Math.min(one.width, other.width)

/** In a table cells stand side by side, and a caption goes with its picture. */
const IN_ROWS = ['td', 'th', 'figcaption', 'caption']
const isWhollyAbove = (one: BlockSnapshot, other: BlockSnapshot): boolean =>
  boxOf(one).y + boxOf(one).height <= boxOf(other).y

/**
 * Blocks that stand above or below where their order in the text puts them, as by `order` or a
 * reversed column. None where the text runs in several columns.
 */
export function movedToTheEye(blocks: readonly BlockSnapshot[]): BlockSnapshot[] {
  const column = blocks.filter(
    (block) =>
      block.place?.box != null &&
      !IN_ROWS.includes(block.tag) &&
      hiddenBy(block) === null &&
      block.visibility?.rotation === 0
  )
  if (column.length < 3 || column.some((one) => column.some((other) => !isUnder(boxOf(one), boxOf(other))))) return []
  // Of what begins at one height the first comes first.
  const inOrder = longestRun(column.map((block, at) => boxOf(block).y + at / 1000))
  return column.filter(
    (block, at) =>
      !inOrder.has(at) &&
      column.some((other, before) =>
        before < at ? isWhollyAbove(block, other) : isWhollyAbove(other, block) && before > at
      )
  )
}

/** Our images among the text, where they do not follow each other as they do in our HTML. */
export function swappedImages({ images }: ViewportSnapshot): ImageSnapshot[] {
  const ours = images.filter(({ index, betweenBlocks, rendered }) => index !== null && betweenBlocks && rendered)
  const inOrder = longestRun(ours.map(({ index }) => index!))
  return ours.filter((_, at) => !inOrder.has(at))
}
