import type { ViewportSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { isRendered } from './helpers/blocks.ts'
import { round } from './helpers/text.ts'
import type { HitPlace, RuleHit, RuleInput } from './rule.ts'

/** In viewport heights. */
const MAX_GAP = 1
/** Of the height of the article. */
const MAX_EMPTY_SHARE = 0.4
/** Sites leave up to about five lines between blocks, and more above a heading. */
const MAX_SPACE_PX = 150

/**
 * The empty areas between blocks, hidden or not, that are higher than the spacing of any site. None if they fill
 * little of the article.
 */
function getWideSpaces({ blocks, images, embeds = [], unexpectedTexts, height, width }: ViewportSnapshot): HitPlace[] {
  const boxes = blocks
    .filter(isRendered)
    .flatMap(({ place, index }) => (place?.box == null ? [] : [{ place, box: place.box, index }]))
  const others = [...images, ...embeds, ...unexpectedTexts].flatMap(({ box }) =>
    box === null ? [] : [{ box, place: null, index: -1 }]
  )
  const all = [...boxes, ...others].sort((one, other) => one.box.y - other.box.y)
  const start = Math.min(...boxes.map(({ box }) => box.y))
  const end = Math.max(...boxes.map(({ box }) => box.y + box.height))
  let bottom = start
  let empty = 0
  const places: HitPlace[] = []
  for (const one of all) {
    const { y } = one.box
    if (y < start || y > end) continue
    if (y - bottom > MAX_SPACE_PX) {
      empty += y - bottom
      const box = { x: 0, y: Math.round(bottom), width, height: Math.round(y - bottom) }
      if (one.place !== null) places.push({ place: { selector: one.place.selector, box }, block: one.index })
    }
    bottom = Math.max(bottom, y + one.box.height)
  }
  return empty > height && empty > MAX_EMPTY_SHARE * (end - start) ? places : []
}

export function detectGap({ snapshot }: RuleInput): RuleHit | null {
  const large = (snapshot.gaps ?? []).filter(({ heightPx }) => heightPx > MAX_GAP * snapshot.height)
  const [highest] = large
  if (highest === undefined) {
    const places = getWideSpaces(snapshot)
    if (places.length === 0) return null
    return {
      extent: Math.min(1, places.length / snapshot.blocks.length),
      places,
      evidence: { spaces: places.length, widestPx: Math.max(...places.map(({ place }) => place.box!.height)) },
      message: 'Empty space takes up a large part of the article.',
      advice: 'Remove the empty space. Look for empty paragraphs, margins and minimum heights.'
    }
  }
  const total = large.reduce((sum, { heightPx }) => sum + heightPx, 0)
  return {
    extent: Math.min(1, total / Math.max(1, snapshot.document.scrollHeight)),
    places: large.map(({ selector, box }) => ({ place: { selector, box } })),
    evidence: { heightPx: highest.heightPx, screens: round(highest.heightPx / snapshot.height, 1) }
  }
}
