import { BLOCK_ELEMENTS } from './allow-list.ts'
import {
  attributeOf,
  elementsOf,
  isElement,
  isText,
  makeElement,
  makeText,
  setChildren,
  textOf,
  type ChildNode,
  type Element,
  type ParentNode
} from './tree.ts'
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
  // Before the first is replaced, so that the text of one does not become the sentence of the next.
  const texts = placeholders.map((placeholder) => (needsText(placeholder) ? attributeOf(placeholder, 'alt')! : ''))
  for (const [index, placeholder] of placeholders.entries()) {
    const parent = placeholder.parentNode
    if (parent === null) continue
    const text = texts[index]!
    if (text === '') {
      closeGap(placeholder, parent)
      removeNode(placeholder)
      removeIfEmpty(parent, warn)
    } else {
      setChildren(
        parent,
        parent.childNodes.map((node) => (node === placeholder ? makeText(spaced(text, placeholder, parent)) : node))
      )
    }
  }
}

/** The text with a space to the letters beside it. */
function spaced(text: string, placeholder: Element, parent: ParentNode): string {
  const index = parent.childNodes.indexOf(placeholder)
  const [before, after] = [parent.childNodes[index - 1], parent.childNodes[index + 1]]
  const start = isText(before) && /[\p{L}\p{N}]$/u.test(before.value) ? ' ' : ''
  return start + text + (isText(after) && /^[\p{L}\p{N}]/u.test(after.value) ? ' ' : '')
}

/** Whether text is missing where the placeholder is. */
function needsText(placeholder: Element): boolean {
  let parent = placeholder.parentNode
  while (parent !== null && isElement(parent as ChildNode) && !BLOCK_ELEMENTS.has((parent as Element).tagName)) {
    if ((parent as Element).tagName === 'a') return true
    parent = (parent as Element).parentNode
  }
  if (parent === null) return false
  if (isElement(parent as ChildNode) && NEEDS_TEXT.has((parent as Element).tagName)) return true
  return hasOwnText(parent) && !isBetweenSentences(inlineText(parent, placeholder))
}

const POSITION = '\ufffc'

/** The text of a block with `POSITION` for one of its elements. Nested blocks and line breaks are `\n`. */
function inlineText(block: ParentNode, position: Element): string {
  return block.childNodes
    .map((node) => {
      if (isText(node)) return node.value.replaceAll(POSITION, '')
      if (!isElement(node)) return ''
      if (node === position) return POSITION
      return node.tagName === 'br' || BLOCK_ELEMENTS.has(node.tagName) ? '\n' : inlineText(node, position)
    })
    .join('')
}

/** Whether the sentence before the position is complete, and the text after it is on a new line. */
function isBetweenSentences(text: string): boolean {
  const [before = '', after = ''] = text.split(POSITION)
  return /(?:^|[.!?…:。！？؟]["'”’»)]?)$/.test(before.trim()) && /^(?:$|\n)/.test(after.replace(/^[ \t]+/, ''))
}

/** Whether an element contains text outside of the block elements in it. */
function hasOwnText(parent: ParentNode): boolean {
  return parent.childNodes.some((node) =>
    isText(node) ? node.value.trim() !== '' : isElement(node) && !BLOCK_ELEMENTS.has(node.tagName) && hasOwnText(node)
  )
}

/** Removes the space that would be doubled, or that would stand before a punctuation mark. */
function closeGap(placeholder: Element, parent: ParentNode): void {
  const index = parent.childNodes.indexOf(placeholder)
  const [before, after] = [parent.childNodes[index - 1], parent.childNodes[index + 1]]
  if (isText(before) && isText(after) && /^(?:\s|[.,;:!?)])/.test(after.value)) before.value = before.value.trimEnd()
}

function removeNode(node: ChildNode): void {
  const parent = node.parentNode
  if (parent === null) return
  setChildren(
    parent,
    parent.childNodes.filter((each) => each !== node)
  )
}

/** Removes an element that lost its media and shows nothing any more, and its parents likewise. */
function removeIfEmpty(node: ParentNode, warn: (warning: string) => void): void {
  if (!isElement(node as ChildNode)) return
  const element = node as Element
  const parent = element.parentNode
  if (parent === null || TABLE_PARTS.has(element.tagName)) return
  if (element.tagName === 'figure' && isOnlyCaption(element)) {
    const caption = collapse(textOf(element))
    if (caption !== '') warn(`the caption of a removed image was removed: ${caption.slice(0, 120)}`)
  } else if (textOf(element).trim() !== '' || contains(element, MEDIA)) {
    // Its figure may still consist of nothing but a caption.
    if (element.tagName === 'figcaption') return
    return removeEmptyFigureAround(element, warn)
  }
  removeNode(element)
  removeIfEmpty(parent, warn)
}

function removeEmptyFigureAround(element: Element, warn: (warning: string) => void): void {
  const parent = element.parentNode
  if (element.tagName !== 'figure' && parent !== null && isElement(parent as ChildNode)) {
    if ((parent as Element).tagName === 'figure') removeIfEmpty(parent, warn)
  }
}

const isOnlyCaption = (figure: Element) =>
  !isPending(figure) && !contains(figure, FIGURE_CONTENT) && !hasOwnText(figure)

/** Whether the element contains placeholders that are resolved later. */
const isPending = (element: Element) => Array.from(elementsOf(element)).some(isPlaceholder)

function contains(element: Element, tagNames: ReadonlySet<string>): boolean {
  for (const { tagName } of elementsOf(element)) if (tagNames.has(tagName) || tagName === PLACEHOLDER) return true
  return false
}
