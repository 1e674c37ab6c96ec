import type { CDPSession, Page } from 'playwright'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { BlockSnapshot, ImageAppearance, ImageSnapshot } from '../../port/page-snapshot.ts'
import { displacementOf, type InkMask } from './ink-comparison.ts'
import type { IsolatedWorld } from './isolated-world.ts'
import { comparePictures } from './picture-comparison.ts'
import { capture, type Capture, type Clip, clipAround, differenceMask, drawingMask } from './reference-captures.ts'
import type { PictureArea } from './page/reference-pictures.ts'
import { findInvisibleWords } from './invisible-words.ts'
import { findUncertainBlocks } from './reference-preview.ts'
import { areaOf, type BlockResult, compareBlock, type ComparedWord, sameBlock } from './word-comparison.ts'

/** For the captures and the comparison of a viewport together. The remaining blocks are not compared. */
const TIMEOUT_MS = 20_000
/** For the comparison of pixels, which keeps this process busy. */
const COMPARISON_MS = 4_000
/** Of a capture. The article of an ordinary page has 2 to 4 million. */
const MAX_PIXELS = 8_000_000
/** Chromium cannot paint larger surfaces. */
const MAX_HEIGHT_PX = 16_000
const MAX_WORDS = 8_000
const MAX_BLOCKS = 600
const MEASUREMENT_MS = 600
/** Elements in viewport units grow with the viewport. */
const MAX_RESIZES = 2
/** A site that changes pictures changes all of them. */
export const MAX_PICTURES = 6
/** Of a picture. Those of which less is visible have another finding. */
const MIN_VISIBLE_SHARE = 0.3
/** Words of a block whose displacement is measured. */
const MAX_SAMPLES = 6

interface Target {
  page: Page
  cdp: CDPSession
  world: IsolatedWorld
}

/** A rendering of a block as it should look, to show beside a screenshot of the page. */
export interface ReferenceCrop {
  block: number
  png: Buffer
  width: number
  height: number
}

export interface ReferenceOptions {
  /** Blocks that look different are returned as images, up to this number. */
  maxCrops: number
  /** When the comparison ends at the latest (`performance.now()`), whatever it has compared by then. */
  untilMs: number
}

/**
 * Compares the blog's blocks in the page with a reference rendering: the blog's words, drawn with the
 * page's own fonts at the places where the page shows them. So nothing that a site chooses freely is a
 * difference, but whatever adds, removes, moves, blurs, turns or covers glyphs. Must be the last
 * measurement of a page. If the comparison fails, blocks have no appearance; that is no error of the check.
 */
export async function compareWithReference(
  { blocks, images }: { blocks: BlockSnapshot[]; images: ImageSnapshot[] },
  target: Target,
  { maxCrops, untilMs }: ReferenceOptions
): Promise<{ blocks: BlockSnapshot[]; images: ImageSnapshot[]; crops: ReferenceCrop[] }> {
  const limitMs = Math.max(0, Math.min(TIMEOUT_MS, untilMs - performance.now()))
  const found: Found = { appearances: new Map(), pictures: new Map(), crops: [] }
  const pictures = images.filter(isComparable).slice(0, MAX_PICTURES)
  const compared = compare(target, {
    pictures,
    maxCrops,
    untilMs: performance.now() + limitMs,
    found
  })
  // The page navigates or closes. What was compared before is right.
  const ended = compared.catch(() => {})
  await Promise.race([ended, wait(limitMs, undefined, { ref: false })])
  return {
    blocks: blocks.map((block) => {
      const appearance = found.appearances.get(block.index)
      if (appearance === undefined) return block
      const { characters, ...rest } = appearance
      const length = block.text.replace(/\s/g, '').length || 1
      const comparedShare = Math.min(1, Math.round((characters / length) * 1000) / 1000)
      return { ...block, appearance: { ...rest, comparedShare } }
    }),
    images: images.map((image) => {
      const appearance = found.pictures.get(image)
      return appearance === undefined ? image : { ...image, appearance }
    }),
    crops: [...found.crops]
  }
}

/** Whether a picture is the blog's and visible. Animated ones may show another frame. */
const isComparable = ({ index, rendered, visibleShare, naturalWidth, src }: ImageSnapshot): boolean =>
  index !== null &&
  rendered &&
  visibleShare > MIN_VISIBLE_SHARE &&
  naturalWidth > 2 &&
  !/\.gif(?:[?#]|$)|^data:image\/gif/i.test(src)

/** What a comparison has found so far. */
interface Found {
  appearances: Map<number, BlockResult>
  pictures: Map<ImageSnapshot, ImageAppearance>
  crops: ReferenceCrop[]
}

/**
 * Looks at the page with glyphs in one color first. Only if a block differs there from its drawing, or
 * its background is not even, it is captured with glyphs in another color: the difference of both shows
 * exactly which share of each pixel glyphs cover.
 */
async function compare(
  { page, cdp, world }: Target,
  { pictures, maxCrops, untilMs, found }: ReferenceOptions & { pictures: readonly ImageSnapshot[]; found: Found }
): Promise<void> {
  const { appearances, crops } = found
  const size = page.viewportSize()
  if (size === null) return
  // One capture of a high viewport is faster than one of each screen, and shows no layer twice.
  const maxHeight = Math.min(MAX_HEIGHT_PX, Math.floor(MAX_PIXELS / size.width))
  for (let { height } = size, attempt = 1; attempt <= MAX_RESIZES; attempt++) {
    const needed = Math.min(maxHeight, await world.run<number>('document.documentElement.scrollHeight'))
    if (needed <= height) break
    height = needed
    await page.setViewportSize({ width: size.width, height })
  }
  const { words, width, scale } = await world.call('measureWords', {
    maxWords: MAX_WORDS,
    maxBlocks: MAX_BLOCKS,
    maxHeight,
    timeoutMs: MEASUREMENT_MS
  })
  // A page without a mobile layout is painted smaller than it is laid out.
  if (words.length === 0 || width !== size.width || scale !== 1) return
  const clip = clipAround(words, width)
  const light = words.filter((word) => word.light).map((word) => areaOf(word, clip))
  const channels = words.some(({ gradient }) => gradient) ? 3 : 1
  const own = await capture(cdp, clip, channels)
  const drawn = await world.call('drawReference', words)
  const areas = await drawPictures(world, { pictures, words })
  let reference = await capture(cdp, clip)
  for (const [image, appearance] of await comparePictures(own, reference, areas)) found.pictures.set(image, appearance)
  let drawing = drawingMask(reference, light)
  const invisible = await findInvisibleWords(words, { page: own, drawing })
  const blocks = Map.groupBy(
    words.map((word, index): ComparedWord => ({ ...word, ...drawn[index]!, invisible: invisible.has(index) })),
    ({ block }) => block
  )
  const uncertain = findUncertainBlocks(blocks, { page: own, drawing })
  const add = (block: number, result: BlockResult | null): void => {
    if (result !== null) appearances.set(block, result)
  }
  for (const [block, all] of blocks) if (!uncertain.has(block)) add(block, sameBlock(all))
  if (uncertain.size === 0 || performance.now() > untilMs) return
  await world.call('showReference', false)
  await world.call('setInk', 'opposite')
  const glyphs = differenceMask(own, await capture(cdp, clip, channels))
  // Pictures and fonts that arrive during the captures may have moved something.
  const movedNow = await world.call('findMovedWords', words)
  const inDoubt = Map.groupBy(
    words
      .map(
        (word, index): ComparedWord => ({
          ...word,
          ...{ ...drawn[index]!, moved: movedNow[index]!, invisible: invisible.has(index) }
        })
      )
      .filter(({ block }) => uncertain.has(block)),
    ({ block }) => block
  )
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
    add(block, compareBlock(all, { clip, page: glyphs, drawing }, moved.has(block)))
  }
  crops.push(...(await cropDifferent(reference, { appearances, blocks, maxCrops })))
}

/** Draws the pictures and returns where. */
async function drawPictures(
  world: IsolatedWorld,
  { pictures, words }: { pictures: readonly ImageSnapshot[]; words: Parameters<typeof clipAround>[0] }
): Promise<[ImageSnapshot, NonNullable<PictureArea>][]> {
  if (pictures.length === 0) return []
  const areas = await world.call(
    'drawPictures',
    pictures.map(({ selector }) => selector),
    words.map(({ x, y, width, height }) => ({ x, y, width, height }))
  )
  return pictures.flatMap((image, at): [ImageSnapshot, NonNullable<PictureArea>][] => {
    const area = areas[at]
    return area === null || area === undefined ? [] : [[image, area]]
  })
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
