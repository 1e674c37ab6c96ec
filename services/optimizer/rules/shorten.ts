import { pixelWidth } from './pixel-width.ts'
import { isWide } from '../../../lib/text.ts'

/** How much a line may take: characters (UTF-16 units, as length counts) and pixels at a size. */
export interface Room {
  mostCharacters: number
  mostPx: number
  sizePx: number
}

const JOINS: ReadonlySet<string> = new Set(' \n\t,;:–—-|/&+(（[“‘"\'，、；：·')

/** Whether the whole text has room. */
export function fits(text: string, room: Room): boolean {
  return text.length <= room.mostCharacters && pixelWidth(text, room.sizePx) <= room.mostPx
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
    mostCharacters: room.mostCharacters - 1,
    mostPx: room.mostPx - pixelWidth('…', room.sizePx)
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
export function roomFor(text: string, { mostCharacters, mostPx, sizePx }: Room): number {
  let end = 0
  let position = 0
  let widthPx = 0
  for (const character of text) {
    widthPx += pixelWidth(character, sizePx)
    if (widthPx > mostPx || position + character.length > mostCharacters) return end
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
