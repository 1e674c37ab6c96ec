/// <reference lib="dom" />
import { composedParent } from './dom.ts'

export interface Edges {
  left: number
  top: number
  right: number
  bottom: number
}

/** The axes in which the page cannot be scrolled. */
export function lockedAxes(): { x: boolean; y: boolean } {
  const [ofHtml, ofBody] = [getComputedStyle(document.documentElement), getComputedStyle(document.body)]
  // The viewport uses the overflow of html, or otherwise that of body (CSS Overflow 3, section 3.3).
  const effective = ofHtml.overflowX === 'visible' && ofHtml.overflowY === 'visible' ? ofBody : ofHtml
  const isLocked = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
  return { x: isLocked(effective.overflowX), y: isLocked(effective.overflowY) }
}

/** The scrollable area of the page, in current viewport coordinates. */
export function scrollableArea(): Edges {
  const { documentElement: html } = document
  const locked = lockedAxes()
  const [width, height] = [html.clientWidth, html.clientHeight]
  const [spareX, spareY] = [Math.max(0, html.scrollWidth - width), Math.max(0, html.scrollHeight - height)]
  const isRtl = getComputedStyle(html).direction === 'rtl'
  return {
    left: locked.x ? 0 : (isRtl ? -spareX : 0) - scrollX,
    right: locked.x ? width : width + (isRtl ? 0 : spareX) - scrollX,
    top: -scrollY,
    bottom: locked.y ? height : height + spareY - scrollY
  }
}

/** The scroll containers around an element that users can scroll, inside out, without the viewport. */
export function scrollContainersOf(element: Element): Element[] {
  const scrollers: Element[] = []
  for (
    let one = composedParent(element);
    one && one !== document.body && one !== document.documentElement;
    one = composedParent(one)
  ) {
    const { overflowX, overflowY } = getComputedStyle(one)
    const isTall = /auto|scroll/.test(overflowY) && one.scrollHeight > one.clientHeight + 1
    const isWide = /auto|scroll/.test(overflowX) && one.scrollWidth > one.clientWidth + 1
    if (isTall || isWide) scrollers.push(one)
  }
  return scrollers
}

export function intersect(one: Edges, other: Edges): Edges {
  return {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom)
  }
}

export const areaOf = ({ left, top, right, bottom }: Edges): number =>
  Math.max(0, right - left) * Math.max(0, bottom - top)

/** The area to which the ancestors clip an element. A scroll container clips only itself. */
export function clipWindowOf(element: Element): Edges {
  let edges: Edges = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity }
  let position = getComputedStyle(element).position
  // Content of a scroll container is visible where the container is. Ancestors clip the container,
  // not its content.
  let [isScrolledX, isScrolledY] = [false, false]
  for (
    let one: Element | null = element;
    one && one !== document.documentElement && one !== document.body;
    one = composedParent(one)
  ) {
    const style = getComputedStyle(one)
    // Elements between a positioned element and its containing block do not clip it.
    const skips =
      one !== element &&
      ((position === 'absolute' &&
        style.position === 'static' &&
        style.transform === 'none' &&
        style.contain === 'none') ||
        (position === 'fixed' && style.transform === 'none'))
    if (!skips) {
      const { left, right, top, bottom } = clipEdgesOf(one, style)
      edges = intersect(edges, {
        left: isScrolledX ? -Infinity : left,
        right: isScrolledX ? Infinity : right,
        top: isScrolledY ? -Infinity : top,
        bottom: isScrolledY ? Infinity : bottom
      })
      if (one !== element) position = style.position
      isScrolledX ||=
        /auto|scroll/.test(style.overflowX) && one.clientWidth >= 20 && one.scrollWidth > one.clientWidth + 1
      isScrolledY ||=
        /auto|scroll/.test(style.overflowY) && one.clientHeight >= 20 && one.scrollHeight > one.clientHeight + 1
    }
  }
  return edges
}

/** The area in which an element is visible at the current scroll positions. */
export function visibleWindowOf(element: Element): Edges {
  return scrollContainersOf(element)
    .map((scroller): Edges => scroller.getBoundingClientRect())
    .reduce(intersect, clipWindowOf(element))
}

export function clipEdgesOf(element: Element, { overflowX, overflowY, clip, position }: CSSStyleDeclaration): Edges {
  const { left, top, right, bottom, width, height } = element.getBoundingClientRect()
  const [x, y] = [element.clientWidth, element.clientHeight]
  // A scroll container of a few pixels hides its content.
  const isCut = (overflow: string, length: number) =>
    overflow === 'hidden' || overflow === 'clip' || ((overflow === 'auto' || overflow === 'scroll') && length < 20)
  const isInline = getComputedStyle(element).display === 'inline'
  const edges = {
    left: !isInline && isCut(overflowX, x) ? left : -Infinity,
    right: !isInline && isCut(overflowX, x) ? right : Infinity,
    top: !isInline && isCut(overflowY, y) ? top : -Infinity,
    bottom: !isInline && isCut(overflowY, y) ? bottom : Infinity
  }
  const isClipped = (position === 'absolute' || position === 'fixed') && /^rect\(/.test(clip)
  if (!isClipped) return edges
  const [above = 0, after = width, below = height, before = 0] = clip
    .slice(5, -1)
    .split(/[, ]+/)
    .map((length, index) => (length === 'auto' ? [0, width, height, 0][index]! : parseFloat(length)))
  return intersect(edges, { left: left + before, right: left + after, top: top + above, bottom: top + below })
}

export interface Scroller {
  reveal: (element: Element, rects: DOMRect[]) => void
  restore: () => void
}

/** Scrolls like a user, and restores all scroll positions. Does not scroll what users cannot. */
export function createScroller(): Scroller {
  const before = new Map<Element, [number, number]>()
  const [x, y] = [scrollX, scrollY]
  return {
    /** Scrolls the middle of the rectangles to the middle of the viewport, as far as possible. */
    reveal(element, rects) {
      const middle = (rects[0]!.top + rects.at(-1)!.bottom) / 2
      let moved = 0
      for (const scroller of scrollContainersOf(element)) {
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
