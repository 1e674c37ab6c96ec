import { finished } from 'node:stream/promises'
import type { DefaultTreeAdapterMap, DefaultTreeAdapterTypes } from 'parse5'
import { loadParse5, loadParserStream } from './lazy-libraries.ts'

export type Element = DefaultTreeAdapterTypes.Element
export type TextNode = DefaultTreeAdapterTypes.TextNode
export type ChildNode = DefaultTreeAdapterTypes.ChildNode
export type ParentNode = DefaultTreeAdapterTypes.ParentNode

export const isElement = (node: ChildNode | undefined): node is Element => node !== undefined && 'tagName' in node
export const isText = (node: ChildNode | undefined): node is TextNode => node !== undefined && node.nodeName === '#text'

/** Parses HTML like `innerHTML` of a `div` (the WHATWG fragment algorithm). */
export function parseInDiv(html: string): DefaultTreeAdapterTypes.DocumentFragment {
  return loadParse5().parseFragment(makeElement('div', {}), html, {})
}

/** Characters that are parsed between two pauses: a cell of a table has about 15, and takes 4 µs. */
const PARSED_AT_ONCE = 8_192

/** Like `parseInDiv`, with pauses. */
export async function parseInDivInSlices(
  html: string,
  pause: () => Promise<void>
): Promise<DefaultTreeAdapterTypes.DocumentFragment> {
  const stream = loadParserStream().getFragmentStream<DefaultTreeAdapterMap>(makeElement('div', {}))
  for (let start = 0; start < html.length; start += PARSED_AT_ONCE) {
    stream.write(html.slice(start, start + PARSED_AT_ONCE))
    await pause()
  }
  stream.end()
  await finished(stream)
  return stream.getFragment()
}

export function serialize(root: ParentNode): string {
  return loadParse5().serialize(root)
}

export function attributeOf(element: Element, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value
}

/** Sets an attribute in place, or appends it; null removes it. */
export function setAttribute(element: Element, name: string, value: string | null): void {
  const attribute = element.attrs.find((each) => each.name === name)
  if (value === null) element.attrs = element.attrs.filter((each) => each.name !== name)
  else if (attribute) attribute.value = value
  else element.attrs.push({ name, value })
}

/** Replaces all attributes, in the given order; null and undefined values are omitted. */
export function setAttributes(element: Element, values: Record<string, string | null | undefined>): void {
  element.attrs = Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' ? [{ name, value }] : []
  )
}

export function setChildren(parent: ParentNode, children: ChildNode[]): void {
  for (const child of children) child.parentNode = parent
  parent.childNodes = children
}

export function makeElement(tagName: string, attributes: Record<string, string>, children: ChildNode[] = []): Element {
  const { defaultTreeAdapter, html } = loadParse5()
  const element = defaultTreeAdapter.createElement(tagName, html.NS.HTML, [])
  setAttributes(element, attributes)
  setChildren(element, children)
  return element
}

export function makeText(value: string): TextNode {
  return loadParse5().defaultTreeAdapter.createTextNode(value)
}

/**
 * All descendant elements in document order. The tree must not be restructured during iteration.
 */
export function* elementsOf(root: ParentNode): Generator<Element> {
  const waiting = root.childNodes.toReversed()
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!isElement(node)) continue
    yield node
    for (let index = node.childNodes.length - 1; index >= 0; index--) waiting.push(node.childNodes[index] as ChildNode)
  }
}

/** The text content of a node. */
export function textOf(root: ParentNode): string {
  const parts: string[] = []
  const waiting = root.childNodes.toReversed()
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isText(node)) parts.push(node.value)
    else if (isElement(node)) for (const child of node.childNodes.toReversed()) waiting.push(child)
  }
  return parts.join('')
}
