import { TITLE, pixelWidth, fits, shortened, type Room } from './shorten.ts'
import type { FallbackLevels } from './fallback-levels.ts'
import type { Subject } from './subject.ts'
import { containsName } from './words.ts'

const META_ROOM: Room = { maxCharacters: 300, maxPx: TITLE.maxPx, sizePx: TITLE.sizePx }
const PAGE_ROOM: Room = { maxCharacters: 500, maxPx: Number.POSITIVE_INFINITY, sizePx: TITLE.sizePx }
/** What must stay of a title beside what tells it apart, as a share of the room. */
const LEAST_OF_TITLE = 0.4

/**
 * The cleaned title, and what it becomes, step by step, where another product has it. At most 500
 * characters each.
 */
export function* pageTitles(subject: Subject, levels: FallbackLevels): Generator<string> {
  for (const tail of levels) {
    const title = joined(subject.title, tail, PAGE_ROOM)
    if (title !== null) yield title
  }
}

/**
 * Titles for search results, the best first: the title, what tells it from its siblings, and the
 * brand, else the innermost category, where there is room for it.
 * At most 580 px of Arial 20 px; a title that is too long is cut, what tells it apart is kept.
 */
export function* metaTitles(subject: Subject, levels: FallbackLevels): Generator<string> {
  const maker = subject.makerName || subject.category.at(-1) || ''
  for (const tail of subject.distinguishing.length > 0 ? levels.slice(1) : levels) {
    const core = joined(subject.title, tail, META_ROOM)
    if (core === null) continue
    const whole = maker === '' || containsName(core, maker) ? core : `${core} | ${maker}`
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
      maxCharacters: room.maxCharacters - end.length,
      maxPx: room.maxPx - pixelWidth(end, room.sizePx)
    }
    if (fits(title, left)) return title + end
    const enough =
      left.maxCharacters >= room.maxCharacters * LEAST_OF_TITLE &&
      (room.maxPx === Number.POSITIVE_INFINITY || left.maxPx >= room.maxPx * LEAST_OF_TITLE)
    // Of a title that is one character with hundreds of marks nothing has room.
    const begin = enough ? shortened(title, left) : ''
    if (enough) return begin === '' ? tail.slice(first).join(', ') : begin + end
  }
  return null
}
