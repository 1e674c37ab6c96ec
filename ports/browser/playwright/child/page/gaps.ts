/// <reference lib="dom" />
import type { GapSnapshot } from '../../../port/page-snapshot.ts'
import { locate, queryAllDeep } from './dom.ts'
import type { Article } from './matching.ts'
import { hostOf, rectsOf, type TextBlock } from './text-blocks.ts'
import { isFixed, opacityOf } from './visibility.ts'

/**
 * Vertical gaps of at least half a viewport without any content, from the top of the page to the last
 * of the blog's blocks, in the column of the article. Content is visible text of anyone, and whatever
 * a browser draws by itself: images, embeds, controls, rules, background images.
 */
export function findGaps({ root }: Article, { own, page }: { own: TextBlock[]; page: TextBlock[] }): GapSnapshot[] {
  const MOST = 5
  const column = root.getBoundingClientRect()
  const ownRects = own.flatMap((block) => rectsOf(block))
  if (ownRects.length === 0) return []
  const [start, end] = [Math.min(...ownRects.map(({ top }) => top)), Math.max(...ownRects.map(({ bottom }) => bottom))]
  const inColumn = ({ left, right, width, height }: DOMRect): boolean =>
    width > 2 && height > 2 && right > column.left && left < column.right
  const texts = page
    .filter((block) => rectsOf(block).some(inColumn) && isPainted(hostOf(block)))
    .flatMap((block) =>
      rectsOf(block)
        .filter(inColumn)
        .map((rect) => ({ element: block.element, rect }))
    )
  const others = queryAllDeep('body *')
    .slice(0, 10_000)
    .filter((element) => isDrawn(element) && isPainted(element))
    .map((element) => ({ element, rect: element.getBoundingClientRect() }))
    .filter(({ rect }) => inColumn(rect))
  const content = [...texts, ...others].sort((one, other) => one.rect.top - other.rect.top)
  const gaps: GapSnapshot[] = []
  let bottom = -scrollY
  for (const { element, rect } of content) {
    if (rect.top >= end) break
    const heightPx = Math.round(rect.top - bottom)
    if (heightPx >= innerHeight / 2) {
      const place = locate(element)
      const box = {
        x: Math.round(column.left + scrollX),
        y: Math.round(bottom + scrollY),
        width: Math.round(column.width),
        height: heightPx
      }
      gaps.push({ selector: place.selector, box, heightPx, isBefore: rect.top <= start })
    }
    bottom = Math.max(bottom, rect.bottom)
  }
  return gaps.sort((one, other) => other.heightPx - one.heightPx).slice(0, MOST)
}

/** Whether a browser draws something for the element itself, besides text and colors. */
export function isDrawn(element: Element): boolean {
  const DRAWN =
    /^(?:img|svg|video|audio|iframe|canvas|object|embed|input|select|textarea|button|hr|meter|progress|math)$/
  return DRAWN.test(element.localName) || getComputedStyle(element).backgroundImage !== 'none'
}

/** Whether an element is visible, and moves with the page. */
export const isPainted = (element: Element): boolean =>
  element.checkVisibility({ visibilityProperty: true }) && opacityOf(element) >= 0.15 && !isFixed(element)
