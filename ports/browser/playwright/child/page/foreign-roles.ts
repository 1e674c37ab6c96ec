/// <reference lib="dom" />
import { composedClosest, composedContains } from './dom.ts'
import { anchorOf } from './links.ts'
import { isFreeInCase, type TextBlock } from './text-blocks.ts'

/**
 * What a longer text has become on the page, but is not in the blog: a link as a whole, a part of a quote, or a
 * part of a list item. An element that is not closed takes in all that follows. Headings and other short texts
 * are free, and so are elements around the whole article.
 */
export function foreignRolesOf(block: TextBlock, { own, root }: { own: TextBlock; root: Element | null }): string[] {
  const WHOLE = 0.8
  if (isFreeInCase(own.element.localName, own.text.length)) return []
  const roles: string[] = []
  if (linkedShareOf(block) > WHOLE && linkedShareOf(own) <= WHOLE) roles.push('inside <a>')
  for (const name of ['blockquote', 'li']) {
    const container = composedClosest(block.element, name)
    if (container === null || root === null || !composedContains(root, container) || container === root) continue
    if (own.element.closest(name) === null && looksLike(container, name)) roles.push(`inside <${name}>`)
  }
  return roles
}

/** The share of the letters of a text that are links. */
export function linkedShareOf({ nodes }: TextBlock): number {
  const lengthOf = (some: readonly Text[]): number => some.reduce((sum, { data }) => sum + data.trim().length, 0)
  const linked = nodes.filter((node) => anchorOf(node)?.hasAttribute('href') === true)
  return lengthOf(linked) / (lengthOf(nodes) || 1)
}

/** Items without markers may be boxes of a site, such as questions and answers. */
export const looksLike = (container: Element, name: string): boolean =>
  name !== 'li' || (isItem(getComputedStyle(container)) && container.querySelector('details, button') === null)

export const isItem = ({ display, listStyleType }: CSSStyleDeclaration): boolean =>
  display.includes('list-item') && listStyleType !== 'none'
