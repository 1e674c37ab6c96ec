/// <reference lib="dom" />
import type { Visibility } from '../../../port/page-snapshot.ts'
import { areaOf, intersect, scrollContainersOf, visibleWindowOf, createScroller, type Scroller } from './clipping.ts'
import { parseColor, type Color } from './colors.ts'
import { textElementAt, coverAt } from './covering.ts'
import { selfAndAncestors } from './dom.ts'
import { hostOf, rectsOf, type TextBlock } from './text-blocks.ts'

/**
 * What computed styles do not determine of a block. `background`: the text is on an image, so the
 * contrast is unknown. `painting`: a mask, a blend mode or a filter may hide the glyphs. `texture`:
 * the same for all blocks on the same small repeated image.
 */
export interface PixelCheck {
  index: number
  background: boolean
  painting: boolean
  texture: string | null
  color: Color
}

/** A line of glyphs in the viewport, and their color including opacity. */
export interface GlyphLine {
  x: number
  y: number
  width: number
  height: number
  color: Color
}

/**
 * The blocks that need screenshots to tell whether their text is readable. Skips hidden blocks, and
 * text with an outline, a shadow or an image of its own. Resets a contrast that ignores the image of
 * a pseudo-element.
 */
export function findPixelChecks(
  found: { index: number; block: TextBlock; visibility: Visibility | null }[]
): PixelCheck[] {
  const known = new Map<Element, PaintEffects>()
  const redrawingOf = (element: Element): PaintEffects => {
    const redrawing = known.get(element) ?? paintEffectsOf(element)
    known.set(element, redrawing)
    return redrawing
  }
  return found.flatMap(({ index, block, visibility }) => {
    if (
      visibility === null ||
      !visibility.rendered ||
      visibility.opacity < 0.15 ||
      visibility.clippedShare > 0.5 ||
      visibility.offScreenShare > 0.5 ||
      visibility.coveredShare > 0.3
    ) {
      return []
    }
    const host = hostOf(block)
    const line = selfAndAncestors(host).map((element) => ({ element, ...redrawingOf(element) }))
    const isRecolored = line.some(({ recolors }) => recolors)
    // A mask at the edge of a scroll container does not hide what users scroll into view.
    const edge = line.findIndex(({ masks }) => masks)
    const isMasked =
      edge >= 0 &&
      !scrollContainersOf(host).some((scroller) => line.findIndex(({ element }) => element === scroller) <= edge)
    if (line.some(({ hangs }) => hangs)) visibility.contrast = null
    const isGround = !isRecolored && visibility.contrast === null
    if (
      (!isGround && !isRecolored && !isMasked) ||
      hasTextEffects(host) ||
      (isGround && line.some(({ shades }) => shades))
    ) {
      return []
    }
    return [
      {
        index,
        background: isGround,
        painting: isRecolored || isMasked,
        texture: isGround ? textureKeyOf(line.map(({ element }) => element)) : null,
        color: textColorOf(host)
      }
    ]
  })
}

/**
 * How an element changes the painting of its content. `shades`: it adds a drop shadow. `hangs`: a
 * pseudo-element covers it with an image.
 */
export interface PaintEffects {
  recolors: boolean
  masks: boolean
  shades: boolean
  hangs: boolean
}

export function paintEffectsOf(element: Element): PaintEffects {
  const { mixBlendMode, filter, clipPath, maskImage, webkitMaskBoxImageSource } = getComputedStyle(element)
  return {
    // Blur and opacity count as opacity. A drop shadow hides nothing.
    recolors:
      mixBlendMode !== 'normal' ||
      /(?:brightness|contrast|invert|grayscale|sepia|saturate|hue-rotate|url)\(/.test(filter),
    masks:
      /^(?:path|url|shape)\(/.test(clipPath) ||
      [maskImage, webkitMaskBoxImageSource].some((image) => image !== undefined && image !== '' && image !== 'none'),
    shades: /drop-shadow\(/.test(filter),
    hangs: ['::before', '::after'].some((pseudo) => {
      const { content, display, backgroundImage, position, width, height } = getComputedStyle(element, pseudo)
      if (
        content === 'none' ||
        content === 'normal' ||
        display === 'none' ||
        !/absolute|fixed/.test(position) ||
        !/url\(|image-set\(/.test(backgroundImage)
      ) {
        return false
      }
      const box = element.getBoundingClientRect()
      return parseFloat(width) * parseFloat(height) > 0.5 * box.width * Math.min(box.height, innerHeight)
    })
  }
}

/** Whether text has an outline, a shadow, or a background clipped to it. */
export function hasTextEffects(host: Element): boolean {
  const { textShadow, webkitTextStrokeWidth } = getComputedStyle(host)
  return (
    textShadow !== 'none' ||
    parseFloat(webkitTextStrokeWidth) > 0 ||
    selfAndAncestors(host).some((element) => /text/.test(getComputedStyle(element).backgroundClip))
  )
}

/** Identifies the repeated image below an element and the layers on it. Null for other backgrounds. */
export function textureKeyOf(line: Element[]): string | null {
  const names: string[] = []
  for (const [depth, element] of line.entries()) {
    const { backgroundColor, backgroundImage, backgroundRepeat, backgroundSize } = getComputedStyle(element)
    if (['::before', '::after'].some((pseudo) => /url\(/.test(getComputedStyle(element, pseudo).backgroundImage))) {
      return null
    }
    if (parseColor(backgroundColor)[3] > 0) names.push(backgroundColor)
    if (backgroundImage === 'none') {
      if (parseColor(backgroundColor)[3] === 1) return null
      continue
    }
    const isSmall = backgroundSize
      .split(/[ ,]+/)
      .every((size) => size === 'auto' || (size.endsWith('px') && parseFloat(size) <= 600))
    return /^url\([^()]*\)$/.test(backgroundImage) && backgroundRepeat === 'repeat' && isSmall
      ? `${line.length - depth} ${backgroundImage.slice(0, 300)} ${names.join()}`
      : null
  }
  return null
}

/** Stored as a global of the world between calls. `colors`: text colors by element; null: skipped. */
export interface PixelCheckState {
  blocks: Map<number, TextBlock>
  colors: Map<Element, Color | null>
  bare: [Document | ShadowRoot, CSSStyleSheet][]
  still: [Document | ShadowRoot, CSSStyleSheet][]
  scrolling: Scroller
}

/** Stores the blocks to check for later calls in the same world. */
export function preparePixelChecks(found: Map<number, TextBlock>, doubts: PixelCheck[]): void {
  const blocks = new Map(doubts.map(({ index }) => [index, found.get(index)!]))
  const hosts = [...blocks.values()].flatMap(({ nodes }) => nodes.flatMap(({ parentElement }) => parentElement ?? []))
  const colors = new Map(hosts.map((host) => [host, hasTextEffects(host) ? null : textColorOf(host)]))
  Object.assign(globalThis, {
    pixelCheckState: { blocks, colors, bare: [], still: [], scrolling: createScroller() } satisfies PixelCheckState
  })
}

/**
 * Scrolls the block `anchor` to the middle of the viewport. Returns the visible lines of the wanted
 * blocks without covered lines, and the width of the viewport. `share`: of the block's lines.
 */
export function revealGlyphLines({ anchor, wanted }: { anchor: number; wanted: number[] }): {
  width: number
  inView: { index: number; share: number; lines: GlyphLine[] }[]
} {
  const state = (globalThis as unknown as { pixelCheckState: PixelCheckState }).pixelCheckState
  const { blocks, scrolling, colors } = state
  if (state.still.length === 0) {
    state.still = adoptStyleSheet(
      '*, *::before, *::after { transition: none !important; scroll-behavior: auto !important; ' +
        'pointer-events: auto !important; caret-color: transparent !important }'
    )
  }
  const middle = blocks.get(anchor)
  const rects = middle === undefined ? [] : rectsOf(middle)
  if (middle !== undefined && rects.length > 0) scrolling.reveal(hostOf(middle), rects)
  // If the page is wider than the screen, the screen shows a part of the layout viewport.
  const { width, height } = screenSize()
  scrollBy({ top: (innerHeight - height) / 2, behavior: 'instant' })
  const inView = wanted
    .flatMap((index) => {
      const block = blocks.get(index)
      return block === undefined || !isInViewport(block.element) ? [] : [{ index, ...glyphLinesOf(block, colors) }]
    })
    .filter(({ lines }) => lines.length > 0)
  return { width, inView }
}

/** The size of a screenshot in CSS pixels. */
export const screenSize = (): { width: number; height: number } => ({
  width: visualViewport?.width ?? innerWidth,
  height: visualViewport?.height ?? innerHeight
})

/** Whether a part of an element is in the viewport. */
export function isInViewport(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}

export function glyphLinesOf(
  block: TextBlock,
  colors: PixelCheckState['colors']
): { share: number; lines: GlyphLine[] } {
  const MOST = 60
  const screen = screenSize()
  const range = document.createRange()
  const lines: GlyphLine[] = []
  let [all, seen] = [0, 0]
  for (const node of block.nodes) {
    const host = node.parentElement
    if (host === null) continue
    range.selectNodeContents(node)
    const window = intersect(visibleWindowOf(host), { left: 0, top: 0, right: screen.width, bottom: screen.height })
    const color = colors.get(host) ?? null
    for (const rect of range.getClientRects()) {
      if (rect.width < 4 || rect.height < 4) continue
      all += areaOf(rect)
      const { left, top, right, bottom } = intersect(rect, window)
      const isIn = areaOf({ left, top, right, bottom }) > areaOf(rect) * 0.9
      if (!isIn) continue
      seen += areaOf(rect)
      if (
        color === null ||
        lines.length >= MOST ||
        isTextCovered(block, { x: (left + right) / 2, y: (top + bottom) / 2 })
      ) {
        continue
      }
      lines.push({ x: left, y: top, width: right - left, height: bottom - top, color })
    }
  }
  return { share: seen / (all || 1), lines }
}

/** Whether a layer covers the text at a point at the current scroll position. */
export function isTextCovered(block: TextBlock, { x, y }: { x: number; y: number }): boolean {
  const deep = textElementAt(block, { x, y })
  return coverAt({ host: deep ?? hostOf(block), x, y, own: deep !== null }) instanceof Element
}

/** The text color of an element, including the opacities of its ancestors. */
export function textColorOf(host: Element): Color {
  const style = getComputedStyle(host)
  const [red, green, blue, alpha] = parseColor(style.webkitTextFillColor || style.color)
  return [
    red,
    green,
    blue,
    selfAndAncestors(host).reduce((product, element) => product * Number(getComputedStyle(element).opacity), alpha)
  ]
}

/**
 * Hides or shows all glyphs without changing the layout. Important styles in a layer win over the
 * important styles of the page.
 */
export function setGlyphsVisible(shown: boolean): void {
  const state = (globalThis as unknown as { pixelCheckState: PixelCheckState }).pixelCheckState
  if (shown) state.bare = removeStyleSheets(state.bare)
  else if (state.bare.length === 0) {
    state.bare = adoptStyleSheet(
      '@layer visual-check { *, *::before, *::after { -webkit-text-fill-color: transparent !important; ' +
        '-webkit-text-stroke-color: transparent !important; text-decoration-color: transparent !important; ' +
        'text-shadow: none !important } }'
    )
  }
}

/** Restores styles and scroll positions. */
export function finishPixelChecks(): void {
  const state = (globalThis as unknown as { pixelCheckState: PixelCheckState }).pixelCheckState
  state.bare = removeStyleSheets(state.bare)
  state.still = removeStyleSheets(state.still)
  state.scrolling.restore()
}

/** Adopts a style sheet in the document and in every shadow root with blocks to check. */
export function adoptStyleSheet(css: string): [Document | ShadowRoot, CSSStyleSheet][] {
  const { blocks } = (globalThis as unknown as { pixelCheckState: PixelCheckState }).pixelCheckState
  const roots = new Set([
    document,
    ...[...blocks.values()].flatMap(({ nodes }) => nodes.map((node) => node.getRootNode() as Document | ShadowRoot))
  ])
  return [...roots]
    .filter((root) => 'adoptedStyleSheets' in root)
    .map((root) => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(css)
      root.adoptedStyleSheets.push(sheet)
      return [root, sheet]
    })
}

/** Removes the style sheets of `adoptStyleSheet`. */
export function removeStyleSheets(sheets: [Document | ShadowRoot, CSSStyleSheet][]): [] {
  for (const [root, own] of sheets) root.adoptedStyleSheets = root.adoptedStyleSheets.filter((sheet) => sheet !== own)
  return []
}
