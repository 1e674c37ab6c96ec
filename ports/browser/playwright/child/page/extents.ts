/// <reference lib="dom" />

/** The box around the lines of a text. */
export interface Extent {
  left: number
  right: number
  top: number
  bottom: number
}

/** The smallest box around some others. Null without any. */
export function extentOf(rects: DOMRect[]): Extent | null {
  if (rects.length === 0) return null
  return {
    left: Math.min(...rects.map(({ left }) => left)),
    right: Math.max(...rects.map(({ right }) => right)),
    top: Math.min(...rects.map(({ top }) => top)),
    bottom: Math.max(...rects.map(({ bottom }) => bottom))
  }
}

/** Whether two boxes share more than half of a height, but no width. */
export function areBeside(one: Extent, other: Extent): boolean {
  const shared = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  const smaller = Math.min(one.bottom - one.top, other.bottom - other.top)
  return shared > smaller / 2 && (one.right <= other.left + 1 || other.right <= one.left + 1)
}

/** The distance of an element's content from the edge at which lines start. */
export function startOf(element: Element): number {
  const { left, right } = element.getBoundingClientRect()
  const { direction, paddingInlineStart } = getComputedStyle(element)
  const edge = direction === 'rtl' ? document.documentElement.clientWidth - right : left
  return edge + (parseFloat(paddingInlineStart) || 0)
}
