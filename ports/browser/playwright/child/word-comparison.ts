import { compareInk, type InkArea, type InkDifference, type InkMask } from './ink-comparison.ts'
import type { Appearance } from '../../port/page-snapshot.ts'
import type { DrawnWord } from './page/reference-drawing.ts'
import type { ShownWord } from './page/reference-words.ts'
import type { Clip } from './reference-captures.ts'

/** A drawn word that is wider or narrower by more has other letters, or another font. */
const WIDTH_TOLERANCE_PX = 1.5
const WIDTH_TOLERANCE = 0.04
/** A single word with such a difference has other letters, or lacks a part. */
const CLEAR = { ink: 0.15, correlation: 0.6 }
/** A word with less ink, in pixels, such as a dot, proves nothing by itself. */
const MIN_CLEAR_INK = 20
/** Smaller differences count if several words of a block have them. Faultless pages have up to 0.93. */
const SLIGHT = { ink: 0.1, correlation: 0.85, heavier: 1.3, lighter: 0.7 }
/** Of words that were moved or scaled to the place of those in the page. */
const MIN_MOVED_CORRELATION = 0.7
/**
 * Boxes in place of letters have thin lines, which a part of a pixel moves away from each other. That of the letters
 * would not differ.
 */
const BOXES = { ink: 0.3, clear: 0.45, slight: 0.55 }
/** The share of a block above which slight differences count. */
const MIN_SLIGHT_SHARE = 0.06

/** A word of the page with its drawing. */
export type ComparedWord = ShownWord &
  DrawnWord & {
    /** In the color of its background. */
    invisible: boolean
  }

/** The appearance of a block, with the number of compared characters in place of their share. */
export type BlockResult = Omit<Appearance, 'comparedShare'> & { characters: number }

/** The area of a word in the pixels of a capture, with a margin at both sides. */
export const areaOf = (
  { x, y, width, height }: Pick<ShownWord, 'x' | 'y' | 'width' | 'height'>,
  clip: Clip,
  margin = 1
): InkArea => ({
  left: Math.floor(x - clip.x) - margin,
  right: Math.ceil(x + width - clip.x) + margin,
  top: Math.floor(y - clip.y),
  bottom: Math.ceil(y + height - clip.y)
})

/** Whether a word has another width than its drawing. */
export const hasOwnWidth = ({ wider, width }: ComparedWord): boolean =>
  Math.abs(wider) > Math.max(WIDTH_TOLERANCE_PX, width * WIDTH_TOLERANCE)

interface Masks {
  clip: Clip
  page: InkMask
  drawing: InkMask
}

/** Compares the words of a block. Null if none of them can be compared. `isMoved`: drawn at another place. */
export function compareBlock(
  words: readonly ComparedWord[],
  { clip, page, drawing }: Masks,
  isMoved: boolean
): BlockResult | null {
  const measured = words.flatMap((word) => {
    if (word.moved) return []
    const difference = compareInk(page, drawing, areaOf(word, clip))
    if (difference === null) return []
    if (word.invisible) return [{ word, difference: { ...difference, missing: 1, correlation: 0 } }]
    return [{ word, difference: withWidth(difference, word) }]
  })
  return measured.length === 0 ? null : summarize(measured, isMoved)
}

/** The result of a block whose words all look the same. Null if none of them was compared. */
export function sameBlock(words: readonly ComparedWord[]): BlockResult | null {
  const characters = words.reduce((sum, word) => sum + (word.moved ? 0 : word.characters), 0)
  return characters === 0 ? null : { characters, differentShare: 0, extraInk: 0, missingInk: 0, correlation: 1 }
}

/** Words of another width are different, however many of their pixels agree. */
function withWidth(difference: InkDifference, word: ComparedWord): InkDifference {
  if (!hasOwnWidth(word)) return difference
  const share = Math.min(1, Math.abs(word.wider) / word.width)
  return word.wider > 0
    ? { ...difference, missing: Math.max(difference.missing, share) }
    : { ...difference, extra: Math.max(difference.extra, share) }
}

interface MeasuredWord {
  word: ComparedWord
  difference: InkDifference
}

/** Beside a mark, the ink of a character may differ from its drawing, but not its shape. */
function isClear({ word, difference: { extra, missing, correlation, ink } }: MeasuredWord): boolean {
  const limits = word.boxes === true ? { ink: BOXES.ink, correlation: BOXES.clear } : CLEAR
  return (
    ink >= MIN_CLEAR_INK &&
    ((Math.max(extra, missing) > limits.ink && word.besideMark !== true) || correlation < limits.correlation)
  )
}

const isSlight = ({ word, difference }: MeasuredWord, isMoved: boolean): boolean =>
  word.shifted ||
  (word.boxes === true ? isSlightForBoxes(difference) : isSlightForLetters({ word, difference }, isMoved))

const isSlightForBoxes = ({ isCrossed, correlation }: InkDifference): boolean => isCrossed || correlation < BOXES.slight

const isSlightForLetters = ({ word, difference }: MeasuredWord, isMoved: boolean): boolean =>
  (word.besideMark !== true && hasOwnInk(difference)) ||
  difference.correlation < (isMoved || word.besideMark === true ? MIN_MOVED_CORRELATION : SLIGHT.correlation)

const hasOwnInk = (difference: InkDifference): boolean =>
  difference.isCrossed ||
  Math.max(difference.extra, difference.missing) > SLIGHT.ink ||
  (difference.ink >= MIN_CLEAR_INK && (difference.weight > SLIGHT.heavier || difference.weight < SLIGHT.lighter))

function summarize(measured: readonly MeasuredWord[], isMoved: boolean): BlockResult {
  const sum = (valueOf: (one: MeasuredWord) => number): number =>
    measured.reduce((total, one) => total + valueOf(one), 0)
  const characters = sum(({ word }) => word.characters)
  const ink = sum(({ difference }) => difference.ink)
  const shareOf = (some: readonly MeasuredWord[]): number =>
    some.reduce((total, { word }) => total + word.characters, 0) / characters
  const clear = measured.filter(isClear)
  const slight = measured.filter((one) => !isClear(one) && isSlight(one, isMoved))
  const slightShare = slight.length > 1 ? shareOf(slight) : 0
  return {
    characters,
    differentShare: round(shareOf(clear) + (slightShare > MIN_SLIGHT_SHARE ? slightShare : 0)),
    extraInk: round(sum(({ difference }) => difference.extra * difference.ink) / ink),
    missingInk: round(sum(({ difference }) => difference.missing * difference.ink) / ink),
    correlation: round(sum(({ difference }) => difference.correlation * difference.ink) / ink)
  }
}

const round = (value: number): number => Math.round(value * 1000) / 1000
