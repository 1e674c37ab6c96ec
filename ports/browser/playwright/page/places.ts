/// <reference lib="dom" />
import type { Box, ElementLocation } from '../../port/page-snapshot.ts'
import { parentOf } from './tree.ts'

/** A short selector for people: up to four steps, from the nearest id on. */
export function selectorOf(element: Element): string {
  const steps: string[] = []
  for (let one: Element | null = element; one && steps.length < 4; one = parentOf(one)) {
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

/**
 * The smallest box around some rectangles of the viewport, in the document; null around nothing.
 */
export function boxAround(rects: Iterable<DOMRect>): Box | null {
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

export const placeOf = (element: Element): ElementLocation => ({
  selector: selectorOf(element),
  box: boxAround(element.getClientRects())
})
