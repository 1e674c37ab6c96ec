import { ARIAL_WIDTHS, UNITS_PER_EM } from './arial-widths.ts'

/** How a result page sets titles and descriptions, and how much of them it shows (products.md, "Optimisation"). */
export const TITLE = { sizePx: 20, mostPx: 580 } as const
export const DESCRIPTION = { sizePx: 14, mostPx: 920 } as const

const NO_WIDTH = /\p{M}|\p{Cf}/u

/**
 * How wide a line of Arial is, in pixels at this font size: the sum of its characters' widths, without kerning. Combining and formatting characters take no room;
 * what Arial lacks (Chinese, Japanese, Korean, emoji, other scripts) is counted as wide as the font is high, which is never too little.
 */
export function pixelWidth (text: string, sizePx: number): number {
  let units = 0
  for (const character of text) units += unitsOf(character)
  return units * sizePx / UNITS_PER_EM
}

function unitsOf (character: string): number {
  const known = ARIAL_WIDTHS[character.codePointAt(0)!]
  if (known !== undefined && known !== 0) return known
  return NO_WIDTH.test(character) ? 0 : UNITS_PER_EM
}
