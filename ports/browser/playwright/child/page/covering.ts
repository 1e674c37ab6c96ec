/// <reference lib="dom" />
import type { Visibility } from '../../../port/page-snapshot.ts'
import { areaOf, intersect, visibleWindowOf, createScroller } from './clipping.ts'
import { gradientColors, parseColor, type Color } from './colors.ts'
import { locate, composedContains, elementsAt } from './dom.ts'
import { hostOf, rectsOf, type TextBlock } from './text-blocks.ts'
import { layerOf, lowestContrast, opacityOf } from './visibility.ts'

/** Whether a background hides what is below: by its color, an image, or a gradient with a color that is not faint. */
export function hasHidingBackground({
  backgroundColor,
  backgroundImage
}: Pick<CSSStyleDeclaration, 'backgroundColor' | 'backgroundImage'>): boolean {
  const MIN_HIDING_ALPHA = 0.35
  const hides = ([, , , alpha]: Color): boolean => alpha >= MIN_HIDING_ALPHA
  if (hides(parseColor(backgroundColor))) return true
  return backgroundImage !== 'none' && (gradientColors(backgroundImage)?.some(hides) ?? true)
}

/** Whether an element or its pseudo-elements hide what is below: by color, image or content. */
export function isOpaque(element: Element): boolean {
  if (opacityOf(element) < 0.3) return false
  if (/^(?:img|video|canvas|iframe|object|embed|input|textarea|select|button)$/.test(element.localName)) return true
  return [null, '::before', '::after'].some((pseudo) => {
    const style = getComputedStyle(element, pseudo)
    const { backdropFilter, content, display } = style
    if (pseudo !== null && (content === 'none' || content === 'normal' || display === 'none')) return false
    return hasHidingBackground(style) || /blur/.test(backdropFilter)
  })
}

/**
 * The element that covers the text of `host` at a point. `clip`: the text is not painted there.
 * Null: the text is visible. `own`: the text at the point is the host's own, so that descendants may
 * cover it.
 */
export function coverAt(
  { host, x, y, own = false }: { host: Element; x: number; y: number; own?: boolean },
  stack: Element[] = elementsAt(x, y)
): Element | 'clip' | null {
  for (const element of stack) {
    if (element === host) return null
    if (composedContains(host, element)) {
      if (own && isOpaque(element) && layerPosition(element, host) !== 'static') return element
      continue
    }
    // Ancestors are painted below the text, except for pseudo-elements above it, and for text with a
    // negative z-index.
    const isAround = composedContains(element, host)
    if (isAround && !stack.includes(host)) return 'clip'
    if (isAround ? hasOpaquePseudo(element) || (isOpaque(element) && !hasPseudo(element)) : isOpaque(element)) {
      return element
    }
  }
  return 'clip'
}

export const hasPseudo = (element: Element): boolean =>
  ['::before', '::after'].some((pseudo) => !/^(?:none|normal)$/.test(getComputedStyle(element, pseudo).content))

export function hasOpaquePseudo(element: Element): boolean {
  return ['::before', '::after'].some((pseudo) => {
    const style = getComputedStyle(element, pseudo)
    return !/^(?:none|normal)$/.test(style.content) && style.position !== 'static' && hasHidingBackground(style)
  })
}

/**
 * Scrolls each block to the middle of the viewport (tall blocks line by line), hit-tests points of
 * its lines, and writes coverage and contrast to `visibility`.
 */
export function measureCoverage(
  blocks: { block: TextBlock; visibility: Visibility }[],
  withoutClicks: ReadonlySet<Element> = new Set()
): void {
  const scrolling = createScroller()
  for (const { block, visibility } of blocks.slice(0, 250)) {
    const host = hostOf(block)
    const all = rectsOf(block)
    if (!visibility.rendered || visibility.opacity < 0.1 || visibility.clippedShare > 0.5 || all.length === 0) continue
    const isTall = all.at(-1)!.bottom - all[0]!.top > innerHeight * 0.6
    const covers: (Element | 'clip' | null)[] = []
    let underLink = 0
    for (const lines of isTall ? sampleIndexes(all.length).map((index) => [index]) : [[...all.keys()]]) {
      scrolling.reveal(
        host,
        lines.map((index) => rectsOf(block)[index]!)
      )
      const points = visiblePoints(block, { host, lines })
      if (covers.length === 0 && points.length > 0) measureContrast(visibility, block, points[0]!)
      for (const { x, y } of points) {
        const deep = textElementAt(block, { x, y })
        const stack = elementsAt(x, y)
        covers.push(coverAt({ host: deep ?? host, x, y, own: deep !== null }, stack))
        underLink += Number(isForeignControl(stack[0], { text: deep, withoutClicks }))
      }
    }
    if (covers.length === 0) continue
    if (underLink > 0) visibility.underLinkShare = Math.round((underLink / covers.length) * 100) / 100
    const clipped = covers.filter((one) => one === 'clip').length
    const elements = covers.filter((one) => one instanceof Element)
    visibility.coveredShare = elements.length / covers.length
    const [cover] = elements
    if (cover) {
      visibility.coveredBy = {
        ...locate(cover),
        text: (cover.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 80),
        position: layerPosition(cover)
      }
    }
    if (clipped / covers.length > 0.5) {
      visibility.clippedShare = Math.max(visibility.clippedShare, clipped / covers.length)
    }
  }
  scrolling.restore()
}

/** Whether clicks on a text go to a link or button that it is no part of. Fixed ones move away when it scrolls. */
export function isForeignControl(
  element: Element | undefined,
  { text, withoutClicks }: { text: Element | null; withoutClicks: ReadonlySet<Element> }
): boolean {
  const control = element?.closest('a[href], button') ?? null
  if (text === null || control === null || withoutClicks.has(control)) return false
  return !control.contains(text) && layerPosition(control) !== 'fixed'
}

/** The first, the last, and two indexes between. */
export const sampleIndexes = (count: number): number[] => [...new Set([0, count >> 2, count >> 1, count - 1])]

/** Points of a block's lines that are visible at the current scroll positions. */
export function visiblePoints(
  block: TextBlock,
  { host, lines }: { host: Element; lines: number[] }
): { x: number; y: number }[] {
  const edges = intersect(visibleWindowOf(host), { left: 0, top: 0, right: innerWidth, bottom: innerHeight })
  const all = rectsOf(block)
  const rects = lines
    .map((index) => all[index])
    .filter((rect) => rect !== undefined && areaOf(intersect(rect, edges)) > areaOf(rect) * 0.5) as DOMRect[]
  if (rects.length === 0) return []
  const points = sampleIndexes(rects.length)
    .map((index) => rects[index]!)
    .flatMap((rect) =>
      [0.08, 0.5, 0.92].map((part) => ({ x: rect.left + rect.width * part, y: rect.top + rect.height / 2 }))
    )
  return points.filter(({ x, y }) => x > edges.left && x < edges.right && y > edges.top && y < edges.bottom)
}

/** Measures the contrast with what is painted below the text, including layers that do not contain it. */
export function measureContrast(visibility: Visibility, block: TextBlock, { x, y }: { x: number; y: number }): void {
  const stack = elementsAt(x, y)
  const from = stack.indexOf(hostOf(block))
  if (visibility.contrast !== null && from >= 0) visibility.contrast = lowestContrast(block, stack.slice(from))
}

/**
 * Whether an opaque layer covers an image completely. Partial and translucent overlays are design.
 */
export function isImageCovered(image: Element): boolean {
  const scrolling = createScroller()
  scrolling.reveal(image, [image.getBoundingClientRect()])
  const box = image.getBoundingClientRect()
  const points = [0.1, 0.5, 0.9]
    .flatMap((part) =>
      [0.1, 0.5, 0.9].map((other) => ({ x: box.left + box.width * part, y: box.top + box.height * other }))
    )
    .filter(({ x, y }) => x > 0 && y > 0 && x < innerWidth && y < innerHeight)
  const covered = points.filter(({ x, y }) => {
    const stack = elementsAt(x, y)
    return (
      stack.includes(image) &&
      stack
        .slice(0, stack.indexOf(image))
        .some((element) => layerOf(element) === null && isSolid(element, composedContains(element, image)))
    )
  })
  scrolling.restore()
  return points.length > 0 && covered.length === points.length
}

/**
 * Whether an element has an opaque background. Of an element `around` the image, only its
 * pseudo-elements are above it.
 */
export function isSolid(element: Element, around: boolean): boolean {
  const isFull = (pseudo: string | null): boolean => {
    const { backgroundColor, content, position, opacity } = getComputedStyle(element, pseudo)
    if (pseudo !== null && (/^(?:none|normal)$/.test(content) || position === 'static')) return false
    return parseColor(backgroundColor)[3] * Number(opacity) >= 0.95
  }
  return (
    opacityOf(element) >= 0.95 &&
    (around ? ['::before', '::after'].some(isFull) : [null, '::before', '::after'].some(isFull))
  )
}

/** The element of a block whose text is at a point, such as a link within it. */
export function textElementAt(block: TextBlock, { x, y }: { x: number; y: number }): Element | null {
  const range = document.createRange()
  for (const node of block.nodes) {
    range.selectNodeContents(node)
    for (const rect of range.getClientRects()) {
      if (x >= rect.left && x <= rect.right && y >= rect.top && y <= rect.bottom) return node.parentElement
    }
  }
  return null
}

/** The position of the nearest positioned ancestor below `within`, or of the element itself. */
export function layerPosition(element: Element, within: Element | null = null): string {
  for (let one: Element | null = element; one && one !== within; one = one.parentElement) {
    const { position } = getComputedStyle(one)
    if (position === 'fixed' || position === 'sticky' || position === 'absolute') return position
  }
  return 'static'
}
