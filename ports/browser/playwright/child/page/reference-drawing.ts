/// <reference lib="dom" />
import { blocksToCompare, hideLayers, languageOf, rectOfRange, type ReferenceState } from './reference-words.ts'

/** How a drawn word differs from the shown one before it is drawn at the same place. Pixels. */
export interface DrawnWord {
  /** The drawn width minus the shown one. */
  wider: number
  /** Whether the shown word has moved since it was measured. */
  moved: boolean
}

/** What `prepareDrawing` has created, stored as a global of the world between calls. */
export type DrawingLayer = Pick<DrawnReference, 'layer' | 'shadow' | 'canvases'>

/**
 * Creates the hidden layer for the drawing, with canvases for pictures. Must be called while scripts of the
 * page may run: browsers show no canvas that is inserted when they may not.
 */
export function prepareDrawing(pictures: number): void {
  const layer = document.createElement('div')
  layer.setAttribute('popover', 'manual')
  const important = 'all: initial; position: absolute; inset: 0 auto auto 0; margin: 0; padding: 0; border: 0'
  const look = 'overflow: hidden; background: #fff; color: #000; visibility: hidden; display: block'
  layer.style.cssText = `${important}; ${look}; width: 1px; height: 1px`.replace(/(?=;|$)/g, ' !important')
  const shadow = layer.attachShadow({ mode: 'closed' })
  const canvases = Array.from({ length: pictures }, () => {
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 0
    canvas.style.cssText = 'position: absolute; width: 0; height: 0'
    return canvas
  })
  shadow.append(...canvases)
  document.documentElement.append(layer)
  layer.showPopover()
  layer.getBoundingClientRect()
  Object.assign(globalThis, { drawingLayer: { layer, shadow, canvases } satisfies DrawingLayer })
}

/**
 * Draws the measured words over the whole page, in black on white, light ones in white on black: each with
 * the font settings of the page, at the place where the page shows it. They are in the same document, so
 * that its web fonts are available without another request, and in a closed shadow root in the top layer,
 * where the page's style sheets and layers do not reach them.
 */
export function drawReference(): DrawnWord[] {
  const GROUND_MARGIN_PX = 3
  const { words, shown } = (globalThis as unknown as { referenceState: ReferenceState }).referenceState
  const moved = findMovedWords()
  const { layer, shadow, canvases } = (globalThis as unknown as { drawingLayer: DrawingLayer }).drawingLayer
  layer.style.setProperty('width', `${innerWidth}px`, 'important')
  layer.style.setProperty('height', `${innerHeight}px`, 'important')
  layer.style.setProperty('visibility', 'visible', 'important')
  // Effects of the root element also apply to the top layer.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    '@layer visual-check { html { filter: none !important; opacity: 1 !important; transform: none !important; ' +
      'clip-path: none !important; mask: none !important; mix-blend-mode: normal !important } }'
  )
  document.adoptedStyleSheets.push(sheet)
  const zoomOfLayer = (layer as { currentCSSZoom?: number }).currentCSSZoom ?? 1
  // Below all words, so that none of them covers another.
  for (const { x, y, width, height } of shown.filter(({ light }) => light)) {
    const ground = document.createElement('div')
    const [left, top] = [x - GROUND_MARGIN_PX, y - GROUND_MARGIN_PX].map((edge) => edge / zoomOfLayer)
    const [wide, high] = [width, height].map((side) => (side + 2 * GROUND_MARGIN_PX) / zoomOfLayer)
    const place = `left: ${left}px; top: ${top}px; width: ${wide}px; height: ${high}px`
    ground.style.cssText = `position: absolute; ${place}; background: #000`
    shadow.append(ground)
  }
  const drawn = words.map(({ host, text, style, scale, zoom }, index) => {
    const { x, y, height, light } = shown[index]!
    const word = document.createElement('span')
    const ratio = zoom / zoomOfLayer
    word.textContent = text
    word.lang = languageOf(host)
    word.style.cssText =
      `${style} position: absolute; white-space: pre; left: ${x / zoom}px; top: ${y / zoom}px; ` +
      `line-height: ${height / zoom / scale}px; zoom: ${ratio}; color: ${light ? '#fff' : '#000'};` +
      (Math.abs(scale - 1) < 0.001 ? '' : ` transform: scale(${scale}); transform-origin: 0 0;`)
    shadow.append(word)
    return { word, zoom }
  })
  Object.assign(globalThis, {
    drawnReference: { words: drawn, layer, shadow, canvases, sheet } satisfies DrawnReference
  })
  const range = document.createRange()
  const rects = drawn.map(({ word }) => {
    range.selectNodeContents(word)
    return range.getBoundingClientRect()
  })
  return drawn.map(({ word, zoom }, index) => {
    const [rect, place] = [rects[index]!, shown[index]!]
    // Most words are where they should be. Moving each of them would lay out all of them again.
    if (place.x !== rect.x) word.style.left = `${parseFloat(word.style.left) + (place.x - rect.x) / zoom}px`
    if (place.y !== rect.y) word.style.top = `${parseFloat(word.style.top) + (place.y - rect.y) / zoom}px`
    return { wider: rect.width - place.width, moved: moved[index]! }
  })
}

/** Which words are no longer where they were measured. */
export function findMovedWords(): boolean[] {
  const { words, shown } = (globalThis as unknown as { referenceState: ReferenceState }).referenceState
  return words.map(({ range }, index) => {
    const { x, y } = rectOfRange(range)
    return Math.abs(x - shown[index]!.x) > 0.6 || Math.abs(y - shown[index]!.y) > 0.6
  })
}

/** What `drawReference` has drawn, stored as a global of the world between calls. */
export interface DrawnReference {
  words: { word: HTMLElement; zoom: number }[]
  layer: HTMLElement
  shadow: ShadowRoot
  /** For pictures, each used once. */
  canvases: HTMLCanvasElement[]
  /** Keeps effects of the root element away from the drawing. */
  sheet: CSSStyleSheet
}

/** Shows the drawing, or hides it and shows the page below it, without what has opened over it meanwhile. */
export function showReference(shown: boolean): void {
  const { layer, sheet } = (globalThis as unknown as { drawnReference: DrawnReference }).drawnReference
  sheet.disabled = !shown
  if (!shown) hideLayers([layer, ...blocksToCompare()])
  layer.style.setProperty('visibility', shown ? 'visible' : 'hidden', 'important')
}

/** Moves the drawn words of some blocks, in pixels. */
export function moveReference(moves: { block: number; dx: number; dy: number }[]): void {
  const { drawnReference, referenceState } = globalThis as unknown as {
    drawnReference: DrawnReference
    referenceState: ReferenceState
  }
  const byBlock = new Map(moves.map((move) => [move.block, move]))
  for (const [index, { word, zoom }] of drawnReference.words.entries()) {
    const move = byBlock.get(referenceState.words[index]!.block)
    if (move === undefined) continue
    word.style.left = `${parseFloat(word.style.left) + move.dx / zoom}px`
    word.style.top = `${parseFloat(word.style.top) + move.dy / zoom}px`
  }
}
