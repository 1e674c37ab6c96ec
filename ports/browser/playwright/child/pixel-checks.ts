import type { CDPSession } from 'playwright'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { BlockSnapshot } from '../../port/page-snapshot.ts'
import { backgroundUnder, contrastOn, measureGlyphs } from './glyph-pixels.ts'
import type { GlyphMeasurement, PixelLine, ScreenshotPair } from './glyph-pixels.ts'
import type { IsolatedWorld } from './isolated-world.ts'
import type { Color } from './page/colors.ts'
import type { PixelCheck } from './page/pixel-checks.ts'

/** For all screens together. The remaining blocks are not measured. */
const TIMEOUT_MS = 3_000
/** For the step that is being done at the end of this time, and for restoring the page. */
const ENDING_MS = 5_000
/**
 * The positions of the screens, between the first and the last block to check. In this order they
 * are spread over all blocks, whenever the time is over.
 */
const SCREENS = [0, 1, 0.5, 0.25, 0.75, 0.125, 0.625, 0.375, 0.875]
/** Blocks below this are not checked. */
const MAX_TOP_PX = 12_000
/** The share of a block's lines that must be visible. With less, another screen shows the block. */
const MIN_VISIBLE_SHARE = 0.6

/** Before text that seems not to be painted is captured again. */
const REPEAT_AFTER_MS = 100
/** Of a captured screen. The larger viewport has 1.2 million. */
const MAX_PIXELS = 20_000_000

/** A check with the top of its block in the document. */
type PositionedCheck = PixelCheck & { top: number }
interface Target {
  cdp: CDPSession
  world: IsolatedWorld
}

/**
 * Measures in screenshots what computed styles do not determine. Each screen with blocks to check is
 * captured without glyphs, and also with glyphs if it is uncertain whether they are painted. Returns
 * the blocks with `visibility.paintedShare` and `visibility.contrast` set where measured, and with
 * `visibility.unmeasured` elsewhere. Failures leave blocks unmeasured; they are no errors of the check.
 *
 * `untilMs`: when it ends at the latest (`performance.now()`).
 * `isRestored`: whether the page is as it was before. If not, its glyphs may be hidden, or become hidden at any time:
 * it must not be measured further.
 */
export async function measurePixels(
  blocks: BlockSnapshot[],
  checks: PixelCheck[],
  { untilMs, ...target }: Target & { untilMs: number }
): Promise<{ blocks: BlockSnapshot[]; isRestored: boolean }> {
  const results = new Map<number, GlyphMeasurement>()
  const reachable = checks.filter(({ index }) => topOf(blocks[index]) < MAX_TOP_PX)
  const isRestored = reachable.length === 0 || (await measureReachable(blocks, reachable, { results, untilMs, target }))
  return { blocks: applyResults(blocks, checks, results), isRestored }
}

interface Measuring {
  /** Gets the result of each block. */
  results: Map<number, GlyphMeasurement>
  untilMs: number
  target: Target
}

/** Resolves to whether the page is as it was before. */
async function measureReachable(
  blocks: readonly BlockSnapshot[],
  reachable: readonly PixelCheck[],
  { results, untilMs, target }: Measuring
): Promise<boolean> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const positioned = reachable.map((check) => ({ ...check, top: topOf(blocks[check.index]) }))
  const restored = measureScreens(positioned, { results, timeout }, target)
    // If the time is over, or the page navigates or closes, the rest remains unmeasured.
    .catch(() => {})
    .then(async () => await target.world.call('finishPixelChecks'))
    .then(
      () => true,
      () => false
    )
  const limitMs = Math.max(0, Math.min(TIMEOUT_MS + ENDING_MS, untilMs - performance.now()))
  return await Promise.race([restored, wait(limitMs, false, { ref: false })])
}

/** The blocks with what was measured of them. */
function applyResults(
  blocks: readonly BlockSnapshot[],
  checks: readonly PixelCheck[],
  results: ReadonlyMap<number, GlyphMeasurement>
): BlockSnapshot[] {
  const byIndex = new Map(checks.map((check) => [check.index, check]))
  return blocks.map((block) => {
    const [check, result] = [byIndex.get(block.index), results.get(block.index)]
    if (check === undefined || block.visibility === null) return block
    if (result === undefined) return { ...block, visibility: { ...block.visibility, unmeasured: true } }
    const contrast = check.background ? (result.contrast ?? block.visibility.contrast) : block.visibility.contrast
    const paintedShare = check.painting ? result.paintedShare : null
    return { ...block, visibility: { ...block.visibility, contrast, paintedShare } }
  })
}

const topOf = (block: BlockSnapshot | undefined): number => block?.place?.box?.y ?? Infinity

/**
 * Measures screens until all blocks are measured. Throws when the time is over instead of beginning another step, which
 * would change the page during the measurements that follow. A repeated background texture is captured once. Blocks
 * between blocks that are not painted are not captured.
 */
async function measureScreens(
  all: PositionedCheck[],
  { results, timeout }: { results: Map<number, GlyphMeasurement>; timeout: AbortSignal },
  target: Target
): Promise<void> {
  let waiting = all
  const textures = new Map<string, Color[]>()
  const tops = all.map(({ top }) => top)
  const [first, last] = [Math.min(...tops), Math.max(...tops)]
  for (const part of SCREENS) {
    if (waiting.length === 0) break
    timeout.throwIfAborted()
    const distance = ({ top }: PositionedCheck): number => Math.abs(top - first - part * (last - first))
    const anchor = waiting.reduce((nearest, one) => (distance(one) < distance(nearest) ? one : nearest))
    const { width, inView } = await target.world.call('revealGlyphLines', {
      anchor: anchor.index,
      wanted: waiting.map(({ index }) => index)
    })
    const visible = inView
      .filter(({ index, share }) => share >= MIN_VISIBLE_SHARE || index === anchor.index)
      .map(({ index, lines }) => ({ lines, check: waiting.find((check) => check.index === index)! }))
    if (visible.length > 0) {
      for (const [check, result] of await measureScreen(visible, { width, textures, timeout }, target)) {
        results.set(check.index, result)
      }
    }
    for (const check of waiting.filter(({ index }) => !results.has(index))) {
      const { index, texture, painting, background, color } = check
      const known = texture === null || painting ? undefined : textures.get(texture)
      if (known !== undefined) results.set(index, { paintedShare: null, contrast: contrastOn(known, color) })
      else if (painting && !background && isBetweenUnpainted(check, all, results)) {
        results.set(index, { paintedShare: 0, contrast: null })
      }
    }
    waiting = waiting.filter(({ index }) => !results.has(index) && index !== anchor.index)
  }
}

type VisibleCheck = { check: PositionedCheck; lines: PixelLine[] }

/** The measurement of each visible block. Text that seems not to be painted is captured again. */
async function measureScreen(
  visible: readonly VisibleCheck[],
  { width, textures, timeout }: { width: number; textures: Map<string, Color[]>; timeout: AbortSignal },
  target: Target
): Promise<Map<PositionedCheck, GlyphMeasurement>> {
  const withGlyphs = visible.some(({ check }) => check.painting)
  const measure = async (some: readonly VisibleCheck[]): Promise<Map<PositionedCheck, GlyphMeasurement>> => {
    const pair = await capturePair(target, { withGlyphs, timeout })
    return measureLines(some, pair, { textures, scale: pair.width / width })
  }
  const found = await measure(visible)
  const unpainted = visible.filter(({ check }) => (found.get(check)!.paintedShare ?? 1) < 1)
  if (unpainted.length === 0) return found
  // On a busy machine, a frame may be captured before its text is drawn. Text that is drawn later is painted.
  await wait(REPEAT_AFTER_MS)
  for (const [check, again] of await measure(unpainted)) {
    found.set(check, { ...again, paintedShare: mostOf(found.get(check)!, again) })
  }
  return found
}

/** The measurement of each block in captures. Stores the background of each new texture. */
function measureLines(
  visible: readonly VisibleCheck[],
  pair: ScreenshotPair,
  { textures, scale }: { textures: Map<string, Color[]>; scale: number }
): Map<PositionedCheck, GlyphMeasurement> {
  const found = new Map<PositionedCheck, GlyphMeasurement>()
  for (const { check, lines } of visible) {
    const pixelLines = lines.map((line) => scaled(line, scale))
    found.set(check, measureGlyphs(pair, pixelLines))
    if (check.texture !== null && !textures.has(check.texture)) {
      textures.set(check.texture, backgroundUnder(pair, pixelLines))
    }
  }
  return found
}

/** The larger share of two measurements. Null if the second one has none. */
const mostOf = (first: GlyphMeasurement, { paintedShare }: GlyphMeasurement): number | null =>
  paintedShare === null ? null : Math.max(first.paintedShare ?? 0, paintedShare)

/** Whether the nearest measured blocks above and below are not painted. Masks do not alternate. */
function isBetweenUnpainted(
  { top }: PositionedCheck,
  all: readonly PositionedCheck[],
  results: ReadonlyMap<number, GlyphMeasurement>
): boolean {
  const measured = all
    .filter(({ index, painting }) => painting && results.has(index))
    .toSorted((one, other) => one.top - other.top)
  const neighbors = [measured.findLast((one) => one.top <= top), measured.find((one) => one.top >= top)]
  return neighbors.every((one) => one !== undefined && results.get(one.index)!.paintedShare === 0)
}

/** A page without a viewport meta element is painted smaller than its layout. */
const scaled = ({ x, y, width, height, color }: PixelLine, by: number): PixelLine => ({
  x: x * by,
  y: y * by,
  width: width * by,
  height: height * by,
  color
})

/** Captures the viewport without glyphs, and before it as it is if `withGlyphs` is set. */
async function capturePair(
  { cdp, world }: Target,
  { withGlyphs, timeout }: { withGlyphs: boolean; timeout: AbortSignal }
): Promise<ScreenshotPair> {
  timeout.throwIfAborted()
  if (withGlyphs) await world.call('setGlyphsVisible', true)
  const painted = withGlyphs ? await capture(cdp) : null
  timeout.throwIfAborted()
  await world.call('setGlyphsVisible', false)
  const bare = await capture(cdp)
  if (painted !== null && (painted.width !== bare.width || painted.data.length !== bare.data.length)) {
    throw new Error('The viewport has changed between two screenshots')
  }
  return { width: bare.width, painted: painted?.data ?? null, bare: bare.data }
}

async function capture(cdp: CDPSession): Promise<{ width: number; data: Buffer }> {
  const { data } = await cdp.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true })
  const { default: sharp } = await import('sharp')
  const { data: pixels, info } = await sharp(Buffer.from(data, 'base64'), { limitInputPixels: MAX_PIXELS })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, data: pixels }
}
