import { BLOCKS } from './allow-list.ts'
import { attributeOf, isElement, isText, type ChildNode, type Element, type ParentNode } from './tree.ts'
import { collapse } from '../../../lib/text.ts'

export type PassageKind = 'prose' | 'quote' | 'heading' | 'item' | 'cell' | 'code' | 'caption' | 'note'

/** A run of visible text between two block boundaries. */
export interface Passage {
  kind: PassageKind
  text: string
  /** The same without what is marked as code inside of it. */
  spoken: string
  /** How many characters of the text are link texts. */
  linked: number
}

/** Of two kinds, the inner one wins, but for those that color all that they hold. */
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

interface Reading {
  passages: Passage[]
  parts: string[]
  spoken: string[]
  linked: number
}
interface Place {
  kind: PassageKind
  inLink: boolean
  inCode: boolean
}

/**
 * The visible text of a blog's tree, passage by passage in reading order. The numbers and arrows of
 * footnotes are not text.
 */
export function passagesOf(root: ParentNode): Passage[] {
  const reading: Reading = { passages: [], parts: [], spoken: [], linked: 0 }
  read(root.childNodes, { kind: 'prose', inLink: false, inCode: false }, reading)
  finish(reading, 'prose')
  return reading.passages
}

function read(nodes: ChildNode[], place: Place, reading: Reading): void {
  for (const node of nodes) {
    if (isText(node)) {
      reading.parts.push(node.value)
      reading.spoken.push(place.inCode ? ' ' : node.value)
      if (place.inLink) reading.linked += node.value.length
    } else if (isElement(node) && !OWN_MARKS.has(attributeOf(node, 'class') ?? '')) {
      readElement(node, place, reading)
    }
  }
}

function readElement(element: Element, place: Place, reading: Reading): void {
  const { tagName } = element
  if (tagName === 'br') {
    reading.parts.push(place.kind === 'code' ? '\n' : ' ')
    reading.spoken.push(' ')
  }
  const kind = HOLDS_ALL.has(place.kind) ? place.kind : (kindOf(element) ?? place.kind)
  const block = BLOCKS.has(tagName)
  if (block) finish(reading, place.kind)
  read(
    element.childNodes,
    { kind, inLink: place.inLink || tagName === 'a', inCode: place.inCode || tagName === 'code' || tagName === 'pre' },
    reading
  )
  if (block) finish(reading, kind)
}

function kindOf(element: Element): PassageKind | undefined {
  return attributeOf(element, 'class') === 'svc-footnotes' ? 'note' : KINDS[element.tagName]
}

function finish(reading: Reading, kind: PassageKind): void {
  const raw = reading.parts.join('')
  const text = kind === 'code' ? raw.trimEnd() : collapse(raw)
  if (text !== '') {
    reading.passages.push({ kind, text, spoken: collapse(reading.spoken.join('')), linked: reading.linked })
  }
  reading.parts = []
  reading.spoken = []
  reading.linked = 0
}
