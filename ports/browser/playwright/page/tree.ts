/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** The element that an element stands in as it is drawn: through slots and shadow roots. */
export function parentOf(element: Element): Element | null {
  if (element.assignedSlot) return element.assignedSlot
  const parent = element.parentNode
  return parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null
}

/** Itself, its parent and so on. */
export function lineOf(element: Element): Element[] {
  const line: Element[] = []
  for (let one: Element | null = element; one; one = parentOf(one)) line.push(one)
  return line
}

export function holds(outer: Element, inner: Element): boolean {
  for (let one: Element | null = inner; one; one = parentOf(one)) if (one === outer) return true
  return false
}

/** The nearest element that the selector fits, also outside of a shadow root. */
export function nearest(element: Element, selector: string): Element | null {
  for (let one: Element | null = element; one; one = parentOf(one)) if (one.matches(selector)) return one
  return null
}

/** What is drawn at a point, the topmost first, within shadow roots too. */
export function stackAt(x: number, y: number, root: Document | ShadowRoot = document): Element[] {
  const stack: Element[] = []
  for (const element of root.elementsFromPoint(x, y)) {
    const inner = element.shadowRoot !== null && element.shadowRoot !== root ? stackAt(x, y, element.shadowRoot) : []
    for (const one of inner) if (!stack.includes(one) && one !== element) stack.push(one)
    if (!stack.includes(element)) stack.push(element)
  }
  return stack
}

/** Elements of the page that the selector fits, within shadow roots too. */
export function everyElement(selector: string, root: ParentNode = document): Element[] {
  const found = [...root.querySelectorAll(selector)]
  for (const element of root.querySelectorAll('*')) {
    if (element.shadowRoot) found.push(...everyElement(selector, element.shadowRoot))
  }
  return found
}
