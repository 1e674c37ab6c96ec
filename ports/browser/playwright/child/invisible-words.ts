import type { InkArea, InkMask } from './ink-comparison.ts'
import { blend, type Color, contrastRatio } from './page/colors.ts'
import type { ShownWord } from './page/reference-words.ts'
import { type Capture, type Clip, readColors } from './reference-captures.ts'

/** At this contrast, words and their background look alike. */
const NO_CONTRAST = 1.25
/** In one channel, words that look like their background are closer to it than this (of 255). */
const MAX_DISTANCE = 40
/** The share of the background around a word that must look like it. */
const MIN_SHARE = 0.9
/** Browsers align backgrounds with whole pixels, other than the boxes of text. */
const EDGE_PX = 1
/** Ink of the drawing (of 255) below which a pixel shows the background. */
const NO_INK = 8

/**
 * The words that readers cannot see because they have the color of their background, whatever
 * paints it: the element itself, a pseudo-element, a picture, a layer below. The comparison of glyphs paints them
 * in black or white, so it cannot see this. The drawing tells which pixels around a word are background.
 */
export async function findInvisibleWords<Word extends ShownWord>(
  words: readonly Word[],
  { page, drawing }: { page: Capture; drawing: InkMask }
): Promise<Set<Word>> {
  const invisible = new Set<Word>()
  let colors: Uint8Array | null = null
  for (const word of words) {
    const { color } = word
    if (color === null || word.gradient) continue
    const area = insideOf(coreOf(word, page.clip), drawing)
    const ground = backgroundOf(drawing, area)
    if (ground.length === 0 || !isLikeGround(page, ground, color)) continue
    // Words of other colors may be as light in one channel, so all are compared.
    colors ??= await readColors(page)
    let similar = 0
    for (const at of ground) {
      const under: Color = [colors[at * 3]!, colors[at * 3 + 1]!, colors[at * 3 + 2]!, 1]
      if (contrastRatio(blend(color, under), under) < NO_CONTRAST) similar += 1
    }
    if (similar >= MIN_SHARE * ground.length) invisible.add(word)
  }
  return invisible
}

/**
 * The whole pixels within the box of a word. A background of the word alone does not reach the ones at its edges, which
 * show what is around it: a tenth of the box of a short word.
 */
const coreOf = ({ x, y, width, height }: ShownWord, clip: Clip): InkArea => ({
  left: Math.ceil(x - clip.x),
  right: Math.floor(x + width - clip.x),
  top: Math.ceil(y - clip.y) + EDGE_PX,
  bottom: Math.floor(y + height - clip.y) - EDGE_PX
})

const insideOf = ({ left, top, right, bottom }: InkArea, { width, height }: InkMask): InkArea => ({
  left: Math.max(0, left),
  top: Math.max(0, top),
  right: Math.min(width, right),
  bottom: Math.min(height, bottom)
})

/** The pixels of an area without ink. */
function backgroundOf({ width, ink }: InkMask, { left, top, right, bottom }: InkArea): number[] {
  const pixels: number[] = []
  for (let y = top; y < bottom; y++) {
    for (let at = y * width + left; at < y * width + right; at++) if (ink[at]! < NO_INK) pixels.push(at)
  }
  return pixels
}

/** Whether a color is close to most of a background in the green channel. */
function isLikeGround({ pixels, channels }: Capture, ground: readonly number[], [, green, , alpha]: Color): boolean {
  let close = 0
  for (const at of ground) {
    const under = pixels[channels === 1 ? at : at * 3 + 1]!
    if (Math.abs(green - under) * alpha < MAX_DISTANCE) close += 1
  }
  return close >= MIN_SHARE * ground.length
}
