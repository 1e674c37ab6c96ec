import { compareInk, type InkArea, type InkMask, isSameInk } from './ink-comparison.ts'
import type { Capture } from './reference-captures.ts'
import { areaOf, type ComparedWord, hasOwnWidth } from './word-comparison.ts'

/** On an even background, at least this share of the pixels around a word has one value. */
const MIN_EVEN_SHARE = 0.3

/** Letters at another position within a pixel differ by less, and every difference that counts by more. */
const SAME = { correlation: 0.9, ink: 0.06, weight: 0.12 }

/**
 * The blocks that may differ from their drawing, judged by one capture of the page: glyphs in black or
 * white on the page's own background. On an even background, the share of each pixel that glyphs cover
 * follows from it. Blocks on other backgrounds may differ, too.
 */
export function findUncertainBlocks(
  blocks: ReadonlyMap<number, readonly ComparedWord[]>,
  { page, drawing }: { page: Capture; drawing: InkMask }
): Set<number> {
  const scratch: InkMask = { ...drawing, ink: new Uint8Array(drawing.ink.length) }
  const isCertain = (word: ComparedWord): boolean => {
    if (word.moved) return true
    if (word.gradient || word.shifted || word.invisible || hasOwnWidth(word)) return false
    const area = areaOf(word, page.clip)
    return estimateInk(page, area, scratch) && looksTheSame(scratch, drawing, area)
  }
  return new Set([...blocks].filter(([, words]) => !words.every(isCertain)).map(([block]) => block))
}

/** Whether a word has no difference that could count. */
function looksTheSame(page: InkMask, drawing: InkMask, area: InkArea): boolean {
  if (isSameInk(page, drawing, area) !== false) return true
  const found = compareInk(page, drawing, area)
  return (
    found !== null &&
    !found.isCrossed &&
    found.correlation >= SAME.correlation &&
    Math.max(found.extra, found.missing) <= SAME.ink &&
    Math.abs(found.weight - 1) <= SAME.weight
  )
}

/**
 * Writes the ink of an area into a mask: how far each pixel is from the most frequent value toward black
 * or white. Returns false if the background is not even.
 */
export function estimateInk(
  { pixels, clip: { width, height }, channels }: Capture,
  area: InkArea,
  { ink }: InkMask
): boolean {
  // The green one of three channels.
  const valueAt = (at: number): number => pixels[channels === 1 ? at : at * 3 + 1]!
  const [left, right] = [Math.max(0, area.left), Math.min(width, area.right)]
  const [top, bottom] = [Math.max(0, area.top), Math.min(height, area.bottom)]
  const counts = new Uint32Array(256)
  for (let y = top; y < bottom; y++) {
    for (let at = y * width + left; at < y * width + right; at++) counts[valueAt(at)]!++
  }
  const ground = counts.indexOf(Math.max(...counts))
  if (counts[ground]! < MIN_EVEN_SHARE * (right - left) * (bottom - top)) return false
  const range = ground >= 128 ? ground : 255 - ground
  for (let y = top; y < bottom; y++) {
    for (let at = y * width + left; at < y * width + right; at++) {
      const distance = ground >= 128 ? ground - valueAt(at) : valueAt(at) - ground
      ink[at] = distance <= 0 ? 0 : (255 * distance) / range
    }
  }
  return true
}
