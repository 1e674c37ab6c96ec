/// <reference lib="dom" />
import type { Visibility } from '../../port/page-snapshot.ts'
import { areaOf, meet, reach, scrollersOf, windowOn } from './clipping.ts'
import { contrastWith } from './contrast.ts'
import { hostOf, rectsOf, type TextBlock } from './text-blocks.ts'
import { lineOf } from './tree.ts'

/**
 * What the styles say of whether a block can be read. What lies over it is not known yet:
 * `coverBlocks` adds it.
 */
export function visibilityOf(block: TextBlock): Visibility {
  const host = hostOf(block)
  const rects = rectsOf(block)
  const { visibility } = getComputedStyle(host)
  const { scale, rotation } = turnOf(host)
  const rendered =
    rects.length > 0 && visibility === 'visible' && host.checkVisibility({ contentVisibilityAuto: false })
  const total = rects.reduce((sum, rect) => sum + areaOf(rect), 0) || 1
  const [edges, reachable] = [
    windowOn(host),
    isFixed(host) ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight } : reach()
  ]
  const shown = rects.reduce((sum, rect) => sum + areaOf(meet(rect, edges)), 0)
  // What can be scrolled to within the page is as reachable as what it is scrolled in.
  const outermost = scrollersOf(host).at(-1)?.getBoundingClientRect()
  const offScreenShare =
    outermost === undefined
      ? 1 - rects.reduce((sum, rect) => sum + areaOf(meet(meet(rect, edges), reachable)), 0) / (shown || 1)
      : 1 - areaOf(meet(outermost, reachable)) / (areaOf(outermost) || 1)
  return {
    rendered,
    opacity: rendered ? opacityOf(host) : 0,
    clippedShare: rendered ? 1 - shown / total : 0,
    offScreenShare: rendered && shown > 0 ? offScreenShare : 0,
    coveredShare: 0,
    coveredBy: null,
    contrast: rendered ? contrastWith(host) : null,
    paintedShare: null,
    scale,
    rotation
  }
}

export const isFixed = (element: Element): boolean =>
  lineOf(element).some((one) => getComputedStyle(one).position === 'fixed')

/** The fixed or sticky element that an element belongs to. */
export function layerOf(element: Element): Element | null {
  for (let one: Element | null = element; one; one = one.parentElement) {
    if (/fixed|sticky/.test(getComputedStyle(one).position)) return one
  }
  return null
}

/**
 * How much of an element comes through: opacities, filters, and letters that are blurred beyond
 * reading.
 */
export function opacityOf(element: Element): number {
  let opacity = 1
  for (const one of lineOf(element)) {
    const style = getComputedStyle(one)
    opacity *= Number(style.opacity)
    const faded = /opacity\(([\d.]+)\)/.exec(style.filter)
    if (faded) opacity *= Number(faded[1])
    const blurred = /blur\(([\d.]+)px\)/.exec(style.filter)
    if (blurred && Number(blurred[1]) > 0.12 * parseFloat(getComputedStyle(element).fontSize)) opacity *= 0.1
  }
  return opacity
}

/** How an element is scaled and turned, all transforms above it together. */
export function turnOf(element: Element): { scale: number; rotation: number } {
  let matrix = new DOMMatrix()
  for (const one of lineOf(element)) {
    const style = getComputedStyle(one)
    let own = new DOMMatrix()
    if (style.rotate && style.rotate !== 'none') own = own.rotate(parseFloat(style.rotate.split(' ').at(-1)!))
    if (style.scale && style.scale !== 'none') {
      const [x = 1, y = x] = style.scale.split(' ').map(Number)
      own = own.scale(x, y)
    }
    if (style.transform !== 'none') own = own.multiply(new DOMMatrix(style.transform))
    matrix = own.multiply(matrix)
  }
  const { a, b, c, d } = matrix
  const determinant = a * d - b * c
  const zoom = (element as { currentCSSZoom?: number }).currentCSSZoom ?? 1
  const { writingMode, textOrientation } = getComputedStyle(element)
  const isSideways = /^(?:vertical|sideways)/.test(writingMode) && textOrientation !== 'upright'
  const angle = Math.round((Math.atan2(b, a) * 180) / Math.PI) + (isSideways ? 90 : 0)
  return { scale: Math.sqrt(Math.abs(determinant)) * zoom, rotation: determinant < 0 ? 180 : (angle + 360) % 360 }
}
