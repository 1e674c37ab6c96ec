import { BLOCK_ELEMENTS } from './allow-list.ts'
import {
  attributeOf,
  elementsOf,
  isElement,
  isText,
  makeElement,
  makeText,
  textOf,
  type ChildNode,
  type Element,
  type ParentNode
} from './tree.ts'
import { TreeChanges } from './siblings.ts'
import { collapse } from '../../../lib/text.ts'

/** Stands for an image or a frame that was removed, until the elements around it are clean. */
const PLACEHOLDER = 'svc-removed'
/** Elements that show something without text. */
const MEDIA: ReadonlySet<string> = new Set(['img', 'iframe', 'hr', 'input'])
/** Elements that are never removed when they are empty, because a table would lose its shape. */
const TABLE_PARTS: ReadonlySet<string> = new Set([
  'table',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'td',
  'th',
  'colgroup',
  'col'
])
/** Elements that the text around them refers to, so that they need a text of their own. */
const NEEDS_TEXT: ReadonlySet<string> = new Set([
  'td',
  'th',
  'dt',
  'dd',
  'h2',
  'h3',
  'h4',
  'summary',
  'caption',
  'figcaption'
])
/** Content that makes a figure worth showing without its image. */
const FIGURE_CONTENT: ReadonlySet<string> = new Set(['table', 'pre', 'blockquote', 'ul', 'ol', 'dl', 'p', ...MEDIA])

/** The replacement of an element that is removed because its URL is not allowed. */
export function createPlaceholder(element: Element): Element {
  return makeElement(PLACEHOLDER, { alt: collapse(attributeOf(element, 'alt') ?? '') })
}

export const isPlaceholder = (node: ChildNode): boolean => isElement(node) && node.tagName === PLACEHOLDER

/**
 * Replaces placeholders. An image in a sentence, a link or a cell becomes its alternative text, so
 * that the text stays complete. Any other is removed together with the elements that are empty
 * without it, and with the caption of its figure, which `warn` reports.
 */
export function resolvePlaceholders(root: ParentNode, warn: (warning: string) => void): void {
  const placeholders = Array.from(elementsOf(root)).filter(isPlaceholder)
  const blocks: Blocks = new Map()
  // Before the first is replaced, so that the text of one does not become the sentence of the next.
  const texts = placeholders.map((placeholder) =>
    needsText(placeholder, blocks) ? attributeOf(placeholder, 'alt')! : ''
  )
  const changes = new TreeChanges(placeholders)
  for (const [index, placeholder] of placeholders.entries()) {
    const parent = placeholder.parentNode!
    const text = texts[index]!
    const neighbors = changes.neighbors(placeholder)
    if (text === '') closeGap(...neighbors)
    changes.replace(placeholder, text === '' ? undefined : makeText(spaced(text, ...neighbors)))
    changes.resolve(placeholder)
    if (text === '') removeIfEmpty(parent, { changes, warn })
  }
}

type Neighbor = ChildNode | undefined

/** The text with a space to the letters beside it. */
function spaced(text: string, before: Neighbor, after: Neighbor): string {
  const start = isText(before) && /[\p{L}\p{N}]$/u.test(before.value.slice(-2)) ? ' ' : ''
  return start + text + (isText(after) && /^[\p{L}\p{N}]/u.test(after.value) ? ' ' : '')
}

/** The blocks that contain placeholders. */
type Blocks = Map<ParentNode, Block>

interface Block {
  hasText: boolean
  /** Those placeholders that are between sentences. */
  betweenSentences: ReadonlySet<Element>
}

/** Whether text is missing where the placeholder is. */
function needsText(placeholder: Element, blocks: Blocks): boolean {
  let parent = placeholder.parentNode
  while (parent !== null && isElement(parent as ChildNode) && !BLOCK_ELEMENTS.has((parent as Element).tagName)) {
    if ((parent as Element).tagName === 'a') return true
    parent = (parent as Element).parentNode
  }
  if (parent === null) return false
  if (isElement(parent as ChildNode) && NEEDS_TEXT.has((parent as Element).tagName)) return true
  const block = blocks.get(parent) ?? { hasText: hasOwnText(parent), betweenSentences: findBetweenSentences(parent) }
  blocks.set(parent, block)
  return block.hasText && !block.betweenSentences.has(placeholder)
}

/** The object replacement character, which copied text may contain. It is no text. */
const OBJECT = '\ufffc'

/** The text of a block, with its placeholders. Nested blocks and line breaks are `\n`. */
function* inlineParts(block: ParentNode): Generator<string | Element> {
  for (const node of block.childNodes) {
    if (isText(node)) yield node.value.replaceAll(OBJECT, '')
    else if (isPlaceholder(node)) yield node as Element
    else if (isElement(node)) {
      if (node.tagName === 'br' || BLOCK_ELEMENTS.has(node.tagName)) yield '\n'
      else yield* inlineParts(node)
    }
  }
}

/** The placeholders before which a sentence is complete, and after which the text is on a new line. */
function findBetweenSentences(block: ParentNode): Set<Element> {
  const parts = Array.from(inlineParts(block))
  const found = new Set<Element>()
  /** The last two characters so far that are no white space. */
  let end = ''
  for (const part of parts) {
    if (typeof part === 'string') end = (end + part).trimEnd().slice(-2)
    else if (end === '' || /[.!?…:。！？؟]["'”’»)]?$/.test(end)) found.add(part)
  }
  let startsLine = true
  for (const part of parts.toReversed()) {
    if (typeof part !== 'string') {
      if (!startsLine) found.delete(part)
    } else if (/[^ \t]/.test(part)) startsLine = /^[ \t]*\n/.test(part)
  }
  return found
}

/** Whether an element contains text outside of the block elements in it. */
function hasOwnText(parent: ParentNode): boolean {
  return parent.childNodes.some((node) =>
    isText(node) ? node.value.trim() !== '' : isElement(node) && !BLOCK_ELEMENTS.has(node.tagName) && hasOwnText(node)
  )
}

/** Removes the space that would be doubled, or that would stand before a punctuation mark. */
function closeGap(before: Neighbor, after: Neighbor): void {
  if (isText(before) && isText(after) && /^(?:\s|[.,;:!?)])/.test(after.value)) before.value = before.value.trimEnd()
}

interface Removing {
  changes: TreeChanges
  warn: (warning: string) => void
}

/** Removes an element that lost its media and shows nothing any more, and its parents likewise. */
function removeIfEmpty(node: ParentNode, removing: Removing): void {
  // The last placeholder in it decides.
  if (!isElement(node as ChildNode) || removing.changes.isPending(node)) return
  const element = node as Element
  const parent = element.parentNode
  if (parent === null || TABLE_PARTS.has(element.tagName)) return
  if (element.tagName === 'figure' && isOnlyCaption(element)) {
    const caption = collapse(textOf(element))
    if (caption !== '') removing.warn(`the caption of a removed image was removed: ${caption.slice(0, 120)}`)
  } else if (textOf(element).trim() !== '' || contains(element, MEDIA)) {
    // Its figure may still consist of nothing but a caption.
    if (element.tagName === 'figcaption') return
    return removeEmptyFigureAround(element, removing)
  }
  removing.changes.replace(element)
  removeIfEmpty(parent, removing)
}

function removeEmptyFigureAround(element: Element, removing: Removing): void {
  const parent = element.parentNode
  if (element.tagName !== 'figure' && parent !== null && isElement(parent as ChildNode)) {
    if ((parent as Element).tagName === 'figure') removeIfEmpty(parent, removing)
  }
}

const isOnlyCaption = (figure: Element) => !contains(figure, FIGURE_CONTENT) && !hasOwnText(figure)

function contains(element: Element, tagNames: ReadonlySet<string>): boolean {
  for (const { tagName } of elementsOf(element)) if (tagNames.has(tagName)) return true
  return false
}
