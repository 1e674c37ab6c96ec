import type { CDPSession } from 'playwright'
import { setTimeout as wait } from 'node:timers/promises'
import type { BlockFact } from '../facts.ts'
import type { InPage } from './in-page.ts'
import { lookOf, type Line, type Look, type Shots } from './letters.ts'
import type { Doubt } from './page/doubting.ts'

/** For all screens together; what is not measured by then stays unmeasured. */
const LONGEST_MS = 3_000
const MOST_SCREENS = 8
/** What lies below is not looked at. */
const TALLEST_PX = 12_000
/** Of a block's lines; less of it in view is looked at again when it stands in the middle. */
const ENOUGH = 0.6

/** With the top of its block in the page. */
type Placed = Doubt & { top: number }
interface Sight { cdp: CDPSession, inPage: InPage, /** Of the viewport. */ height: number }

/**
 * Measures in photographs what styles cannot tell of blocks: each screen that has some is photographed without letters, as a reader sees it who has scrolled there, and with them where it is in doubt whether they are drawn.
 * Returns the blocks with `visibility.ink` and `visibility.contrast` set where they were measured. Nothing that fails here is an error of the check.
 */
export async function measureInk (blocks: BlockFact[], doubts: Doubt[], sight: Sight): Promise<BlockFact[]> {
  const near = doubts.filter(({ index }) => topOf(blocks[index]) < TALLEST_PX)
  if (near.length === 0) return blocks
  const limit = AbortSignal.timeout(LONGEST_MS)
  const looks = new Map<number, Look>()
  const measured = lookAtScreens({ todo: near.map((doubt) => ({ ...doubt, top: topOf(blocks[doubt.index]) })), looks, limit }, sight).catch(() => {}) // The page moves on, or is gone: the rest stays unmeasured.
  await Promise.race([measured, wait(LONGEST_MS, undefined, { ref: false })])
  const byIndex = new Map(near.map((doubt) => [doubt.index, doubt]))
  return blocks.map((block) => withLook(block, { doubt: byIndex.get(block.index), look: looks.get(block.index) }))
}

const topOf = (block: BlockFact | undefined): number => block?.place?.box?.y ?? Infinity

function withLook (block: BlockFact, { doubt, look }: { doubt: Doubt | undefined, look: Look | undefined }): BlockFact {
  if (doubt === undefined || look === undefined || block.visibility === null) return block
  const contrast = doubt.ground ? look.contrast ?? block.visibility.contrast : block.visibility.contrast
  return { ...block, visibility: { ...block.visibility, contrast, ink: doubt.drawing ? look.ink : null } }
}

/** Goes down the page by screens; where it has more than can be photographed, by longer steps. */
async function lookAtScreens ({ todo: all, looks, limit }: { todo: Placed[], looks: Map<number, Look>, limit: AbortSignal }, { cdp, inPage, height }: Sight): Promise<void> {
  let todo = all.toSorted((one, other) => one.top - other.top)
  const step = (todo.at(-1)!.top - todo[0]!.top) / MOST_SCREENS
  for (let screen = 0; screen < MOST_SCREENS && todo.length > 0 && !limit.aborted; screen++) {
    const first = todo[0]!
    const anchor = todo.findLast(({ top }) => top <= first.top + height * 0.35)!
    const { width, inView } = await inPage.call('linesInView', { anchor: anchor.index, wanted: todo.map(({ index }) => index) })
    const whole = inView.filter(({ index, share }) => share >= ENOUGH || index === anchor.index)
    if (whole.length > 0) {
      const shots = await shoot(cdp, inPage, whole.some(({ index }) => todo.some((doubt) => doubt.index === index && doubt.drawing)))
      for (const { index, lines } of whole) looks.set(index, lookOf(shots, lines.map((line) => scaled(line, shots.width / width))))
    }
    await inPage.call('undress')
    const skipTo = step > height * 0.7 ? first.top + step : -Infinity
    todo = todo.filter(({ index, top }) => !looks.has(index) && index !== anchor.index && top >= skipTo)
  }
}

/** A page without a viewport of its own is drawn smaller than it is laid out. */
const scaled = ({ x, y, width, height, colour }: Line, by: number): Line => ({ x: x * by, y: y * by, width: width * by, height: height * by, colour })

/** Photographs the viewport without letters, and before as it is where that is wanted. */
async function shoot (cdp: CDPSession, inPage: InPage, isTwice: boolean): Promise<Shots> {
  const drawn = isTwice ? await capture(cdp) : null
  await inPage.call('undressLetters')
  const bare = await capture(cdp)
  if (drawn !== null && (drawn.width !== bare.width || drawn.data.length !== bare.data.length)) throw new Error('The screen has changed')
  return { width: bare.width, drawn: drawn?.data ?? null, bare: bare.data }
}

async function capture (cdp: CDPSession): Promise<{ width: number, data: Buffer }> {
  const { data } = await cdp.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true })
  const { default: sharp } = await import('sharp')
  const { data: dots, info } = await sharp(Buffer.from(data, 'base64')).removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, data: dots }
}
