/// <reference lib="dom" />
/** Normalizes text for comparison: unifies quotes, dashes and spaces; drops invisible characters and case. */
export function foldText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u2018-\u201f\u2032\u2033\u2039\u203a`´«»"]|''/g, "'")
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

/** Folded text without spaces, so that line breaks and spaces around marks do not matter. */
export const compactText = (text: string): string => foldText(text).replace(/ /g, '')

/** Whether most of a text is Chinese, Japanese or Korean. */
export function isDense(text: string): boolean {
  return (text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g) ?? []).length > text.length * 0.3
}

export function trigramsOf(text: string): Set<string> {
  const trigrams = new Set<string>()
  for (let start = 0; start < text.length - 2; start++) trigrams.add(text.slice(start, start + 3))
  return trigrams
}

/** The Sørensen–Dice coefficient: 1 for equal sets, 0 for disjoint sets. */
export function diceOf(one: Set<string>, other: Set<string>): number {
  let shared = 0
  for (const trigram of one) if (other.has(trigram)) shared += 1
  return (2 * shared) / (one.size + other.size || 1)
}

/** A block of text, such as a paragraph, a heading or a cell. `compact` is used for comparison. */
export interface TextBlock {
  element: Element
  nodes: Text[]
  text: string
  folded: string
  compact: string
  order: number
}

/** Splits the texts of the page and of the blog at the same elements, independent of the styles. */
export function isBlockElement(element: Element): boolean {
  const BLOCKS =
    'address article aside blockquote body button caption center dd details dialog div dl dt fieldset ' +
    'figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr label legend li main nav ol option p ' +
    'pre section summary table tbody td tfoot th thead tr ul'
  if (BLOCKS.split(' ').includes(element.localName)) return true
  // Custom elements, such as <my-paragraph>.
  return (
    element.localName.includes('-') &&
    element.isConnected &&
    /^(?:block|flex|grid|list-item|table)/.test(getComputedStyle(element).display)
  )
}

/**
 * Whether an element contains no text of the page: scripts, form input, symbols hidden from assistive
 * technology (such as a heading's anchor), texts only for screen readers, numbers of footnotes.
 */
export function isIgnored(element: Element): boolean {
  const IGNORED =
    'script style noscript template textarea title select option svg math iframe object audio video canvas head'
  if (IGNORED.split(' ').includes(element.localName.toLowerCase())) return true
  if (element.getAttribute('aria-hidden') === 'true' && (element.textContent ?? '').trim().length <= 3) return true
  if (isNoteMark(element) || isScreenReaderText(element) || isTooltip(element)) return true
  const isAnchorOfHeading =
    element.localName === 'a' &&
    (element.getAttribute('href') ?? '').includes('#') &&
    /^h[1-6]$/.test(element.parentElement?.localName ?? '')
  return isAnchorOfHeading && /^[^\p{L}\p{N}]{0,2}$/u.test((element.textContent ?? '').trim())
}

/** A superscript number that links to a footnote or a reference. */
export function isNoteMark(element: Element): boolean {
  return (
    element.localName === 'sup' &&
    /^[[(]?\d{1,3}[\])]?$/.test((element.textContent ?? '').trim()) &&
    element.querySelector('a[href*="#"]') !== null
  )
}

/** Inline text only for screen readers, such as "opens in a new window": clipped to a tiny box. */
export function isScreenReaderText(element: Element): boolean {
  if (
    !(element instanceof HTMLElement) ||
    isBlockElement(element) ||
    element.offsetWidth > 2 ||
    element.offsetHeight > 2 ||
    (element.textContent ?? '').length > 80
  ) {
    return false
  }
  const { position, overflow } = getComputedStyle(element)
  return (position === 'absolute' || position === 'fixed') && overflow === 'hidden'
}

/** Inline text that is shown on hover. */
export function isTooltip(element: Element): boolean {
  if (
    !(element instanceof HTMLElement) ||
    isBlockElement(element) ||
    element.parentElement === null ||
    !element.isConnected
  ) {
    return false
  }
  const { display, visibility, position, opacity } = getComputedStyle(element)
  const isUnseen = display === 'none' || visibility === 'hidden' || (position === 'absolute' && Number(opacity) < 0.1)
  return isUnseen && element.parentElement.checkVisibility({ visibilityProperty: true })
}

/** Splits all text in an element into blocks, in document order. */
export function textBlocksOf(root: Element): TextBlock[] {
  const parts = new Map<Element, { nodes: Text[]; text: string; broken: boolean }>()
  const partOf = (element: Element) => {
    let part = parts.get(element)
    if (part === undefined) parts.set(element, (part = { nodes: [], text: '', broken: false }))
    return part
  }
  const order: Element[] = []

  function take(node: Text, block: Element): void {
    if (node.data.trim() === '' && parts.get(block) === undefined) return
    const part = partOf(block)
    if (part.broken) part.text += ' '
    part.broken = false
    part.text += node.data
    if (node.data.trim() === '') return
    if (part.nodes.length === 0) order.push(block)
    part.nodes.push(node)
  }
  function walk(node: Node, block: Element): void {
    if (node instanceof Text || node.nodeType === 3) return take(node as Text, block)
    if (node.nodeType !== 1) return
    const element = node as Element
    if (isIgnored(element)) return
    const own = element === root || isBlockElement(element) ? element : block
    const part = parts.get(block)
    if (part !== undefined && (own !== block || element.localName === 'br' || element.localName === 'img')) {
      part.broken = true
    }
    for (const child of childrenOf(element)) walk(child, own)
    const after = parts.get(block)
    if (after !== undefined && own !== block) after.broken = true
  }
  function childrenOf(element: Element): Iterable<Node> {
    if (element.shadowRoot) return element.shadowRoot.childNodes
    if (element.localName === 'slot') {
      const assigned = (element as HTMLSlotElement).assignedNodes()
      if (assigned.length > 0) return assigned
    }
    return element.childNodes
  }

  walk(root, root)
  return order
    .map((element, index) => {
      const { nodes, text } = parts.get(element)!
      return {
        element,
        nodes,
        text: text.replace(/\s+/g, ' ').trim(),
        folded: foldText(text),
        compact: compactText(text),
        order: index
      }
    })
    .filter(({ compact }) => compact.length > 0)
}

/** The rectangles of a block's text in viewport coordinates. Texts in a closed `<details>` have none. */
export function rectsOf({ nodes }: Pick<TextBlock, 'nodes'>): DOMRect[] {
  const rects: DOMRect[] = []
  const range = document.createRange()
  for (const node of nodes) {
    if (node.parentElement?.checkVisibility() === false) continue
    range.selectNodeContents(node)
    for (const rect of range.getClientRects()) if (rect.width > 0.5 && rect.height > 0.5) rects.push(rect)
  }
  return rects
}

/** The element that styles most characters of the block. */
export function hostOf({ nodes, element }: TextBlock): Element {
  const lengths = new Map<Element, number>()
  for (const { parentElement, data } of nodes) {
    if (parentElement) lengths.set(parentElement, (lengths.get(parentElement) ?? 0) + data.trim().length)
  }
  return [...lengths].sort((one, other) => other[1] - one[1])[0]?.[0] ?? element
}

/** Sites set headings, labels and other short texts in capitals. Longer texts become hard to read. */
export const isFreeInCase = (tag: string, length: number): boolean =>
  /^(?:h[1-6]|th|dt|figcaption|caption|summary|legend)$/.test(tag) || length <= 40
