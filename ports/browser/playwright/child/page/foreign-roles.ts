/// <reference lib="dom" />
import { parseColor } from './colors.ts'
import { composedClosest, composedContains, selfAndAncestors } from './dom.ts'
import { anchorOf } from './links.ts'
import { isFreeInCase, type TextBlock } from './text-blocks.ts'

/**
 * What a longer text has become on the page, but is not in the blog: a link as a whole, a part of a quote, or a
 * part of a list item. An element that is not closed takes in all that follows. Headings and other short texts
 * are free, and so are elements around the whole article.
 */
export function foreignRolesOf(block: TextBlock, { own, root }: { own: TextBlock; root: Element | null }): string[] {
  const WHOLE = 0.8
  const roles = isQuotedDeeper(block, own) ? ['inside several <blockquote>'] : []
  if (isFreeInCase(own.element.localName, own.text.length)) return roles
  if (linkedShareOf(block) > WHOLE && linkedShareOf(own) <= WHOLE) roles.push('inside <a>')
  for (const name of ['blockquote', 'li']) {
    const container = composedClosest(block.element, name)
    if (container === null || root === null || !composedContains(root, container) || container === root) continue
    if (own.element.closest(name) === null && looksLike(container, name)) roles.push(`inside <${name}>`)
  }
  const set = foreignTypeOf(block, own)
  if (set !== null) roles.push(set)
  return roles
}

/** Whether a text is deeper in quotes than in the blog, by more than a frame of the site. */
export function isQuotedDeeper(block: TextBlock, own: TextBlock): boolean {
  const levelOf = (element: Element): number =>
    selfAndAncestors(element).filter(({ localName }) => localName === 'blockquote').length
  const level = levelOf(own.element)
  return level > 0 && levelOf(block.element) > level + 1
}

/**
 * How more of a text is set apart from its paragraph than in the blog: bold, raised, as code, marked. An element that
 * is not closed, and a plugin that marks words, do so. The start of a text may have a style of its own, as may all of
 * the first and of the last paragraph.
 */
export function foreignTypeOf(block: TextBlock, own: TextBlock): string | null {
  const APART = 'a, b, strong, em, i, code, kbd, samp, sup, sub, mark, u, small, big, font, span'
  const MIN_SHARE = 0.25
  const WHOLE = 0.98
  const LEAD_IN = 40
  const base = getComputedStyle(block.element)
  const [first] = block.nodes
  const apart = block.nodes.filter(
    (node) =>
      node.parentElement !== block.element &&
      !(node === first && node.data.trim().length <= LEAD_IN) &&
      node.parentElement?.closest('sup a, [aria-hidden="true"]') === null &&
      isSetApart(node.parentElement, { block: block.element, base })
  )
  const lengthOf = (nodes: readonly Text[]): number => nodes.reduce((sum, { data }) => sum + data.trim().length, 0)
  const share = lengthOf(apart) / (lengthOf(block.nodes) || 1)
  const ownApart = own.nodes.filter(({ parentElement }) => {
    const element = parentElement?.closest(APART)
    return element != null && own.element.contains(element) && element !== own.element
  })
  if (share - lengthOf(ownApart) / (lengthOf(own.nodes) || 1) < MIN_SHARE) return null
  const [node] = apart
  const name = node?.parentElement?.closest(APART)?.localName ?? 'span'
  // Page builders put whole paragraphs into elements without a meaning.
  if (share >= WHOLE && (/^(?:span|font|a)$/.test(name) || isAtEnd(own.element))) return null
  return `inside <${name}>`
}

/** Whether a paragraph is the first or the last one of the blog: a lead or a note. */
export function isAtEnd(own: Element): boolean {
  const paragraphs = [...own.ownerDocument.querySelectorAll('body > * > p, body > p')].filter(
    ({ textContent }) => (textContent ?? '').trim() !== ''
  )
  return own === paragraphs[0] || own === paragraphs.at(-1)
}

/** Whether words look different from the paragraph around them, other than by their color. */
export function isSetApart(
  element: Element | null,
  { block, base }: { block: Element; base: CSSStyleDeclaration }
): boolean {
  for (let one = element; one !== null && one !== block; one = one.parentElement) {
    const style = getComputedStyle(one)
    if (
      Math.abs(Number(style.fontWeight) - Number(base.fontWeight)) >= 200 ||
      style.fontStyle !== base.fontStyle ||
      style.fontFamily !== base.fontFamily ||
      Math.abs(parseFloat(style.fontSize) / parseFloat(base.fontSize) - 1) > 0.15 ||
      /^(?:super|sub)$/.test(style.verticalAlign) ||
      style.textDecorationLine.includes('underline') ||
      (one.localName === 'a' && one.hasAttribute('href')) ||
      parseColor(style.backgroundColor)[3] > 0.1
    ) {
      return true
    }
  }
  return false
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
