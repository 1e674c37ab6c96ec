import { ARIAL_WIDTHS, UNITS_PER_EM } from './arial-widths.ts'

/**
 * How a result page sets titles and descriptions, and how much of them it shows (products.md,
 * "Optimization").
 */
export const TITLE = { sizePx: 20, mostPx: 580 } as const
export const DESCRIPTION = { sizePx: 14, mostPx: 920 } as const

const NO_WIDTH = /\p{M}|\p{Cf}/u

/**
 * How wide a line of Arial is, in pixels at this font size: the sum of its characters' widths,
 * without kerning. Combining and formatting characters take no room;
 * what Arial lacks (Chinese, Japanese, Korean, emoji, other scripts) is counted as wide as the font
 * is high, which is never too little.
 */
export function pixelWidth(text: string, sizePx: number): number {
  let units = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i)!
    if (code > 0xffff) i++
    units += ARIAL_WIDTHS[code] || unitsOfOther(code)
  }
  return (units * sizePx) / UNITS_PER_EM
}

function unitsOfOther(code: number): number {
  return NO_WIDTH.test(String.fromCodePoint(code)) ? 0 : UNITS_PER_EM
}
