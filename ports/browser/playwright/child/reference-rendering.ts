import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { ImageSnapshot } from '../../port/media-snapshot.ts'
import type { BlockSnapshot } from '../../port/page-snapshot.ts'
import {
  addResult,
  type Found,
  type ReferenceCrop,
  type ReferenceOptions,
  takeCloseLook,
  type Target
} from './close-look.ts'
import { takeFirstLook } from './first-look.ts'
import type { IsolatedWorld } from './isolated-world.ts'
import type { DrawnWord } from './page/reference-drawing.ts'
import type { PictureArea } from './page/reference-pictures.ts'
import { clipAround, evenClip, HALF, readPicture, takePicture } from './reference-captures.ts'
import { showWholePage } from './tall-viewport.ts'
import { sameBlock } from './word-comparison.ts'

/** For the captures and the comparison of a viewport together. The remaining blocks are not compared. */
const TIMEOUT_MS = 20_000
/** Of a capture. The article of an ordinary page has 2 to 4 million. */
const MAX_PIXELS = 8_000_000
/** Chromium cannot paint larger surfaces. */
const MAX_HEIGHT_PX = 16_000
const MAX_WORDS = 8_000
const MAX_BLOCKS = 600
const MEASUREMENT_MS = 600
/** A site that changes pictures changes all of them. */
export const MAX_PICTURES = 6
/** Of a picture. Those of which less is visible have another finding. */
const MIN_VISIBLE_SHARE = 0.3

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

/**
 * Compares captures at half the size first. Only what differs there, or has no even background, is looked at in full
 * resolution.
 */
async function compare(
  target: Target,
  { pictures, maxCrops, untilMs, found }: ReferenceOptions & { pictures: readonly ImageSnapshot[]; found: Found }
): Promise<void> {
  const { cdp, world, viewport } = target
  const maxHeight = Math.min(MAX_HEIGHT_PX, Math.floor(MAX_PIXELS / viewport.width))
  await showWholePage(target, maxHeight)
  const { words, width, scale } = await world.call('measureWords', {
    maxWords: MAX_WORDS,
    maxBlocks: MAX_BLOCKS,
    maxHeight,
    timeoutMs: MEASUREMENT_MS
  })
  // A page without a mobile layout is painted smaller than it is laid out.
  if (words.length === 0 || width !== viewport.width || scale !== 1) return
  const clip = evenClip(clipAround(words, width))
  const picture = await takePicture(cdp, clip, HALF)
  // The pixels are read while the browser draws the reference.
  const [own, { drawn, areas }] = await Promise.all([readPicture(picture), draw(world, pictures)])
  const reference = await readPicture(await takePicture(cdp, clip, HALF))
  const first = await takeFirstLook({ page: own, drawing: reference, words, drawn, pictures: areas })
  for (const [block, all] of first.blocks) if (!first.uncertain.has(block)) addResult(found, block, sameBlock(all))
  for (const [image, appearance] of first.pictures) found.pictures.set(image, appearance)
  const { uncertain, open } = first
  if ((uncertain.size === 0 && open.length === 0) || performance.now() > untilMs) return
  await takeCloseLook(target, { words, drawn, uncertain, pictures: open, width }, { maxCrops, untilMs, found })
}

/** Draws the words, and the pictures above them. */
async function draw(
  world: IsolatedWorld,
  pictures: readonly ImageSnapshot[]
): Promise<{ drawn: DrawnWord[]; areas: [ImageSnapshot, NonNullable<PictureArea>][] }> {
  const drawn = await world.call('drawReference')
  return { drawn, areas: await drawPictures(world, pictures) }
}

/** Draws the pictures and returns where. */
async function drawPictures(
  world: IsolatedWorld,
  pictures: readonly ImageSnapshot[]
): Promise<[ImageSnapshot, NonNullable<PictureArea>][]> {
  if (pictures.length === 0) return []
  const areas = await world.call(
    'drawPictures',
    pictures.map(({ selector }) => selector)
  )
  return pictures.flatMap((image, at): [ImageSnapshot, NonNullable<PictureArea>][] => {
    const area = areas[at]
    return area === null || area === undefined ? [] : [[image, area]]
  })
}
