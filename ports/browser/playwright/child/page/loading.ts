/// <reference lib="dom" />
import { queryAllDeep } from './dom.ts'
import { compactText } from './text-blocks.ts'

/** The positions of the blog's blocks at a moment, in viewport coordinates, to measure layout shifts. */
export interface LayoutMoment {
  /** Fonts that are still loading, and whose text is invisible until then. */
  lateFonts: string[]
  height: number
  width: number
  drawn: boolean
  blocks: { key: string; x: number; y: number; width: number; visibleHeight: number }[]
}

/**
 * Finds blocks by their first 24 compact characters (`keys`). Searches shadow roots only if there
 * are none outside, since it is called many times while a page loads.
 */
export function captureLayout(keys: string[]): LayoutMoment {
  const BLOCKS = 'p, h1, h2, h3, h4, li, blockquote, td, th, pre, figcaption, dt, dd, div'
  // Nothing of the document has arrived yet.
  if ((document.documentElement as Element | null) === null) {
    return { height: 0, width: 0, drawn: false, blocks: [], lateFonts: [] }
  }
  const wanted = new Set(keys)
  const [height, width] = [innerHeight, document.documentElement.clientWidth]
  const outside = blocksAmong([...document.querySelectorAll(BLOCKS)], wanted)
  // A single block may be the headline.
  const blocks = outside.length > 1 ? outside : blocksAmong(queryAllDeep(BLOCKS), wanted)
  const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[rel~="stylesheet" i]')]
  const drawn =
    performance.getEntriesByType('paint').length > 0 ||
    (document.readyState !== 'loading' &&
      sheets.every(({ sheet, disabled, media }) => sheet !== null || disabled || !matchMedia(media || 'all').matches))
  return { height, width, drawn, blocks, lateFonts: findLateFonts() }
}

export function blocksAmong(elements: Element[], wanted: Set<string>): LayoutMoment['blocks'] {
  const blocks: LayoutMoment['blocks'] = []
  const seen = new Set<string>()
  for (const element of elements.slice(0, 4_000)) {
    if (element.localName === 'div' && element.childElementCount > 6) continue
    const key = compactText((element.textContent ?? '').trimStart().slice(0, 120)).slice(0, 24)
    if (!wanted.has(key) || seen.has(key)) continue
    const { left, top, bottom, width: own, height: tall } = element.getBoundingClientRect()
    if (own === 0 || tall === 0) continue
    seen.add(key)
    blocks.push({
      key,
      x: Math.round(left),
      y: Math.round(top),
      width: Math.round(own),
      visibleHeight: Math.max(0, Math.min(innerHeight, bottom) - Math.max(0, top))
    })
  }
  return blocks
}

export const findLateFonts = (): string[] =>
  [...document.fonts]
    .filter(({ status, display }) => status === 'loading' && /block|auto/.test(display))
    .map(({ family }) => family.replace(/^["']|["']$/g, ''))

/** A position to which a user scrolls. `scroller`: the number of one of `possibleScrollers`. Null: the page. */
export interface ScrollPosition {
  scroller: number | null
  top: number
}

/** Elements that may scroll instead of the page. */
export const possibleScrollers = (): Element[] => [
  ...document.querySelectorAll('main, [role=main], body > div, body > div > div')
]

/** Positions that show everything down to `maxPx`: of the page, then of each element that scrolls on its own. */
export function scrollPositions(maxPx: number): ScrollPosition[] {
  const belowAll = 10_000_000
  const positionsOf = (scroller: number | null, screen: number, end: number): ScrollPosition[] =>
    Array.from({ length: Math.ceil(Math.min(end, maxPx) / (screen * 0.8)) }, (_, step) => ({
      scroller,
      top: step * screen * 0.8
    }))
  const ofElements = possibleScrollers().flatMap((one, scroller) => {
    const { clientHeight, scrollHeight } = one
    const isScroller = scrollHeight > clientHeight + 100 && /auto|scroll/.test(getComputedStyle(one).overflowY)
    return isScroller && clientHeight > 0
      ? [...positionsOf(scroller, clientHeight, scrollHeight), { scroller, top: 0 }]
      : []
  })
  return [
    ...positionsOf(null, innerHeight, document.documentElement.scrollHeight),
    { scroller: null, top: belowAll },
    ...ofElements
  ]
}

/** Scrolls to a position, and resolves in the next frame, which tells listeners and observers of it. */
export async function scrollToPosition({ scroller, top }: ScrollPosition): Promise<void> {
  if (scroller === null) scrollTo({ top, behavior: 'instant' })
  else possibleScrollers()[scroller]?.scrollTo({ top, behavior: 'instant' })
  await new Promise((resolve) => requestAnimationFrame(resolve))
}
