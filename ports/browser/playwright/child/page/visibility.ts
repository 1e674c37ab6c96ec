/// <reference lib="dom" />
import type { Visibility, Typography } from '../../../port/page-snapshot.ts'
import { areaOf, intersect, scrollableArea, scrollContainersOf, clipWindowOf } from './clipping.ts'
import { textContrast } from './colors.ts'
import { selfAndAncestors } from './dom.ts'
import { piecesOf } from './text-damage.ts'
import { hostOf, rectsOf, type TextBlock, isDense } from './text-blocks.ts'

/** The visibility of a block by its styles. `measureCoverage` adds what covers it. */
export function visibilityOf(block: TextBlock): Visibility {
  const host = hostOf(block)
  const rects = rectsOf(block)
  const { visibility } = getComputedStyle(host)
  const { scale, rotation } = transformOf(host)
  const rendered =
    rects.length > 0 && visibility === 'visible' && host.checkVisibility({ contentVisibilityAuto: false })
  const total = rects.reduce((sum, rect) => sum + areaOf(rect), 0) || 1
  const [edges, reachable] = [
    clipWindowOf(host),
    isFixed(host) ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight } : scrollableArea()
  ]
  const shown = rects.reduce((sum, rect) => sum + areaOf(intersect(rect, edges)), 0)
  // Content of a scroll container is as reachable as its outermost container.
  const outermost = scrollContainersOf(host).at(-1)?.getBoundingClientRect()
  const offScreenShare =
    outermost === undefined
      ? 1 - rects.reduce((sum, rect) => sum + areaOf(intersect(intersect(rect, edges), reachable)), 0) / (shown || 1)
      : 1 - areaOf(intersect(outermost, reachable)) / (areaOf(outermost) || 1)
  return {
    rendered,
    opacity: rendered ? opacityOf(host) : 0,
    clippedShare: rendered ? 1 - shown / total : 0,
    offScreenShare: rendered && shown > 0 ? offScreenShare : 0,
    coveredShare: 0,
    coveredBy: null,
    contrast: rendered ? lowestContrast(block) : null,
    paintedShare: null,
    scale,
    rotation
  }
}

/** The contrast of a text, or that of its first line or of words in it if styles make those illegible. */
export function lowestContrast(block: TextBlock, under?: Element[]): number | null {
  const ILLEGIBLE = 1.5
  const { element } = block
  const contrast = textContrast(hostOf(block), under)
  if (contrast === null) return null
  const [own, first] = [getComputedStyle(element), getComputedStyle(element, '::first-line')]
  const isOther = first.webkitTextFillColor !== own.webkitTextFillColor && first.backgroundImage === 'none'
  const firstLine = isOther ? textContrast(hostOf(block), under, first.webkitTextFillColor) : null
  // Words are measured on the backgrounds of their ancestors. Where layers are below the text, these say nothing.
  const isOnAncestors = under === undefined || Math.abs((textContrast(hostOf(block)) ?? 0) - contrast) < 0.1
  const words = (isOnAncestors ? piecesOf(block) : [])
    .filter((piece) => /\p{L}{3}|\p{Script=Han}{2}/u.test(piece.textContent ?? ''))
    .map((piece) => textContrast(piece))
  const illegible = [firstLine, ...words].filter((value) => value !== null && value < ILLEGIBLE) as number[]
  return Math.min(contrast, ...illegible)
}

/** Whether readers cannot see most of a block because of its styles. */
export function isHiddenByStyles(
  { rendered, opacity, clippedShare, offScreenShare, contrast }: Visibility,
  typography: Typography | null
): boolean {
  const isInvisible = !rendered || opacity < 0.15 || (contrast !== null && contrast < 1.15)
  return isInvisible || clippedShare > 0.5 || offScreenShare > 0.5 || (typography !== null && typography.fontPx < 5)
}

export const isFixed = (element: Element): boolean =>
  selfAndAncestors(element).some((one) => getComputedStyle(one).position === 'fixed')

/** The nearest fixed or sticky ancestor, or the element itself. */
export function layerOf(element: Element): Element | null {
  for (let one: Element | null = element; one; one = one.parentElement) {
    if (/fixed|sticky/.test(getComputedStyle(one).position)) return one
  }
  return null
}

/** The effective opacity of an element: opacities and filters. */
export function opacityOf(element: Element): number {
  let opacity = 1
  for (const one of selfAndAncestors(element)) {
    const style = getComputedStyle(one)
    opacity *= Number(style.opacity)
    const faded = /opacity\(([\d.]+)\)/.exec(style.filter)
    if (faded) opacity *= Number(faded[1])
  }
  return opacity
}

/** The radius of all blur filters on an element, in pixels. */
export const blurOf = (element: Element): number =>
  selfAndAncestors(element).reduce(
    (sum, one) => sum + Number(/blur\(([\d.]+)px\)/.exec(getComputedStyle(one).filter)?.[1] ?? 0),
    0
  )

/** All transforms of an element and of those above it together. */
export function matrixOf(element: Element): DOMMatrix {
  let matrix = new DOMMatrix()
  for (const one of selfAndAncestors(element)) {
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
  return matrix
}

/** How an element is scaled and turned, all transforms above it together. */
export function transformOf(element: Element): { scale: number; rotation: number } {
  const { a, b, c, d } = matrixOf(element)
  const determinant = a * d - b * c
  const zoom = (element as { currentCSSZoom?: number }).currentCSSZoom ?? 1
  const { writingMode, textOrientation } = getComputedStyle(element)
  const isSideways = /^(?:vertical|sideways)/.test(writingMode) && textOrientation !== 'upright'
  const angle = Math.round((Math.atan2(b, a) * 180) / Math.PI) + (isSideways ? 90 : 0)
  return { scale: Math.sqrt(Math.abs(determinant)) * zoom, rotation: determinant < 0 ? 180 : (angle + 360) % 360 }
}

/** The typography of a rendered block. */
export function typographyOf(block: TextBlock, { scale }: Pick<Visibility, 'scale'>): Typography {
  const host = hostOf(block)
  const style = getComputedStyle(host)
  const fontPx = parseFloat(style.fontSize)
  const rects = rectsOf(block)
  const lines = lineWidthsOf(rects)
  const width = rects.reduce((sum, rect) => sum + rect.width, 0)
  const characters = block.text.length
  // CJK characters are square, whatever box a missing font renders.
  const perPx = isDense(block.text) ? 1 / (fontPx * scale || 1) : characters / (width || 1)
  const own = block.element.getBoundingClientRect()
  const { paddingLeft, paddingRight } = getComputedStyle(block.element)
  const inner = Math.max(0, own.width - parseFloat(paddingLeft || '0') - parseFloat(paddingRight || '0'))
  const full = lines.slice(0, -1)
  const measured =
    full.length > 0
      ? ((full.reduce((sum, line) => sum + line, 0) / full.length) * characters) / (width || 1)
      : characters
  const lineHeight = parseFloat(style.lineHeight)
  return {
    fontPx: Math.round(fontPx * scale * 100) / 100,
    bold: Number(style.fontWeight) >= 700,
    // `normal` depends on the font and is never tight.
    lineHeightRatio: Number.isNaN(lineHeight) ? 1.2 : Math.round((lineHeight / fontPx) * 1000) / 1000,
    letterSpacingEm: Math.round(((parseFloat(style.letterSpacing) || 0) / fontPx) * 1000) / 1000,
    wordSpacingEm: Math.round(((parseFloat(style.wordSpacing) || 0) / fontPx) * 1000) / 1000,
    lines: lines.length,
    charactersPerLine: Math.round(isDense(block.text) ? Math.min(measured, Math.max(1, inner * perPx)) : measured),
    lineCapacity: Math.round(inner * perPx),
    direction: style.direction === 'rtl' ? 'rtl' : 'ltr',
    fontFamily: style.fontFamily
  }
}

/** The widths of the lines that some text rectangles form, from top to bottom. */
export function lineWidthsOf(rects: DOMRect[]): number[] {
  const lines: { middle: number; height: number; width: number }[] = []
  for (const { top, height, width } of rects) {
    const middle = top + height / 2
    const line = lines.find((one) => Math.abs(one.middle - middle) < Math.min(one.height, height) * 0.6)
    if (line === undefined) lines.push({ middle, height, width })
    else line.width += width
  }
  return lines.sort((one, other) => one.middle - other.middle).map(({ width }) => width)
}
