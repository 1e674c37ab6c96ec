import { TITLE, pixelWidth } from './pixel-width.ts'
import type { Rungs } from './rungs.ts'
import { fits, shortened, type Room } from './shorten.ts'
import type { Subject } from './subject.ts'
import { names } from './words-in.ts'

const META_ROOM: Room = { mostCharacters: 300, mostPx: TITLE.mostPx, sizePx: TITLE.sizePx }
const PAGE_ROOM: Room = { mostCharacters: 500, mostPx: Number.POSITIVE_INFINITY, sizePx: TITLE.sizePx }
/** What must stay of a title beside what tells it apart, as a share of the room. */
const LEAST_OF_TITLE = 0.4

/**
 * The cleaned title, and what it becomes, step by step, where another product has it. At most 500
 * characters each.
 */
export function* pageTitles(subject: Subject, rungs: Rungs): Generator<string> {
  for (const tail of rungs) {
    const title = joined(subject.title, tail, PAGE_ROOM)
    if (title !== null) yield title
  }
}

/**
 * Titles for search results, the best first: the title, what tells it from its siblings, and the
 * brand, else the innermost category, where there is room for it.
 * At most 580 px of Arial 20 px; a title that is too long is cut, what tells it apart is kept.
 */
export function* metaTitles(subject: Subject, rungs: Rungs): Generator<string> {
  const maker = subject.makerName || subject.category.at(-1) || ''
  for (const tail of subject.telling.length > 0 ? rungs.slice(1) : rungs) {
    const core = joined(subject.title, tail, META_ROOM)
    if (core === null) continue
    const whole = maker === '' || names(core, maker) ? core : `${core} | ${maker}`
    yield fits(whole, META_ROOM) ? whole : core
  }
}

/**
 * `Title – a, b`, the title cut where the whole has no room; without the first of the tail's parts
 * where they leave too little of the title. Null when even the last does, and when nothing of the
 * title alone has room.
 */
export function joined(title: string, tail: string[], room: Room): string | null {
  if (tail.length === 0) return shortened(title, room) || null
  for (let first = 0; first < tail.length; first++) {
    const end = ` – ${tail.slice(first).join(', ')}`
    const left = {
      ...room,
      mostCharacters: room.mostCharacters - end.length,
      mostPx: room.mostPx - pixelWidth(end, room.sizePx)
    }
    if (fits(title, left)) return title + end
    const enough =
      left.mostCharacters >= room.mostCharacters * LEAST_OF_TITLE &&
      (room.mostPx === Number.POSITIVE_INFINITY || left.mostPx >= room.mostPx * LEAST_OF_TITLE)
    // Of a title that is one character with hundreds of marks nothing has room.
    const begin = enough ? shortened(title, left) : ''
    if (enough) return begin === '' ? tail.slice(first).join(', ') : begin + end
  }
  return null
}
