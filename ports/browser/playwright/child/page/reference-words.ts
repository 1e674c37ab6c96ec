/// <reference lib="dom" />
import type { Visibility } from '../../../port/page-snapshot.ts'
import { freezePage } from './freezing.ts'
import { scrollContainersOf } from './clipping.ts'
import type { Color } from './colors.ts'
import { composedClosest, composedContains, queryAllDeep, selfAndAncestors } from './dom.ts'
import { hasTextEffects, paintEffectsOf, textColorOf } from './pixel-checks.ts'
import { findFineAreas, type FineArea, isFineAt } from './fine-details.ts'
import { gradientOf, isLight, setInk } from './reference-ink.ts'
import { findShiftedWords, type FontMetrics } from './reference-lines.ts'
import { lettersOf, wordsOf, type WordRange } from './reference-text.ts'
import { showsBoxes } from './glyph-check.ts'
import { copiedStyleOf, hasOwnFirstLetter } from './reference-styles.ts'
import type { TextBlock } from './text-blocks.ts'

/** A block of the blog to compare, with its counterpart in the page. */
export interface ReferenceBlock {
  index: number
  /** The blog's text. */
  text: string
  tag: string
  similarity: number
  block: TextBlock
  visibility: Visibility | null
}

/** A word, or the part of it that is on one line, as the page shows it. Viewport coordinates. */
export interface ShownWord {
  block: number
  x: number
  y: number
  width: number
  height: number
  characters: number
  /** A Chinese or Japanese mark, or a character beside one. Absent if not. */
  besideMark?: true
  /** The browser has no font for its letters, and draws boxes. Absent if not. */
  boxes?: true
  /** Not on the baseline of its line, or on top of the letters before it. */
  shifted: boolean
  /** Painted by a background that is clipped to its letters. */
  gradient: boolean
  /** Captures at half the size may leave out details that change it. Absent if not. */
  fine?: true
  /** Lighter than its background. Browsers draw light letters with other edges. */
  light: boolean
  /** As the page paints the word, with its opacity. Null if that is not known, or the word is not the blog's. */
  color: Color | null
}

/** Stored as a global of the world between calls. */
export interface ReferenceState {
  blocks: ReferenceBlock[]
  opensDetails: boolean
  /** Where captures at half the size may leave out details. */
  fineAreas: FineArea[]
  /** The measured words as they were returned. */
  shown: ShownWord[]
  words: { block: number; range: Range; host: Element; text: string; style: string; scale: number; zoom: number }[]
}

/** Stores the blocks to compare for later calls in the same world. */
export function prepareReference(blocks: ReferenceBlock[], { opensDetails }: { opensDetails: boolean }): void {
  Object.assign(globalThis, {
    referenceState: { blocks, opensDetails, fineAreas: [], shown: [], words: [] } satisfies ReferenceState
  })
}

/**
 * Whether a block can be compared. Text that is missing, changed, hidden, covered or turned has a
 * finding of its own, and text turned by a few degrees is a matter of taste.
 */
export function isComparable({ similarity, visibility }: ReferenceBlock): boolean {
  return (
    similarity >= 0.99 &&
    visibility !== null &&
    visibility.rendered &&
    visibility.opacity >= 0.15 &&
    visibility.clippedShare <= 0.08 &&
    visibility.offScreenShare <= 0.08 &&
    visibility.coveredShare <= 0.3 &&
    visibility.rotation === 0
  )
}

/**
 * Measures the words of the blog in the page, line by line, down to `maxHeight`. Stops animations, hides
 * fixed and sticky layers of the site, and shows glyphs in black or white, so it must be the last measurement of
 * a page. At most `maxWords` words, `maxBlocks` blocks and `timeoutMs`; the rest is left out.
 */
export function measureWords(limits: { maxWords: number; maxBlocks: number; maxHeight: number; timeoutMs: number }): {
  words: ShownWord[]
  width: number
  scale: number
} {
  const startedMs = performance.now()
  const state = (globalThis as unknown as { referenceState: ReferenceState }).referenceState
  freezePage({ opensDetails: state.opensDetails })
  scrollTo({ top: 0, left: 0, behavior: 'instant' })
  hideLayers(blocksToCompare())
  const shown: ShownWord[] = []
  const known = { maxHeight: Math.min(limits.maxHeight, innerHeight), fonts: new Map(), recolored: new Map() }
  for (const one of state.blocks.filter(isComparable).slice(0, limits.maxBlocks)) {
    if (shown.length >= limits.maxWords || performance.now() - startedMs > limits.timeoutMs) break
    const words = measureBlock(one, known)
    for (const { shown: rect, ...word } of words) {
      shown.push(rect)
      state.words.push(word)
    }
  }
  const hosts = new Set(state.words.map(({ host }) => host))
  // Before shadows are removed.
  state.fineAreas = findFineAreas(hosts)
  // Other decorations may move text. It stays as it is from here on.
  setInk('own', hosts)
  for (const [index, { range }] of state.words.entries()) {
    const { x, y, width, height } = rectOfRange(range)
    Object.assign(shown[index]!, {
      x,
      y,
      width,
      height,
      ...(isFineAt(state.fineAreas, { x, y, width, height }) ? { fine: true } : {})
    })
  }
  state.shown = shown
  return { words: shown, width: innerWidth, scale: visualViewport?.scale ?? 1 }
}

export const blocksToCompare = (): Element[] =>
  (globalThis as unknown as { referenceState: ReferenceState }).referenceState.blocks.map(({ block }) => block.element)

/** Hides what stays in the viewport, except what contains the blog. */
export function hideLayers(blocks: Element[]): void {
  for (const element of (queryAllDeep('body *') as HTMLElement[]).slice(0, 20_000)) {
    if (!/fixed|sticky/.test(getComputedStyle(element).position)) continue
    if (blocks.some((block) => composedContains(element, block) || composedContains(block, element))) continue
    element.style.setProperty('visibility', 'hidden', 'important')
    element.style.setProperty('opacity', '0', 'important')
  }
}

/** `fonts` and `recolored`: what is known from the blocks before, most of which have the same styles and ancestors. */
export function measureBlock(
  one: ReferenceBlock,
  { maxHeight, fonts, recolored }: { maxHeight: number; fonts: FontMetrics; recolored: Map<Element, boolean> }
): (ReferenceState['words'][number] & { shown: ShownWord })[] {
  const { block, index, tag } = one
  const letters = lettersOf(one.text, block.nodes)
  const tests = new Map<Element, (rect: DOMRect) => boolean>()
  const copied = new Map<Element, string>()
  const paints = new Map<Element, Pick<ShownWord, 'gradient' | 'light' | 'color'>>()
  const isOneColor = !hasOwnColors(block.element)
  const firstLineBottom = firstLineOf(block)
  const skipsFirst = hasOwnFirstLetter(block.element)
  const scale = one.visibility!.scale
  const found: (ReferenceState['words'][number] & { shown: ShownWord })[] = []
  let isFirst = true
  for (const word of wordsOf(block.nodes, letters)) {
    const wasFirst = isFirst
    isFirst = false
    if (wasFirst && skipsFirst) continue
    const host = word.node.parentElement
    if (host === null) continue
    for (const { range, text, rect } of partsOf(word)) {
      if (rect.bottom > maxHeight || rect.top < 0 || rect.left < 0 || rect.right > innerWidth + 1) continue
      const isInView = tests.get(host) ?? createViewTest(host)
      tests.set(host, isInView)
      if (!isInView(rect)) continue
      const isFirstLine = firstLineBottom !== null && rect.top < firstLineBottom
      if (isFirstLine && hasRelativeSize(host, block.element)) continue
      const style =
        (isFirstLine ? null : copied.get(host)) ??
        copiedStyleOf(host, { tag, length: one.text.length, firstLineOf: isFirstLine ? block.element : null })
      if (!isFirstLine) copied.set(host, style)
      const zoom = (host as { currentCSSZoom?: number }).currentCSSZoom ?? 1
      const paint = paints.get(host) ?? {
        gradient: gradientOf(host) !== null,
        light: isLight(host),
        color: isOneColor ? plainColorOf(host, recolored) : null
      }
      paints.set(host, paint)
      const isOfBlog = letters.size > 0 && /[\p{L}\p{N}]/u.test(text)
      const { x, y, width, height } = rect
      found.push({
        ...{ block: index, range, host, text, style, zoom, scale: scale / zoom },
        shown: {
          block: index,
          x,
          y,
          width,
          height,
          characters: text.length,
          shifted: false,
          ...(isBesideMark(text, range) ? { besideMark: true as const } : {}),
          ...(showsBoxes(text, host) ? { boxes: true as const } : {}),
          ...paint,
          ...(isOfBlog ? {} : { color: null })
        }
      })
    }
  }
  const placed = found.map(({ host, range, shown }) => ({ host, range, ...shown }))
  const shifted = findShiftedWords(placed, fonts)
  for (const [at, { shown }] of found.entries()) shown.shifted = shifted.has(placed[at]!)
  return found
}

/**
 * Whether a part is a single Chinese or Japanese character that is a mark, or beside one. Browsers trim the space of
 * marks beside others (CSS Text 4, text-spacing-trim), and choose their fonts by what is around them: drawn alone,
 * such a character may be placed otherwise, or come from another font.
 */
export function isBesideMark(text: string, range: Range): boolean {
  const MARK = /[\u3000-\u303f\u30fb\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]/u
  if (!/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\u30fb-\u30fc\uff00-\uff65]$/u.test(text)) {
    return false
  }
  const { data } = range.startContainer as Text
  return MARK.test(data.slice(Math.max(0, range.startOffset - 1), range.endOffset + 1))
}

/** The color of an element's text. Null if shadows, outlines, filters or blend modes change what readers see of it. */
export function plainColorOf(host: Element, recolored: Map<Element, boolean>): Color | null {
  const isRecolored = (element: Element): boolean => {
    const known = recolored.get(element) ?? paintEffectsOf(element).recolors
    recolored.set(element, known)
    return known
  }
  return hasTextEffects(host) || selfAndAncestors(host).some(isRecolored) ? null : textColorOf(host)
}

/** Whether the first line of a block has another color than the rest. */
export const hasOwnColors = (element: Element): boolean =>
  getComputedStyle(element, '::first-line').color !== getComputedStyle(element).color

/** The first rectangle with an area. Ranges of Arabic and Hebrew also have empty ones. */
export const rectOfRange = (range: Range): DOMRect =>
  [...range.getClientRects()].find(({ width, height }) => width > 0.5 && height > 0.5) ?? range.getBoundingClientRect()

/**
 * Creates a function that tells whether a part of an element's text is shown without scrolling its
 * containers. It never is if they fade out what users scroll into view.
 */
export function createViewTest(host: Element): (rect: DOMRect) => boolean {
  const scrollers = scrollContainersOf(host)
  const line = selfAndAncestors(host)
  const mask = scrollers.length === 0 ? -1 : line.findIndex((element) => paintEffectsOf(element).masks)
  const isFaded = mask >= 0 && scrollers.some((scroller) => line.indexOf(scroller) <= mask)
  if (isFaded || getComputedStyle(host).visibility !== 'visible') return () => false
  const windows = scrollers.map((scroller) => scroller.getBoundingClientRect())
  return (rect) =>
    windows.every(
      ({ left, right, top, bottom }) =>
        rect.left >= left - 1 && rect.right <= right + 1 && rect.top >= top - 1 && rect.bottom <= bottom + 1
    )
}

/**
 * Whether the size of an element in the first line is unknown: its computed size is relative to the block, the one
 * that readers see may be relative to the first line.
 */
export function hasRelativeSize(host: Element, block: Element): boolean {
  const [size, first] = [getComputedStyle(block).fontSize, getComputedStyle(block, '::first-line').fontSize]
  return size !== first && getComputedStyle(host).fontSize !== size
}

/** The middle of the first line if it has a style of its own (`::first-line`). Null if not. */
export function firstLineOf({ element, nodes }: TextBlock): number | null {
  const [own, first] = [getComputedStyle(element), getComputedStyle(element, '::first-line')]
  const isStyled = ['fontSize', 'fontWeight', 'fontFamily', 'fontVariantCaps', 'textTransform', 'letterSpacing'].some(
    (name) => own[name as 'fontSize'] !== first[name as 'fontSize']
  )
  if (!isStyled || nodes[0] === undefined) return null
  const range = document.createRange()
  range.selectNodeContents(nodes[0])
  const rect = range.getClientRects()[0]
  return rect === undefined ? null : rect.top + rect.height / 2
}

/** The parts of a word on different lines. A word that is on one line has one. */
export function partsOf({ node, start, end, text }: WordRange): { range: Range; text: string; rect: DOMRect }[] {
  const rangeOf = (from: number, to: number): Range => {
    const range = document.createRange()
    range.setStart(node, from)
    range.setEnd(node, to)
    return range
  }
  const whole = rangeOf(start, end)
  const rects = [...whole.getClientRects()].filter(({ width, height }) => width > 0.5 && height > 0.5)
  if (rects.length === 0) return []
  if (rects.length === 1) return [{ range: whole, text, rect: rects[0]! }]
  // Chromium also reports several rectangles on one line, where the direction changes.
  if (text.length !== end - start || text.length > 2_000) return []
  const lines: { from: number; to: number; top: number }[] = []
  for (const { index, segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)) {
    const at = start + index
    const rect = rangeOf(at, at + segment.length).getClientRects()[0]
    const line = lines.at(-1)
    if (rect === undefined) continue
    if (line !== undefined && Math.abs(line.top - rect.top) < rect.height / 2) line.to = at + segment.length
    else lines.push({ from: at, to: at + segment.length, top: rect.top })
  }
  return lines.flatMap(({ from, to }) => {
    const range = rangeOf(from, to)
    const own = [...range.getClientRects()]
    return own.length === 1 ? [{ range, text: text.slice(from - start, to - start), rect: own[0]! }] : []
  })
}

/** The language of an element, which selects glyphs of Chinese, Japanese and Korean. */
export const languageOf = (element: Element): string => composedClosest(element, '[lang]')?.getAttribute('lang') ?? ''
