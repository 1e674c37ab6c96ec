import { ARIAL_WIDTHS, UNITS_PER_EM } from './arial-widths.ts'
import { isWide } from '../../../lib/text.ts'

/**
 * Font size and maximum width of titles and descriptions on a search result page (docs:
 * products.md, "Optimization").
 */
export const TITLE = { sizePx: 20, maxPx: 580 } as const
export const DESCRIPTION = { sizePx: 14, maxPx: 920 } as const

/** Letters of these scripts are about as wide as Latin ones. */
const NARROW_SCRIPTS = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Thai}\p{sc=Armenian}\p{sc=Georgian}]/u
const NO_WIDTH = /\p{M}|\p{Cf}/u

/**
 * Width of a line of Arial in pixels: the sum of the character widths, without kerning. Combining
 * and formatting characters have no width. Characters that the table lacks (Chinese,
 * Japanese, Korean, emoji, other scripts) count as one em, those of narrow scripts as half an em.
 */
export function pixelWidth(text: string, sizePx: number): number {
  let units = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i)!
    if (code > 0xffff) i++
    units += ARIAL_WIDTHS[code] || unitsOfMissingGlyph(code)
  }
  return (units * sizePx) / UNITS_PER_EM
}

function unitsOfMissingGlyph(code: number): number {
  const character = String.fromCodePoint(code)
  if (NO_WIDTH.test(character)) return 0
  return NARROW_SCRIPTS.test(character) ? UNITS_PER_EM / 2 : UNITS_PER_EM
}

/** Limits of a line: characters (UTF-16 units, as in `length`) and pixels at a font size. */
export interface Room {
  maxCharacters: number
  maxPx: number
  sizePx: number
}

const JOINERS: ReadonlySet<string> = new Set(' \n\t,;:–—-|/&+(（[“‘"\'，、；：·')

/** Whether the text fits without truncation. */
export function fits(text: string, room: Room): boolean {
  return text.length <= room.maxCharacters && pixelWidth(text, room.sizePx) <= room.maxPx
}

/**
 * Returns the text unchanged if it fits, otherwise its beginning up to a word end and `…`. In
 * scripts without spaces, the text may be cut after any character.
 * An overlong first word is cut between characters. Returns an empty string if not even one
 * character fits.
 */
export function shorten(text: string, room: Room): string {
  if (fits(text, room)) return text
  const end = fittingLength(text, {
    ...room,
    maxCharacters: room.maxCharacters - 1,
    maxPx: room.maxPx - pixelWidth('…', room.sizePx)
  })
  return truncateAt(text, end)
}

/**
 * Cuts the text at the last word end up to this position and appends `…`. If that would drop more
 * than half of the text, the word is cut.
 */
export function truncateAt(text: string, position: number): string {
  const atWord = lastWordEnd(text, position)
  const cut = text.slice(0, atWord > position / 2 ? atWord : position)
  // A text of joiners only is trimmed as it is.
  const trimmed = trimJoiners(cut) || cut
  return trimmed === '' ? '' : `${trimmed}…`
}

/** Removes trailing joiners: spaces, commas, dashes, opening brackets. */
export function trimJoiners(text: string): string {
  let end = text.length
  while (end > 0 && JOINERS.has(text[end - 1]!)) end--
  return text.slice(0, end)
}

/** Number of leading UTF-16 units that fit. Never splits a character from its combining marks. */
export function fittingLength(text: string, { maxCharacters, maxPx, sizePx }: Room): number {
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

/** The last word end up to this position, or 0. */
export function lastWordEnd(text: string, position: number): number {
  for (let end = position; end > 0; end--) if (isWordEnd(text, end)) return end
  return 0
}

/**
 * Whether a word ends here: white space follows, or a neighboring character belongs to a script
 * without spaces.
 */
export function isWordEnd(text: string, position: number): boolean {
  if (position >= text.length || /\s/.test(text[position]!)) return true
  return !joinsNext(text, position) && isWide(text.slice(Math.max(0, position - 1), position + 1))
}

function joinsNext(text: string, position: number): boolean {
  // Code points below U+0300 are never combining marks.
  if (position >= text.length || (text.charCodeAt(position) < 0x300 && text.charCodeAt(position - 1) < 0x300)) {
    return false
  }
  const next = text.slice(position, position + 2)
  return next !== '' && (/^\p{M}|^\u200D/u.test(next) || text[position - 1] === '\u200D')
}
