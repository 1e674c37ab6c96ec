import type { ImageAppearance, ImageSnapshot } from '../../port/media-snapshot.ts'
import { findInvisibleWords } from './invisible-words.ts'
import type { PictureArea } from './page/reference-pictures.ts'
import type { DrawnWord } from './page/reference-drawing.ts'
import type { ShownWord } from './page/reference-words.ts'
import { comparePictures } from './picture-comparison.ts'
import { type Capture, drawingMask, HALF, scaled } from './reference-captures.ts'
import { type CoarseDifference, compareCoarsely, type InkMask } from './ink-comparison.ts'
import { estimateInk } from './reference-preview.ts'
import { areaOf, type ComparedWord, hasOwnWidth } from './word-comparison.ts'

/** Letters at another position within a pixel differ by less. Several words of a block with more are looked at. */
const SLIGHT = { correlation: 0.95, ink: 0.06, spread: 0.12 }
/** A single word that differs by more is looked at. */
const CLEAR = { correlation: 0.88, ink: 0.1, spread: 0.25 }
/** The share of a block that may differ slightly. */
const MAX_SLIGHT_SHARE = 0.04

/** A picture that differs by more from its file is compared in full resolution. What counts is far beyond. */
const SAME_PICTURE = { correlation: 0.8, differentShare: 0.05, contrast: 0.7, sharpness: 0.8 }
/** A picture with fewer pixels in a capture has cells of less than a pixel, so it is compared in full resolution. */
const MIN_PICTURE_PX = 80

/** The blog's words and pictures in a page, with the captures of the page and of its drawing. */
export interface Look {
  page: Capture
  drawing: Capture
  words: readonly ShownWord[]
  drawn: readonly DrawnWord[]
  pictures: readonly (readonly [ImageSnapshot, NonNullable<PictureArea>])[]
}

/** What captures at half the size leave open. */
export interface FirstLook {
  /** All words, by block. */
  blocks: Map<number, ComparedWord[]>
  /** The blocks that may differ from their drawing. */
  uncertain: Set<number>
  /** The pictures that are the same as their files. */
  pictures: Map<ImageSnapshot, ImageAppearance>
  /** The pictures that may differ. Those that show nothing to compare are in neither. */
  open: Look['pictures']
}

/**
 * Compares captures at half the size. What is clearly the same there is done; nothing is decided about the rest. Of an
 * ordinary page, hardly anything is left. The limits were measured on pages of the half `tune`
 * (docs/decisions/0028-reference-rendering.md).
 */
export async function takeFirstLook({ page, drawing, words, drawn, pictures }: Look): Promise<FirstLook> {
  const small = words.map((word) => scaled(word, HALF))
  const light = small.filter((word) => word.light).map((word) => areaOf(word, drawing.clip, 0))
  const mask = drawingMask(drawing, light)
  const invisible = await findInvisibleWords(small, { page, drawing: mask })
  const toBlocks = (own: readonly ShownWord[]): Map<number, ComparedWord[]> =>
    Map.groupBy(
      own.map((word, index): ComparedWord => ({ ...word, ...drawn[index]!, invisible: invisible.has(small[index]!) })),
      ({ block }) => block
    )
  const isLarge = ({ width, fine }: { width: number; fine?: boolean }): boolean =>
    HALF * width >= MIN_PICTURE_PX && fine !== true
  const large = pictures
    .filter(([, area]) => isLarge(area))
    .map(([image, area]) => [image, scaled(area, HALF)] as const)
  const found = await comparePictures(page, drawing, large)
  const isOpen = ([image, area]: Look['pictures'][number]): boolean => {
    const appearance = found.get(image)
    return appearance === undefined ? !isLarge(area) : !isSamePicture(appearance)
  }
  return {
    blocks: toBlocks(words),
    uncertain: findUncertain(toBlocks(small), { page, drawing: mask }),
    pictures: new Map([...found].filter(([, appearance]) => isSamePicture(appearance))),
    open: pictures.filter(isOpen)
  }
}

/** The blocks that may differ from their drawing, or whose background is not even. */
function findUncertain(
  blocks: ReadonlyMap<number, readonly ComparedWord[]>,
  { page, drawing }: { page: Capture; drawing: InkMask }
): Set<number> {
  const scratch: InkMask = { ...drawing, ink: new Uint8Array(drawing.ink.length) }
  const compare = (word: ComparedWord): 'same' | 'slight' | 'clear' => {
    if (word.moved) return 'same'
    if (word.fine === true || word.gradient || word.shifted || word.invisible || hasOwnWidth(word)) return 'clear'
    const area = areaOf(word, page.clip, 0)
    if (!estimateInk(page, area, scratch)) return 'clear'
    const found = compareCoarsely(scratch, drawing, area)
    if (found === null || found === 'same' || isWithin(SLIGHT, found)) return 'same'
    return isWithin(CLEAR, found) ? 'slight' : 'clear'
  }
  const isCertain = (words: readonly ComparedWord[]): boolean => {
    let [all, slight, count] = [0, 0, 0]
    for (const word of words) {
      const found = compare(word)
      if (found === 'clear') return false
      all += word.characters
      if (found === 'slight') [slight, count] = [slight + word.characters, count + 1]
    }
    return count <= 1 || slight <= MAX_SLIGHT_SHARE * all
  }
  return new Set([...blocks].filter(([, words]) => !isCertain(words)).map(([block]) => block))
}

const isWithin = (limits: typeof SLIGHT, { correlation, ink, isCrossed, spread }: CoarseDifference): boolean =>
  !isCrossed && correlation >= limits.correlation && ink <= limits.ink && Math.abs(spread - 1) <= limits.spread

const isSamePicture = ({ correlation, differentShare = 0, contrast, sharpness }: ImageAppearance): boolean =>
  correlation >= SAME_PICTURE.correlation &&
  differentShare <= SAME_PICTURE.differentShare &&
  Math.min(contrast, 1 / contrast) >= SAME_PICTURE.contrast &&
  sharpness >= SAME_PICTURE.sharpness
