/// <reference lib="dom" />
import { scrollersOf } from './clipping.ts'

export interface Scrolling {
  reveal: (element: Element, rects: DOMRect[]) => void
  restore: () => void
}

/**
 * Scrolls as a reader could, and puts everything back. What cannot be scrolled by hand is not
 * scrolled.
 */
export function createScrolling(): Scrolling {
  const before = new Map<Element, [number, number]>()
  const [x, y] = [scrollX, scrollY]
  return {
    /** Brings the middle of an element's text to the middle of the viewport, as far as it goes. */
    reveal(element, rects) {
      const middle = (rects[0]!.top + rects.at(-1)!.bottom) / 2
      let moved = 0
      for (const scroller of scrollersOf(element)) {
        if (!before.has(scroller)) before.set(scroller, [scroller.scrollLeft, scroller.scrollTop])
        const was = scroller.scrollTop
        const box = scroller.getBoundingClientRect()
        scroller.scrollTop += middle - moved - (box.top + box.bottom) / 2
        moved += scroller.scrollTop - was
      }
      scrollTo(scrollX, scrollY + middle - moved - innerHeight / 2)
    },
    restore() {
      for (const [scroller, [left, top]] of before) {
        scroller.scrollLeft = left
        scroller.scrollTop = top
      }
      scrollTo(x, y)
    }
  }
}
