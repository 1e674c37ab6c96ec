import { TITLE, pixelWidth, fits, shorten, type Room } from './shorten.ts'
import type { FallbackLevels } from './fallback-levels.ts'
import type { Subject } from './subject.ts'
import { containsName } from './words.ts'

const META_ROOM: Room = { maxCharacters: 300, maxPx: TITLE.maxPx, sizePx: TITLE.sizePx }
const PAGE_ROOM: Room = { maxCharacters: 500, maxPx: Number.POSITIVE_INFINITY, sizePx: TITLE.sizePx }
/** Minimum share of the available space for the title before distinguishing parts. */
const MIN_TITLE_SHARE = 0.4

/**
 * Candidates for a page title: the cleaned title, then with distinguishing parts. At most 500
 * characters each.
 */
export function* pageTitles(subject: Subject, levels: FallbackLevels): Generator<string> {
  for (const tail of levels) {
    const title = joinTitle(subject.title, tail, PAGE_ROOM)
    if (title !== null) yield title
  }
}

/**
 * Candidates for a meta title, best first: the title, the parts that distinguish the product from
 * its siblings, and the brand or the innermost category if it fits. At most 580 px in Arial 20 px.
 * Of an overlong title, remarks at the end are left out, or else it is cut; the distinguishing parts are kept.
 */
export function* metaTitles(subject: Subject, levels: FallbackLevels): Generator<string> {
  const maker = subject.makerName || subject.category.at(-1) || ''
  for (const tail of subject.distinguishing.length > 0 ? levels.slice(1) : levels) {
    const core = joinTitle(subject.title, tail, META_ROOM)
    if (core === null) continue
    const full = maker === '' || containsName(core, maker) ? core : `${core} | ${maker}`
    yield fits(full, META_ROOM) ? full : core
  }
}

/**
 * Builds `Title – a, b` and cuts the title if the result does not fit. Leading parts of the tail
 * are dropped if they leave too little space for the title. Returns null if even the last part
 * does, or if nothing of the title fits.
 */
export function joinTitle(title: string, tail: string[], room: Room): string | null {
  if (tail.length === 0) return shortenTitle(title, room) || null
  for (let first = 0; first < tail.length; first++) {
    const end = ` – ${tail.slice(first).join(', ')}`
    const remaining = {
      ...room,
      maxCharacters: room.maxCharacters - end.length,
      maxPx: room.maxPx - pixelWidth(end, room.sizePx)
    }
    if (fits(title, remaining)) return title + end
    const hasSpace =
      remaining.maxCharacters >= room.maxCharacters * MIN_TITLE_SHARE &&
      (room.maxPx === Number.POSITIVE_INFINITY || remaining.maxPx >= room.maxPx * MIN_TITLE_SHARE)
    // A single character with hundreds of combining marks may not fit at all.
    const begin = hasSpace ? shortenTitle(title, remaining) : ''
    if (hasSpace) return begin === '' ? tail.slice(first).join(', ') : begin + end
  }
  return null
}

const SEPARATORS = [' – ', ' — ', ' - ', ' | ', ' · ', ' • ', ' / ', ', ', '; ', ': ']

/** The title without the remarks at its end that do not fit, or else cut with an ellipsis. */
function shortenTitle(title: string, room: Room): string {
  const minPx = pixelWidth(title, room.sizePx) * MIN_TITLE_SHARE
  for (let text = title; ; ) {
    if (fits(text, room)) return text
    const shorter = withoutRemark(text)
    if (shorter === '' || pixelWidth(shorter, room.sizePx) < minPx) return shorten(title, room)
    text = shorter
  }
}

/** The title without a remark in brackets, or after a separator, at its end. */
function withoutRemark(title: string): string {
  const bracket = title.endsWith(')') ? '(' : title.endsWith(']') ? '[' : ''
  const end =
    bracket === ''
      ? Math.max(...SEPARATORS.map((separator) => title.lastIndexOf(separator)))
      : title.lastIndexOf(bracket)
  return title.slice(0, Math.max(0, end)).trimEnd()
}
