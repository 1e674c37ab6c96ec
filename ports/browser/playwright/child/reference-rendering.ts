import type { CDPSession, Page } from 'playwright'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { Appearance, BlockSnapshot } from '../../port/page-snapshot.ts'
import { compareInk, displacementOf, type InkDifference, type InkMask } from './ink-comparison.ts'
import type { IsolatedWorld } from './isolated-world.ts'
import type { ShownWord } from './page/reference-words.ts'

/** For the captures and the comparison of a viewport together. */
const TIMEOUT_MS = 8_000
/** For the comparison of pixels. The remaining words are not compared. */
const COMPARISON_MS = 2_000
/** Of a capture. The article of an ordinary page has 2 to 4 million. */
const MAX_PIXELS = 8_000_000
/** Chromium cannot paint larger surfaces. */
const MAX_HEIGHT_PX = 16_000
const MAX_WORDS = 8_000
const MAX_BLOCKS = 600
const MEASUREMENT_MS = 600
/** Elements in viewport units grow with the viewport. */
const MAX_RESIZES = 2
/** Free space around the words in a capture. */
const MARGIN_PX = 4
/** A drawn word that is wider or narrower by more has other letters, or another font. */
const WIDTH_TOLERANCE_PX = 1.5
const WIDTH_TOLERANCE = 0.04
/** Words of a block whose displacement is measured. */
const MAX_SAMPLES = 6
/** A single word with such a difference has other letters, or lacks a part. */
const CLEAR = { ink: 0.15, correlation: 0.6 }
/** A word with less ink, in pixels, such as a dot, proves nothing by itself. */
const MIN_CLEAR_INK = 20
/** Smaller differences count if several words of a block have them. Faultless pages have up to 0.93. */
const SLIGHT = { ink: 0.1, correlation: 0.85 }
/** Of words that were moved or scaled to the place of those in the page. */
const MIN_MOVED_CORRELATION = 0.7
/** The share of a block above which slight differences count. */
const MIN_SLIGHT_SHARE = 0.06

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
}

/**
 * Compares the blog's blocks in the page with a reference rendering: the blog's words, drawn with the
 * page's own fonts at the places where the page shows them. So nothing that a site chooses freely is a
 * difference, but whatever adds, removes, moves, blurs, turns or covers glyphs. Must be the last
 * measurement of a page. If the comparison fails, blocks have no appearance; that is no error of the check.
 */
export async function compareWithReference(
  blocks: BlockSnapshot[],
  target: Target,
  options: ReferenceOptions
): Promise<{ blocks: BlockSnapshot[]; crops: ReferenceCrop[] }> {
  const untilMs = performance.now() + TIMEOUT_MS
  const compared = compare(target, untilMs, options).catch(() => null) // The page navigates or closes.
  const result = await Promise.race([compared, wait(TIMEOUT_MS, null, { ref: false })])
  if (result === null) return { blocks, crops: [] }
  return {
    blocks: blocks.map((block) => {
      const found = result.appearances.get(block.index)
      if (found === undefined) return block
      const { characters, ...appearance } = found
      const length = block.text.replace(/\s/g, '').length || 1
      return { ...block, appearance: { ...appearance, comparedShare: Math.min(1, round(characters / length)) } }
    }),
    crops: result.crops
  }
}

type BlockResult = Omit<Appearance, 'comparedShare'> & { characters: number }

async function compare(
  { page, cdp, world }: Target,
  untilMs: number,
  { maxCrops }: ReferenceOptions
): Promise<{ appearances: Map<number, BlockResult>; crops: ReferenceCrop[] } | null> {
  const size = page.viewportSize()
  if (size === null) return null
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
  if (words.length === 0 || width !== size.width || scale !== 1) return null
  const clip = clipAround(words, width)
  const black = await capture(cdp, clip)
  await world.call('setInk', '#fff')
  const white = await capture(cdp, clip)
  const drawn = await world.call('drawReference', words)
  const shown = toMask(clip, (at) => Math.abs(white[at]! - black[at]!))
  let reference = await capture(cdp, clip)
  const moves = findDisplacements(words, { clip, page: shown, reference: toReferenceMask(reference, clip) })
  const moved = new Set(moves.map(({ block }) => block))
  if (moves.length > 0 && performance.now() < untilMs) {
    await world.call('moveReference', moves)
    reference = await capture(cdp, clip)
  }
  if (performance.now() > untilMs) return null
  const masks = { page: shown, reference: toReferenceMask(reference, clip) }
  const appearances = compareWords({ words, drawn, moved, clip, ...masks })
  const different = [...appearances].filter(([, { differentShare }]) => differentShare > 0).slice(0, maxCrops)
  const crops = await Promise.all(
    different.map(async ([block]) => {
      const own = words.filter((word) => word.block === block)
      return { block, ...(await cropReference(reference, { clip, words: own })) }
    })
  )
  return { appearances, crops }
}

interface Clip {
  x: number
  y: number
  width: number
  height: number
}

/** The area of all words, in whole pixels. */
function clipAround(words: readonly ShownWord[], maxWidth: number): Clip {
  let [left, top, right, bottom] = [Infinity, Infinity, 0, 0]
  for (const { x, y, width, height } of words) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x + width)
    bottom = Math.max(bottom, y + height)
  }
  const [x, y] = [Math.max(0, Math.floor(left) - MARGIN_PX), Math.max(0, Math.floor(top) - MARGIN_PX)]
  return {
    x,
    y,
    width: Math.min(maxWidth, Math.ceil(right) + MARGIN_PX) - x,
    height: Math.ceil(bottom) + MARGIN_PX - y
  }
}

/** Captures an area of the viewport: the green channel of each pixel. */
async function capture(cdp: CDPSession, clip: Clip): Promise<Uint8Array> {
  const { data } = await cdp.send('Page.captureScreenshot', {
    format: 'png',
    optimizeForSpeed: true,
    clip: { ...clip, scale: 1 }
  })
  const { default: sharp } = await import('sharp')
  const { data: pixels, info } = await sharp(Buffer.from(data, 'base64'), { limitInputPixels: 2 * MAX_PIXELS })
    .removeAlpha()
    .extractChannel(1)
    .raw()
    .toBuffer({ resolveWithObject: true })
  if (info.width !== clip.width || info.height !== clip.height) throw new Error('The capture has another size')
  return pixels
}

function toMask({ width, height }: Clip, inkOf: (at: number) => number): InkMask {
  const ink = new Uint8Array(width * height)
  for (let at = 0; at < ink.length; at++) ink[at] = inkOf(at)
  return { width, height, ink }
}

const toReferenceMask = (pixels: Uint8Array, clip: Clip): InkMask => toMask(clip, (at) => 255 - pixels[at]!)

/**
 * The displacement of each block whose words are all displaced alike. Chromium aligns some elements
 * with whole pixels, whose boxes are between them.
 */
function findDisplacements(
  words: readonly ShownWord[],
  { clip, page, reference }: { clip: Clip; page: InkMask; reference: InkMask }
): { block: number; dx: number; dy: number }[] {
  return [...Map.groupBy(words, ({ block }) => block)].flatMap(([block, all]) => {
    const own = all.slice(0, MAX_SAMPLES)
    const found = own.flatMap((word) => displacementOf(page, reference, areaOf(word, clip)) ?? [])
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

interface Words {
  words: readonly ShownWord[]
  drawn: readonly { wider: number; moved: boolean }[]
  /** The blocks that were drawn again at another place. */
  moved: ReadonlySet<number>
  clip: Clip
  page: InkMask
  reference: InkMask
}

/** The appearance of each block whose words have not moved meanwhile. */
function compareWords({ words, drawn, moved, clip, page, reference }: Words): Map<number, BlockResult> {
  const untilMs = performance.now() + COMPARISON_MS
  const results = new Map<number, BlockResult>()
  const byBlock = Map.groupBy(
    words.map((word, index) => ({ ...word, ...drawn[index]! })),
    ({ block }) => block
  )
  for (const [index, own] of byBlock) {
    if (performance.now() > untilMs) break
    const measured = own.flatMap((word) => {
      if (word.moved) return []
      const difference = compareInk(page, reference, areaOf(word, clip))
      return difference === null ? [] : [{ word, difference: withWidth(difference, word) }]
    })
    if (measured.length > 0) results.set(index, summarize(measured, moved.has(index)))
  }
  return results
}

const areaOf = ({ x, y, width, height }: ShownWord, clip: Clip) => ({
  left: Math.floor(x - clip.x) - 1,
  right: Math.ceil(x + width - clip.x) + 1,
  top: Math.floor(y - clip.y),
  bottom: Math.ceil(y + height - clip.y)
})

/** Words of another width are different, however many of their pixels agree. */
function withWidth(difference: InkDifference, { wider, width }: ShownWord & { wider: number }): InkDifference {
  if (Math.abs(wider) <= Math.max(WIDTH_TOLERANCE_PX, width * WIDTH_TOLERANCE)) return difference
  const share = Math.min(1, Math.abs(wider) / width)
  return wider > 0
    ? { ...difference, missing: Math.max(difference.missing, share) }
    : { ...difference, extra: Math.max(difference.extra, share) }
}

function summarize(measured: readonly { word: ShownWord; difference: InkDifference }[], isMoved: boolean): BlockResult {
  const sum = (valueOf: (one: (typeof measured)[number]) => number): number =>
    measured.reduce((total, one) => total + valueOf(one), 0)
  const characters = sum(({ word }) => word.characters)
  const ink = sum(({ difference }) => difference.ink)
  const isClear = ({ extra, missing, correlation, ink: own }: InkDifference): boolean =>
    own >= MIN_CLEAR_INK && (Math.max(extra, missing) > CLEAR.ink || correlation < CLEAR.correlation)
  const isSlight = ({ extra, missing, correlation, isCrossed }: InkDifference): boolean =>
    Math.max(extra, missing) > SLIGHT.ink ||
    correlation < (isMoved ? MIN_MOVED_CORRELATION : SLIGHT.correlation) ||
    isCrossed
  const shareOf = (some: typeof measured): number =>
    some.reduce((total, { word }) => total + word.characters, 0) / characters
  const clear = measured.filter(({ difference }) => isClear(difference))
  const slight = measured.filter(({ difference }) => !isClear(difference) && isSlight(difference))
  const slightShare = slight.length > 1 ? shareOf(slight) : 0
  return {
    characters,
    differentShare: round(shareOf(clear) + (slightShare > MIN_SLIGHT_SHARE ? slightShare : 0)),
    extraInk: round(sum(({ difference }) => difference.extra * difference.ink) / ink),
    missingInk: round(sum(({ difference }) => difference.missing * difference.ink) / ink),
    correlation: round(sum(({ difference }) => difference.correlation * difference.ink) / ink)
  }
}

/** The reference of a block as a PNG, black on white. */
async function cropReference(
  pixels: Uint8Array,
  { clip, words }: { clip: Clip; words: readonly ShownWord[] }
): Promise<Omit<ReferenceCrop, 'block'>> {
  const own = clipAround(words, clip.x + clip.width)
  const { default: sharp } = await import('sharp')
  const { data, info } = await sharp(pixels, { raw: { width: clip.width, height: clip.height, channels: 1 } })
    .extract({
      left: own.x - clip.x,
      top: own.y - clip.y,
      width: own.width,
      height: Math.min(own.height, clip.height - (own.y - clip.y))
    })
    .png()
    .toBuffer({ resolveWithObject: true })
  return { png: data, width: info.width, height: info.height }
}

const round = (value: number): number => Math.round(value * 1000) / 1000
