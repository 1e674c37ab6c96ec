/// <reference lib="dom" />
import type {
  DocumentSnapshot,
  LayerSnapshot,
  OverlapSnapshot,
  UnexpectedText,
  OverflowSnapshot
} from '../../../port/page-snapshot.ts'
import { areaOf, intersect, lockedAxes, visibleWindowOf, createScroller } from './clipping.ts'
import { isOpaque } from './covering.ts'
import { locate, queryAllDeep, composedContains, composedClosest, elementsAt, selfAndAncestors } from './dom.ts'
import { isFurniture } from './furniture.ts'
import { isBetween } from './images.ts'
import type { Article } from './matching.ts'
import { hostOf, rectsOf, type TextBlock, foldText } from './text-blocks.ts'
import { isFixed, layerOf } from './visibility.ts'

/** Rendered text of the page that is not part of the blog. */
export function findUnexpectedTexts(
  page: TextBlock[],
  { article, own, title }: { article: Article | null; own: TextBlock[]; title: string }
): UnexpectedText[] {
  const ours = new Set(own.map(({ element }) => element))
  const blocks = own.map(({ element }) => element)
  const known = { ancestors: new Set(blocks.flatMap(selfAndAncestors)), texts: own.map(({ compact }) => compact) }
  const headline = page.find(({ folded }) => folded === foldText(title))?.element
  const facts: UnexpectedText[] = []
  let elsewhere = 0
  for (const block of page) {
    if (ours.has(block.element) || rectsOf(block).length === 0) continue
    const scope =
      article === null ||
      !(composedContains(article.frame, block.element) || isByline(block.element, { headline, root: article.root }))
        ? 'site'
        : composedContains(article.root, block.element) && isBetween(block.element, blocks)
          ? 'between'
          : 'around'
    if (scope === 'site' && (elsewhere += 1) > 60) continue
    facts.push({
      ...locate(block.element),
      text: block.text.slice(0, 2_000),
      scope,
      inCode: composedClosest(block.element, 'pre, code, samp, kbd') !== null,
      ...(scope === 'between' && article !== null
        ? { isFurniture: isFurniture(block, { root: article.root, own: known }) }
        : {})
    })
    if (facts.length >= 300) break
  }
  return facts
}

/** Whether an element is between the headline and the article. */
export function isByline(
  element: Element,
  { headline, root }: { headline: Element | undefined; root: Element }
): boolean {
  return (
    headline !== undefined &&
    (headline.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 &&
    (root.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0 &&
    composedClosest(element, 'nav, aside') === null
  )
}

/** Elements that overflow the page horizontally and are in no scroll container. */
export function findOverflows(article: Article | null): OverflowSnapshot[] {
  const { clientWidth } = document.documentElement
  const isRtl = getComputedStyle(document.documentElement).direction === 'rtl'
  const isHeld = (element: Element) => {
    for (
      let one = element.parentElement;
      one && one !== document.body && one !== document.documentElement;
      one = one.parentElement
    ) {
      if (getComputedStyle(one).overflowX !== 'visible') return true
    }
    return false
  }
  const facts: OverflowSnapshot[] = []
  const inFrame = article === null ? [] : queryAllDeep('*', article.frame)
  const candidates = new Set([...inFrame, ...queryAllDeep('body *').slice(0, 5_000)])
  for (const element of candidates) {
    const { left, right, width, height } = element.getBoundingClientRect()
    // In the document's own coordinates: a wide page that reads from the right begins scrolled on a
    // telephone.
    const overflowPx = isRtl ? -(left + scrollX) : right + scrollX - clientWidth
    if (
      overflowPx <= 4 ||
      width <= 4 ||
      height <= 4 ||
      isHeld(element) ||
      !element.checkVisibility({ visibilityProperty: true })
    ) {
      continue
    }
    const inArticle = article !== null && composedContains(article.root, element)
    // Fixed elements, such as closed drawers, do not make a page wider.
    if (inArticle || !isFixed(element)) {
      facts.push({ ...locate(element), overflowPx: Math.round(overflowPx), inArticle })
    }
  }
  return facts
    .sort((one, other) => Number(other.inArticle) - Number(one.inArticle) || other.overflowPx - one.overflowPx)
    .slice(0, 20)
}

/** Blocks whose lines overlap those of another text of the blog or the site. */
export function findOverlaps(own: { index: number; block: TextBlock }[], page: TextBlock[]): OverlapSnapshot[] {
  const indexes = new Map(own.map(({ index, block }) => [block.element, index]))
  // What stays in the viewport lies on everything in turn; whether it covers the text is looked at
  // apart.
  const shown = page
    .filter(({ element }) => layerOf(element) === null && !isControl(element))
    .map((block) => ({ block, rects: rectsOf(block) }))
    .filter(({ rects }) => rects.length > 0)
  const facts: OverlapSnapshot[] = []
  for (const { index, block } of own) {
    const rects = rectsOf(block)
    if (rects.length === 0) continue
    for (const { block: other, rects: others } of shown) {
      if (
        other.element === block.element ||
        other.element.contains(block.element) ||
        block.element.contains(other.element) ||
        (indexes.get(other.element) ?? Infinity) < index
      ) {
        continue
      }
      // Clipped lines do not overlap.
      const share =
        overlapShare(rects, others) > 0.2 ? overlapShare(visibleRects(block, rects), visibleRects(other, others)) : 0
      if (share > 0.2) {
        facts.push({
          block: index,
          other: indexes.get(other.element) ?? null,
          share: Math.round(share * 100) / 100,
          place: locate(block.element)
        })
      }
    }
  }
  return facts.slice(0, 100)
}

/** Whether an element is a small control, such as a copy button in the corner of code. */
export const isControl = (element: Element): boolean =>
  composedClosest(element, 'button, [role=button], summary') !== null && (element.textContent ?? '').trim().length <= 30

/** The visible lines of a block at the current scroll positions. */
export function visibleRects(block: TextBlock, rects: DOMRect[]): DOMRect[] {
  const edges = visibleWindowOf(hostOf(block))
  return rects.filter((rect) => areaOf(intersect(rect, edges)) > areaOf(rect) * 0.5)
}

/** The overlap as a share of the smallest overlapping line. */
export function overlapShare(ones: DOMRect[], others: DOMRect[]): number {
  let [area, least] = [0, Infinity]
  for (const one of ones) {
    for (const other of others) {
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left)
      const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
      if (width <= 4 || height <= 0.3 * Math.min(one.height, other.height)) continue
      area += width * height
      least = Math.min(least, one.width * one.height, other.width * other.height)
    }
  }
  return area / least
}

/** Layers that stay in the viewport in the middle of the page, outside of the article. */
export function findLayers(article: Article | null): { layers: LayerSnapshot[]; share: number } {
  const [COLUMNS, ROWS] = [12, 24]
  const scrolling = createScroller()
  scrollTo(0, Math.max(0, (document.documentElement.scrollHeight - innerHeight) / 2))
  const counts = new Map<Element, number>()
  // Most of the points are in the same few elements.
  const known = new Map<Element, boolean>()
  const hides = (element: Element): boolean => {
    const found = known.get(element) ?? isOpaque(element)
    known.set(element, found)
    return found
  }
  let all = 0
  for (let column = 0.5; column < COLUMNS; column++) {
    for (let row = 0.5; row < ROWS; row++) {
      const stack = elementsAt((column / COLUMNS) * document.documentElement.clientWidth, (row / ROWS) * innerHeight)
      const layer = stack
        .filter((element) => hides(element) || element === stack[0])
        .map(layerOf)
        .find((one) => one !== null)
      if (
        !layer ||
        !stack.some((element) => composedContains(layer, element) && hides(element)) ||
        (article !== null &&
          (composedContains(article.root, layer) ||
            composedContains(layer, article.root) ||
            isBesideColumn(layer, article.root)))
      ) {
        continue
      }
      all += 1
      counts.set(layer, (counts.get(layer) ?? 0) + 1)
    }
  }
  // The positions at the top of the page, as in the screenshot.
  scrolling.restore()
  const layers = [...counts]
    .sort((one, other) => other[1] - one[1])
    .slice(0, 10)
    .map(([element, count]) => ({
      ...locate(element),
      position: getComputedStyle(element).position,
      share: count / (COLUMNS * ROWS),
      text: (element.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 80)
    }))
  return { layers, share: all / (COLUMNS * ROWS) }
}

/** Whether a layer is beside the column of text, and so covers none of it, however large it is. */
export function isBesideColumn(layer: Element, root: Element): boolean {
  const MAX_SHARED = 0.05
  const [one, other] = [layer.getBoundingClientRect(), root.getBoundingClientRect()]
  const shared = Math.min(one.right, other.right) - Math.max(one.left, other.left)
  return other.width > 0 && shared <= MAX_SHARED * other.width
}

/** The top elements of shadow roots, whose text is not part of the innerText of the body. */
export const shadowRootChildren = (): HTMLElement[] =>
  queryAllDeep('*')
    .flatMap((element) => (element.shadowRoot === null ? [] : ([...element.shadowRoot.children] as HTMLElement[])))
    .filter((element) => !/^(?:style|script|template)$/.test(element.localName))

export function captureDocument(): Omit<DocumentSnapshot, 'ogImageLoads'> {
  // Of elements that a document usually has once.
  const MAX_REPEATED = 20
  const { documentElement: html, body } = document
  const every = <T extends Element>(selector: string) => [...document.querySelectorAll<T>(selector)]
  const canonicals = every<HTMLLinkElement>('link[rel~="canonical" i]').slice(0, MAX_REPEATED)
  const metas = every<HTMLMetaElement>('meta').map((meta) => ({
    key: (meta.getAttribute('name') ?? meta.getAttribute('property') ?? meta.httpEquiv ?? '').toLowerCase(),
    content: (meta.content ?? '').slice(0, 1_000)
  }))
  return {
    titles: every('title')
      .filter((title) => !(title instanceof SVGElement))
      .slice(0, MAX_REPEATED)
      .map((title) => (title.textContent ?? '').trim().slice(0, 500)),
    lang: html.lang,
    direction: getComputedStyle(html).direction === 'rtl' ? 'rtl' : 'ltr',
    metas: metas.filter(({ key }) => key !== '').slice(0, 100),
    canonicals: canonicals.map((link) => (link.getAttribute('href')?.trim() ? link.href.slice(0, 2_000) : '')),
    relativeCanonicals: canonicals
      .map((link) => link.getAttribute('href')?.trim() ?? '')
      .filter((href) => href !== '' && !URL.canParse(href))
      .map((href) => href.slice(0, 2_000)),
    h1s: queryAllDeep('h1')
      .slice(0, MAX_REPEATED)
      .map((h1) => ({
        ...locate(h1),
        text: (h1.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 300),
        rendered: h1.getClientRects().length > 0 && h1.checkVisibility({ visibilityProperty: true })
      })),
    jsonLd: every('script[type="application/ld+json" i]')
      .slice(0, MAX_REPEATED)
      .map((script) => (script.textContent ?? '').slice(0, 65_536)),
    viewportMeta: metas.find(({ key }) => key === 'viewport')?.content ?? null,
    layoutWidth: html.clientWidth,
    scrollWidth: lockedAxes().x ? html.clientWidth : Math.max(html.scrollWidth, body.scrollWidth),
    scrollHeight: html.scrollHeight,
    text: [body, ...shadowRootChildren()]
      .map((element) => element.innerText)
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 20_000),
    passwordFields: queryAllDeep('input[type="password" i]').length,
    elements: document.getElementsByTagName('*').length
  }
}
