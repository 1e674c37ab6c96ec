import type { CDPSession } from 'playwright'
import { setTimeout as wait } from 'node:timers/promises'
import type { BlockSnapshot } from '../port/page-snapshot.ts'
import type { InPage } from './in-page.ts'
import { contrastOn, groundUnder, lookOf, type Line, type Look, type Shots } from './letters.ts'
import type { Color } from './page/colors.ts'
import type { Doubt } from './page/doubting.ts'

/** For all screens together; what is not measured by then stays unmeasured. */
const LONGEST_MS = 3_000
/**
 * Where the screens stand between the first and the last block in doubt: however soon the time is
 * over, they are spread over all.
 */
const SCREENS = [0, 1, 0.5, 0.25, 0.75, 0.125, 0.625, 0.375, 0.875]
/** What lies below is not looked at. */
const TALLEST_PX = 12_000
/** Of a block's lines; less of it in view is looked at again when it stands in the middle. */
const ENOUGH = 0.6

/** With the top of its block in the page. */
type Placed = Doubt & { top: number }
interface Sight {
  cdp: CDPSession
  inPage: InPage
}

/**
 * Measures in photographs what styles cannot tell of blocks: each screen that has some is
 * photographed without letters, as a reader sees it who has scrolled there, and with them where it
 * is in doubt whether they are drawn.
 * Returns the blocks with `visibility.ink` and `visibility.contrast` set where they were measured.
 * Nothing that fails here is an error of the check.
 */
export async function measureInk(blocks: BlockSnapshot[], doubts: Doubt[], sight: Sight): Promise<BlockSnapshot[]> {
  const near = doubts.filter(({ index }) => topOf(blocks[index]) < TALLEST_PX)
  if (near.length === 0) return blocks
  const limit = AbortSignal.timeout(LONGEST_MS)
  const looks = new Map<number, Look>()
  const measured = lookAtScreens(
    { waiting: near.map((doubt) => ({ ...doubt, top: topOf(blocks[doubt.index]) })), looks, limit },
    sight
  ).catch(() => {}) // The page moves on, or is gone: the rest stays unmeasured.
  await Promise.race([measured, wait(LONGEST_MS, undefined, { ref: false })])
  const byIndex = new Map(near.map((doubt) => [doubt.index, doubt]))
  return blocks.map((block) => withLook(block, { doubt: byIndex.get(block.index), look: looks.get(block.index) }))
}

const topOf = (block: BlockSnapshot | undefined): number => block?.place?.box?.y ?? Infinity

function withLook(
  block: BlockSnapshot,
  { doubt, look }: { doubt: Doubt | undefined; look: Look | undefined }
): BlockSnapshot {
  if (doubt === undefined || look === undefined || block.visibility === null) return block
  const contrast = doubt.ground ? (look.contrast ?? block.visibility.contrast) : block.visibility.contrast
  return { ...block, visibility: { ...block.visibility, contrast, paintedShare: doubt.drawing ? look.ink : null } }
}

interface Work {
  waiting: Placed[]
  looks: Map<number, Look>
  limit: AbortSignal
}

/**
 * Looks at screens until all is measured, or the time is over. A texture that was seen once is
 * known wherever it is, and what stands among blocks that are not drawn is not looked at.
 */
async function lookAtScreens({ waiting: all, looks, limit }: Work, { cdp, inPage }: Sight): Promise<void> {
  let waiting = all
  const textures = new Map<string, Color[]>()
  const tops = all.map(({ top }) => top)
  const [first, last] = [Math.min(...tops), Math.max(...tops)]
  for (const part of SCREENS) {
    if (waiting.length === 0 || limit.aborted) break
    const from = ({ top }: Placed): number => Math.abs(top - first - part * (last - first))
    const anchor = waiting.reduce((nearest, one) => (from(one) < from(nearest) ? one : nearest))
    const { width, inView } = await inPage.call('linesInView', {
      anchor: anchor.index,
      wanted: waiting.map(({ index }) => index)
    })
    const whole = inView
      .filter(({ index, share }) => share >= ENOUGH || index === anchor.index)
      .map(({ index, lines }) => ({ lines, doubt: waiting.find((doubt) => doubt.index === index)! }))
    const shots =
      whole.length === 0
        ? null
        : await shoot(
            { cdp, inPage },
            whole.some(({ doubt }) => doubt.drawing)
          )
    for (const {
      doubt: { index, texture },
      lines
    } of shots === null ? [] : whole) {
      const inShots = lines.map((line) => scaled(line, shots!.width / width))
      looks.set(index, lookOf(shots!, inShots))
      if (texture !== null && !textures.has(texture)) textures.set(texture, groundUnder(shots!, inShots))
    }
    for (const doubt of waiting.filter(({ index }) => !looks.has(index))) {
      const { index, texture, drawing, ground, color } = doubt
      const known = texture === null || drawing ? undefined : textures.get(texture)
      if (known !== undefined) looks.set(index, { ink: null, contrast: contrastOn(known, color) })
      else if (drawing && !ground && isAmongUndrawn(doubt, all, looks)) looks.set(index, { ink: 0, contrast: null })
    }
    waiting = waiting.filter(({ index }) => !looks.has(index) && index !== anchor.index)
  }
  await inPage.call('leavePage')
}

/**
 * Whether of the measured blocks the next one above and the next one below are not drawn at all: a
 * mask does not come back between them.
 */
function isAmongUndrawn({ top }: Placed, all: readonly Placed[], looks: ReadonlyMap<number, Look>): boolean {
  const measured = all
    .filter(({ index, drawing }) => drawing && looks.has(index))
    .toSorted((one, other) => one.top - other.top)
  const next = [measured.findLast((one) => one.top <= top), measured.find((one) => one.top >= top)]
  return next.every((one) => one !== undefined && looks.get(one.index)!.ink === 0)
}

/** A page without a viewport of its own is drawn smaller than it is laid out. */
const scaled = ({ x, y, width, height, color }: Line, by: number): Line => ({
  x: x * by,
  y: y * by,
  width: width * by,
  height: height * by,
  color
})

/** Photographs the viewport without letters, and before as it is where that is wanted. */
async function shoot({ cdp, inPage }: Pick<Sight, 'cdp' | 'inPage'>, isTwice: boolean): Promise<Shots> {
  if (isTwice) await inPage.call('showLetters', true)
  const drawn = isTwice ? await capture(cdp) : null
  await inPage.call('showLetters', false)
  const bare = await capture(cdp)
  if (drawn !== null && (drawn.width !== bare.width || drawn.data.length !== bare.data.length)) {
    throw new Error('The screen has changed')
  }
  return { width: bare.width, drawn: drawn?.data ?? null, bare: bare.data }
}

async function capture(cdp: CDPSession): Promise<{ width: number; data: Buffer }> {
  const { data } = await cdp.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true })
  const { default: sharp } = await import('sharp')
  const { data: dots, info } = await sharp(Buffer.from(data, 'base64'))
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, data: dots }
}
