import { BLOCK_ELEMENTS } from './allow-list.ts'
import { attributeOf, isElement, isText, type ChildNode, type Element, type ParentNode } from './tree.ts'
import { collapse } from '../../../lib/text.ts'

export type TextBlockKind = 'prose' | 'quote' | 'heading' | 'item' | 'cell' | 'code' | 'caption' | 'note'

/** Visible text between two block boundaries. */
export interface TextBlock {
  kind: TextBlockKind
  text: string
  /** The text without inline code. */
  withoutCode: string
  /** Characters of the text inside links. */
  linkLength: number
}

/** For nested kinds the inner one wins, unless the outer is in DOMINANT_KINDS. */
const KINDS: Record<string, TextBlockKind> = {
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  li: 'item',
  dt: 'item',
  dd: 'item',
  td: 'cell',
  th: 'cell',
  pre: 'code',
  figcaption: 'caption',
  caption: 'caption',
  summary: 'heading',
  blockquote: 'quote'
}
const DOMINANT_KINDS: ReadonlySet<TextBlockKind> = new Set(['note', 'caption', 'cell', 'item', 'code'])
const FOOTNOTE_MARKS: ReadonlySet<string> = new Set(['svc-footnote-ref', 'svc-footnote-back'])

interface ExtractState {
  textBlocks: TextBlock[]
  parts: string[]
  spoken: string[]
  /** Whether there is inline code, which `spoken` leaves out. */
  hasCode: boolean
  linked: number
}
interface ExtractContext {
  kind: TextBlockKind
  inLink: boolean
  inCode: boolean
}

/**
 * Extracts the visible text of a tree, block by block in reading order. Footnote numbers and
 * arrows are excluded.
 */
export function extractTextBlocks(root: ParentNode): TextBlock[] {
  const reading: ExtractState = { textBlocks: [], parts: [], spoken: [], hasCode: false, linked: 0 }
  read(root.childNodes, { kind: 'prose', inLink: false, inCode: false }, reading)
  endTextBlock(reading, 'prose')
  return reading.textBlocks
}

function read(nodes: ChildNode[], place: ExtractContext, reading: ExtractState): void {
  for (const node of nodes) {
    if (isText(node)) {
      reading.parts.push(node.value)
      reading.spoken.push(place.inCode ? ' ' : node.value)
      reading.hasCode ||= place.inCode
      if (place.inLink) reading.linked += node.value.length
    } else if (isElement(node) && !FOOTNOTE_MARKS.has(attributeOf(node, 'class') ?? '')) {
      readElement(node, place, reading)
    }
  }
}

function readElement(element: Element, place: ExtractContext, reading: ExtractState): void {
  const { tagName } = element
  if (tagName === 'br') {
    reading.parts.push(place.kind === 'code' ? '\n' : ' ')
    reading.spoken.push(' ')
  }
  const kind = DOMINANT_KINDS.has(place.kind) ? place.kind : (kindOf(element) ?? place.kind)
  const block = BLOCK_ELEMENTS.has(tagName)
  if (block) endTextBlock(reading, place.kind)
  read(
    element.childNodes,
    { kind, inLink: place.inLink || tagName === 'a', inCode: place.inCode || tagName === 'code' || tagName === 'pre' },
    reading
  )
  if (block) endTextBlock(reading, kind)
}

function kindOf(element: Element): TextBlockKind | undefined {
  return attributeOf(element, 'class') === 'svc-footnotes' ? 'note' : KINDS[element.tagName]
}

function endTextBlock(reading: ExtractState, kind: TextBlockKind): void {
  const raw = reading.parts.join('')
  const text = kind === 'code' ? raw.trimEnd() : collapse(raw)
  if (text !== '') {
    const withoutCode = kind === 'code' || reading.hasCode ? collapse(reading.spoken.join('')) : text
    reading.textBlocks.push({ kind, text, withoutCode, linkLength: reading.linked })
  }
  reading.parts = []
  reading.spoken = []
  reading.hasCode = false
  reading.linked = 0
}
