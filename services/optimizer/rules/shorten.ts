import { ARIAL_WIDTHS, UNITS_PER_EM } from './arial-widths.ts'
import { isWide } from '../../../lib/text.ts'

/**
 * How a result page sets titles and descriptions, and how much of them it shows (products.md,
 * "Optimization").
 */
export const TITLE = { sizePx: 20, maxPx: 580 } as const
export const DESCRIPTION = { sizePx: 14, maxPx: 920 } as const

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

/** How much a line may take: characters (UTF-16 units, as length counts) and pixels at a size. */
export interface Room {
  maxCharacters: number
  maxPx: number
  sizePx: number
}

const JOINS: ReadonlySet<string> = new Set(' \n\t,;:–—-|/&+(（[“‘"\'，、；：·')

/** Whether the whole text has room. */
export function fits(text: string, room: Room): boolean {
  return text.length <= room.maxCharacters && pixelWidth(text, room.sizePx) <= room.maxPx
}

/**
 * The text as it is where it has room; otherwise its beginning up to a word's end, or any character
 * of scripts without spaces, and `…`.
 * A first word that is too long is cut between characters. '' where not even one character has
 * room.
 */
export function shortened(text: string, room: Room): string {
  if (fits(text, room)) return text
  const end = roomFor(text, {
    ...room,
    maxCharacters: room.maxCharacters - 1,
    maxPx: room.maxPx - pixelWidth('…', room.sizePx)
  })
  return cutBefore(text, end)
}

/**
 * The text up to the last word that ends at or before this position, and `…`. A word that would
 * leave less than half is cut.
 */
export function cutBefore(text: string, position: number): string {
  const atWord = wordEnd(text, position)
  const cut = text.slice(0, atWord > position / 2 ? atWord : position)
  // Of a text of such signs alone something must stay.
  const kept = bareEnd(cut) || cut
  return kept === '' ? '' : `${kept}…`
}

/**
 * Without what joins it to something that is not there any more: spaces, commas, dashes, opening
 * brackets.
 */
export function bareEnd(text: string): string {
  let end = text.length
  while (end > 0 && JOINS.has(text[end - 1]!)) end--
  return text.slice(0, end)
}

/**
 * How many UTF-16 units from the beginning have room; never in the middle of a character and its
 * marks.
 */
export function roomFor(text: string, { maxCharacters, maxPx, sizePx }: Room): number {
  let end = 0
  let position = 0
  let widthPx = 0
  for (const character of text) {
    widthPx += pixelWidth(character, sizePx)
    if (widthPx > maxPx || position + character.length > maxCharacters) return end
    position += character.length
    if (!joinsNext(text, position)) end = position
  }
  return end
}

/** The last end of a word at or before this position; 0 when there is none. */
export function wordEnd(text: string, position: number): number {
  for (let end = position; end > 0; end--) if (mayEndAt(text, end)) return end
  return 0
}

/** Whether a word ends here: white space follows, or a script without spaces stands on one side. */
export function mayEndAt(text: string, position: number): boolean {
  if (position >= text.length || /\s/.test(text[position]!)) return true
  return !joinsNext(text, position) && isWide(text.slice(Math.max(0, position - 1), position + 1))
}

function joinsNext(text: string, position: number): boolean {
  // Before the combining diacritics nothing joins.
  if (position >= text.length || (text.charCodeAt(position) < 0x300 && text.charCodeAt(position - 1) < 0x300)) {
    return false
  }
  const next = text.slice(position, position + 2)
  return next !== '' && (/^\p{M}|^\u200D/u.test(next) || text[position - 1] === '\u200D')
}
