/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { Box, ElementLocation } from '../../../port/page-snapshot.ts'

/** The parent in the flat tree, through slots and shadow roots. */
export function composedParent(element: Element): Element | null {
  if (element.assignedSlot) return element.assignedSlot
  const parent = element.parentNode
  return parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null
}

/** The element and its ancestors in the flat tree, from the inside out. */
export function selfAndAncestors(element: Element): Element[] {
  const line: Element[] = []
  for (let one: Element | null = element; one; one = composedParent(one)) line.push(one)
  return line
}

export function composedContains(outer: Element, inner: Element): boolean {
  for (let one: Element | null = inner; one; one = composedParent(one)) if (one === outer) return true
  return false
}

/** Like `closest`, but across shadow roots. */
export function composedClosest(element: Element, selector: string): Element | null {
  for (let one: Element | null = element; one; one = composedParent(one)) if (one.matches(selector)) return one
  return null
}

/**
 * The elements at a point, topmost first, including those in shadow roots, up to 50 levels. Components
 * nest a few; a page may nest thousands.
 */
export function elementsAt(x: number, y: number): Element[] {
  function within(root: Document | ShadowRoot, depth: number): Element[] {
    const stack: Element[] = []
    for (const element of root.elementsFromPoint(x, y)) {
      const { shadowRoot } = element
      const isSearched = shadowRoot !== null && shadowRoot !== root && depth < 50
      const inner = isSearched ? within(shadowRoot, depth + 1) : []
      for (const one of inner) if (!stack.includes(one) && one !== element) stack.push(one)
      if (!stack.includes(element)) stack.push(element)
    }
    return stack
  }
  return within(document, 0)
}

/** Like `querySelectorAll`, but including elements in shadow roots, up to 50 levels. */
export function queryAllDeep(selector: string, root: ParentNode = document, depth = 0): Element[] {
  const found = [...root.querySelectorAll(selector)]
  if (depth === 50) return found
  for (const element of root.querySelectorAll('*')) {
    if (element.shadowRoot) found.push(...queryAllDeep(selector, element.shadowRoot, depth + 1))
  }
  return found
}

/** A short selector for people: up to four steps, starting at the nearest id. */
export function selectorFor(element: Element): string {
  const steps: string[] = []
  for (let one: Element | null = element; one && steps.length < 4; one = composedParent(one)) {
    if (one.id) {
      steps.unshift(`${one.localName}#${CSS.escape(one.id)}`)
      break
    }
    const classes = [...one.classList]
      .slice(0, 2)
      .map((name) => `.${CSS.escape(name)}`)
      .join('')
    const alike = [...(one.parentElement?.children ?? [])].filter((child) => child.localName === one!.localName)
    steps.unshift(one.localName + classes + (alike.length > 1 ? `:nth-of-type(${alike.indexOf(one) + 1})` : ''))
  }
  return steps.join(' > ')
}

/** The bounding box of some viewport rectangles, in document coordinates. Null if all are empty. */
export function boundingBox(rects: Iterable<DOMRect>): Box | null {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const rect of rects) {
    if (rect.width === 0 && rect.height === 0) continue
    left = Math.min(left, rect.left)
    top = Math.min(top, rect.top)
    right = Math.max(right, rect.right)
    bottom = Math.max(bottom, rect.bottom)
  }
  if (right < left) return null
  return {
    x: Math.round(left + scrollX),
    y: Math.round(top + scrollY),
    width: Math.round(right - left),
    height: Math.round(bottom - top)
  }
}

export const locate = (element: Element): ElementLocation => ({
  selector: selectorFor(element),
  box: boundingBox(element.getClientRects())
})
