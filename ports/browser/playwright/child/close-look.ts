import type { CDPSession } from 'playwright'
import type { ImageAppearance, ImageSnapshot } from '../../port/media-snapshot.ts'
import type { Look } from './first-look.ts'
import { displacementOf, type InkMask } from './ink-comparison.ts'
import { findInvisibleWords } from './invisible-words.ts'
import type { IsolatedWorld } from './isolated-world.ts'
import { comparePictures } from './picture-comparison.ts'
import { capture, type Capture, type Clip, clipAround, differenceMask, drawingMask } from './reference-captures.ts'
import type { EmulatedViewport } from './tall-viewport.ts'
import { findUncertainBlocks } from './reference-preview.ts'
import { areaOf, type BlockResult, compareBlock, type ComparedWord, sameBlock } from './word-comparison.ts'

/** For the comparison of pixels, which keeps this process busy. */
const COMPARISON_MS = 4_000
/** Words of a block whose displacement is measured. */
const MAX_SAMPLES = 6

export interface Target {
  cdp: CDPSession
  world: IsolatedWorld
  viewport: EmulatedViewport
}

/** A rendering of a block as it should look, to show beside a screenshot of the page. */
export interface ReferenceCrop {
  block: number
  png: Buffer
  width: number
  height: number
}

/** What a comparison has found so far. */
export interface Found {
  appearances: Map<number, BlockResult>
  pictures: Map<ImageSnapshot, ImageAppearance>
  crops: ReferenceCrop[]
}

export interface ReferenceOptions {
  /** Blocks that look different are returned as images, up to this number. */
  maxCrops: number
  /** When the comparison ends at the latest (`performance.now()`), whatever it has compared by then. */
  untilMs: number
}

/** Sets the result of a block, if its words were compared. */
export const addResult = ({ appearances }: Found, block: number, result: BlockResult | null): void => {
  if (result !== null) appearances.set(block, result)
}

/**
 * Looks at some blocks and pictures in full resolution: with glyphs in one color first, and only if a block differs
 * there from its drawing, or its background is not even, with glyphs in another color: the difference of both shows
 * exactly which share of each pixel glyphs cover.
 */
export async function takeCloseLook(
  { cdp, world }: Target,
  {
    words,
    drawn,
    uncertain,
    pictures,
    width
  }: Pick<Look, 'words' | 'drawn' | 'pictures'> & { uncertain: Set<number>; width: number },
  { maxCrops, untilMs, found }: ReferenceOptions & { found: Found }
): Promise<void> {
  const { appearances, crops } = found
  const looked = words.filter(({ block }) => uncertain.has(block))
  const clip = clipAround([...looked, ...pictures.map(([, area]) => area)], width)
  const light = looked.filter((word) => word.light).map((word) => areaOf(word, clip))
  const channels = looked.some(({ gradient }) => gradient) ? 3 : 1
  let reference = await capture(cdp, clip)
  await world.call('showReference', false)
  const own = await capture(cdp, clip, channels)
  for (const [image, appearance] of await comparePictures(own, reference, pictures)) {
    found.pictures.set(image, appearance)
  }
  let drawing = drawingMask(reference, light)
  const invisible = await findInvisibleWords(looked, { page: own, drawing })
  const toBlocks = (movedNow?: readonly boolean[]): Map<number, ComparedWord[]> => {
    const compared = words.flatMap((word, index): ComparedWord[] =>
      uncertain.has(word.block)
        ? [{ ...word, ...drawn[index]!, ...(movedNow && { moved: movedNow[index]! }), invisible: invisible.has(word) }]
        : []
    )
    return Map.groupBy(compared, ({ block }) => block)
  }
  const blocks = toBlocks()
  const unlike = findUncertainBlocks(blocks, { page: own, drawing })
  for (const [block, all] of blocks) if (!unlike.has(block)) addResult(found, block, sameBlock(all))
  if (unlike.size === 0 || performance.now() > untilMs) return
  await world.call('setInk', 'opposite')
  const glyphs = differenceMask(own, await capture(cdp, clip, channels))
  // Pictures and fonts that arrive during the captures may have moved something.
  const inDoubt = new Map([...toBlocks(await world.call('findMovedWords'))].filter(([block]) => unlike.has(block)))
  const moves = findDisplacements(inDoubt, { clip, page: glyphs, drawing })
  if (moves.length > 0) {
    await world.call('showReference', true)
    await world.call('moveReference', moves)
    reference = await capture(cdp, clip)
    drawing = drawingMask(reference, light)
  }
  const moved = new Set(moves.map(({ block }) => block))
  const stopMs = Math.min(untilMs, performance.now() + COMPARISON_MS)
  for (const [block, all] of inDoubt) {
    if (performance.now() > stopMs) return
    addResult(found, block, compareBlock(all, { clip, page: glyphs, drawing }, moved.has(block)))
  }
  crops.push(...(await cropDifferent(reference, { appearances, blocks, maxCrops })))
}

/**
 * The displacement of each block whose words are all displaced alike. Chromium aligns some elements
 * with whole pixels, whose boxes are between them.
 */
function findDisplacements(
  blocks: ReadonlyMap<number, readonly ComparedWord[]>,
  { clip, page, drawing }: { clip: Clip; page: InkMask; drawing: InkMask }
): { block: number; dx: number; dy: number }[] {
  return [...blocks].flatMap(([block, all]) => {
    const own = all.slice(0, MAX_SAMPLES)
    const found = own.flatMap((word) => displacementOf(page, drawing, areaOf(word, clip)) ?? [])
    if (found.length < own.length / 2) return []
    const [dx, dy] = [median(found.map((one) => one.dx)), median(found.map((one) => one.dy))]
    const alike = found.filter((one) => Math.abs(one.dx - dx) < 0.2 && Math.abs(one.dy - dy) < 0.3)
    const isMoved = Math.abs(dx) > 0.1 || Math.abs(dy) > 0.4
    return isMoved && alike.length >= found.length / 2 && Math.abs(dx) < 2 && Math.abs(dy) < 2
      ? [{ block, dx, dy: Math.round(dy) }]
      : []
  })
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** The drawings of the blocks that look different, those with the most text first. */
async function cropDifferent(
  reference: Capture,
  {
    appearances,
    blocks,
    maxCrops
  }: { appearances: Found['appearances']; blocks: ReadonlyMap<number, readonly ComparedWord[]>; maxCrops: number }
): Promise<ReferenceCrop[]> {
  const different = [...appearances]
    .filter(([, { differentShare }]) => differentShare > 0)
    .sort(([, one], [, other]) => other.characters - one.characters)
    .slice(0, maxCrops)
  const { clip } = reference
  return await Promise.all(
    different.map(async ([block]) => {
      const area = clipAround(blocks.get(block)!, clip.x + clip.width)
      return { block, ...(await cropDrawing(reference, area)) }
    })
  )
}

/** A part of a drawing as a PNG. */
async function cropDrawing(
  { clip, pixels }: Capture,
  area: Clip
): Promise<Pick<ReferenceCrop, 'png' | 'width' | 'height'>> {
  const { default: sharp } = await import('sharp')
  const { width, height } = clip
  const [left, top] = [area.x - clip.x, area.y - clip.y]
  const { data, info } = await sharp(pixels, { raw: { width, height, channels: 1 } })
    .extract({ left, top, width: Math.min(area.width, width - left), height: Math.min(area.height, height - top) })
    .png()
    .toBuffer({ resolveWithObject: true })
  return { png: data, width: info.width, height: info.height }
}
