/// <reference lib="dom" />
import { composedClosest } from './dom.ts'

/** A word, or a part of it, in the page. Viewport coordinates. */
export interface PlacedWord {
  host: Element
  /** The text node, and where the word starts and ends in it. */
  range: Range
  x: number
  y: number
  width: number
  height: number
  characters: number
}

/** By the declaration of a font: creating a canvas for each element takes a tenth of a millisecond. */
export type FontMetrics = Map<string, { ascent: number; em: number }>

/**
 * The words of a block that are not on the baseline of their line, or lie on the letters before them.
 * Small raised and lowered text is free: notes, formulas, ruby.
 */
export function findShiftedWords(words: PlacedWord[], fonts: FontMetrics): Set<PlacedWord> {
  const placed = words.map((word) => {
    const { ascent, em } = measureFont(word.host, fonts)
    return { word, em: em * word.height, baseline: word.y + ascent * word.height }
  })
  const shifted = new Set<PlacedWord>()
  for (const line of linesOf(placed)) {
    const main = mainBaselineOf(line)
    for (const { word, baseline, em } of line) {
      const isFree = em < 0.85 * main.em || composedClosest(word.host, 'sub, sup, ruby') !== null
      if (!isFree && Math.abs(baseline - main.baseline) > 0.17 * main.em) shifted.add(word)
    }
  }
  for (const [index, { word, em }] of placed.entries()) {
    const before = placed[index - 1]?.word
    if (before === undefined || !continues(before, word)) continue
    const isRtl = getComputedStyle(word.host).direction === 'rtl'
    const overlap = isRtl ? word.x + word.width - before.x : before.x + before.width - word.x
    if (Math.abs(before.y - word.y) < word.height / 2 && overlap > 0.15 * em && overlap < 4 * em) {
      shifted.add(word)
    }
  }
  return shifted
}

/** Of a line of glyphs in an element's font: the share above the baseline, and the em as a share of its height. */
export function measureFont(host: Element, fonts: FontMetrics): { ascent: number; em: number } {
  const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(host)
  const font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`
  const known = fonts.get(font)
  if (known !== undefined) return known
  const context = new OffscreenCanvas(1, 1).getContext('2d')!
  context.font = font
  const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = context.measureText('x')
  const height = ascent + descent || 1
  const measured = { ascent: ascent / height, em: parseFloat(fontSize) / height }
  fonts.set(font, measured)
  return measured
}

export interface WordOnLine {
  word: PlacedWord
  /** The font size in pixels, as shown. */
  em: number
  baseline: number
}

/** Words in the order of the text, split where the next line begins. */
export function linesOf(words: WordOnLine[]): WordOnLine[][] {
  const lines: WordOnLine[][] = []
  let [top, bottom] = [0, -1]
  for (const one of words) {
    const { y, height } = one.word
    const shared = Math.min(bottom, y + height) - Math.max(top, y)
    if (shared > 0.5 * Math.min(height, bottom - top)) {
      lines.at(-1)!.push(one)
      ;[top, bottom] = [Math.min(top, y), Math.max(bottom, y + height)]
    } else {
      lines.push([one])
      ;[top, bottom] = [y, y + height]
    }
  }
  return lines
}

/** The baseline of most characters of a line, in steps of a pixel. */
export function mainBaselineOf(line: WordOnLine[]): { baseline: number; em: number } {
  const byBaseline = Map.groupBy(line, ({ baseline }) => Math.round(baseline))
  const weightOf = (some: WordOnLine[]): number => some.reduce((sum, { word }) => sum + word.characters, 0)
  const [main] = [...byBaseline.values()].sort((one, other) => weightOf(other) - weightOf(one))
  return { baseline: main![0]!.baseline, em: Math.max(...main!.map(({ em }) => em)) }
}

/** Whether a part follows another one without a space, in another element. */
export function continues(before: PlacedWord, { range, host }: PlacedWord): boolean {
  const [end, start] = [before.range.endContainer as Text, range.startContainer as Text]
  return (
    before.host !== host &&
    before.range.endOffset === end.data.length &&
    range.startOffset === 0 &&
    !/\s$/.test(end.data) &&
    !/^\s/.test(start.data)
  )
}
