import { BLOCKS } from './allow-list.ts'
import { attributeOf, collapse, isElement, isText, type ChildNode, type Element, type ParentNode } from './tree.ts'

export type PassageKind = 'prose' | 'quote' | 'heading' | 'item' | 'cell' | 'code' | 'caption' | 'note'

/** A run of visible text between two block boundaries. */
export interface Passage {
  kind: PassageKind
  text: string
  /** How many characters of the text are link texts. */
  linked: number
}

/** Of two kinds, the inner one wins, but for those that colour all that they hold. */
const KINDS: Record<string, PassageKind> = {
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
const HOLDS_ALL: ReadonlySet<PassageKind> = new Set(['note', 'caption', 'cell', 'item', 'code'])
const OWN_MARKS: ReadonlySet<string> = new Set(['svc-footnote-ref', 'svc-footnote-back'])

interface Reading { passages: Passage[], parts: string[], linked: number }

/** The visible text of a blog's tree, passage by passage in reading order. The numbers and arrows of footnotes are not text. */
export function passagesOf (root: ParentNode): Passage[] {
  const reading: Reading = { passages: [], parts: [], linked: 0 }
  read(root.childNodes, { kind: 'prose', inLink: false }, reading)
  finish(reading, 'prose')
  return reading.passages
}

function read (nodes: ChildNode[], place: { kind: PassageKind, inLink: boolean }, reading: Reading): void {
  for (const node of nodes) {
    if (isText(node)) {
      reading.parts.push(node.value)
      if (place.inLink) reading.linked += node.value.length
    } else if (isElement(node) && !OWN_MARKS.has(attributeOf(node, 'class') ?? '')) {
      readElement(node, place, reading)
    }
  }
}

function readElement (element: Element, place: { kind: PassageKind, inLink: boolean }, reading: Reading): void {
  const { tagName } = element
  if (tagName === 'br') reading.parts.push(place.kind === 'code' ? '\n' : ' ')
  const kind = HOLDS_ALL.has(place.kind) ? place.kind : kindOf(element) ?? place.kind
  const block = BLOCKS.has(tagName)
  if (block) finish(reading, place.kind)
  read(element.childNodes, { kind, inLink: place.inLink || tagName === 'a' }, reading)
  if (block) finish(reading, kind)
}

function kindOf (element: Element): PassageKind | undefined {
  return attributeOf(element, 'class') === 'svc-footnotes' ? 'note' : KINDS[element.tagName]
}

function finish (reading: Reading, kind: PassageKind): void {
  const raw = reading.parts.join('')
  const text = kind === 'code' ? raw.trimEnd() : collapse(raw)
  if (text !== '') reading.passages.push({ kind, text, linked: reading.linked })
  reading.parts = []
  reading.linked = 0
}
