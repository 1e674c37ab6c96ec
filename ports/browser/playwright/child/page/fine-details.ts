/// <reference lib="dom" />
import { queryAllDeep, selfAndAncestors } from './dom.ts'
import { shadowLikeText } from './reference-styles.ts'

/** An area of the viewport. */
export interface FineArea {
  left: number
  top: number
  right: number
  bottom: number
}

/**
 * The areas of the page with details that captures at half the size may leave out. There, Chromium draws no blur of
 * up to 1.5 pixels and a stronger one of what is behind an element, and misses dots of a pixel in a pattern. What is
 * behind the text cannot change its letters, so patterns count only on what may lie on the text.
 * `hosts`: the elements with the text.
 */
export function findFineAreas(hosts: Iterable<Element>): FineArea[] {
  const MAX_ELEMENTS = 20_000
  const around = new Set([...hosts].flatMap((host) => selfAndAncestors(host)))
  const found: FineArea[] = []
  for (const element of queryAllDeep('body, body *').slice(0, MAX_ELEMENTS)) {
    const isAround = around.has(element)
    const style = getComputedStyle(element)
    const isFine = isBlurred(style) || (!isAround && isPattern(style) && mayOverlap(style))
    if (isFine || (isAround && hasFinePseudo(element))) found.push(areaAround(element))
  }
  for (const host of hosts) if (shadowLikeText(host) !== null) found.push(areaAround(host))
  return found
}

/** The area of an element. Blurs reach beyond it. */
export function areaAround(element: Element): FineArea {
  const MARGIN_PX = 4
  const { left, top, right, bottom } = element.getBoundingClientRect()
  return { left: left - MARGIN_PX, top: top - MARGIN_PX, right: right + MARGIN_PX, bottom: bottom + MARGIN_PX }
}

/** Whether a rectangle touches one of the areas. */
export const isFineAt = (
  areas: readonly FineArea[],
  { x, y, width, height }: { x: number; y: number; width: number; height: number }
): boolean =>
  areas.some(({ left, top, right, bottom }) => x < right && x + width > left && y < bottom && y + height > top)

export const isBlurred = ({ filter, backdropFilter, maskImage }: CSSStyleDeclaration): boolean =>
  /blur\(|url\(|drop-shadow\(/.test(filter) ||
  /\(/.test(backdropFilter ?? '') ||
  (maskImage !== undefined && maskImage !== '' && maskImage !== 'none')

export const isPattern = ({ backgroundImage }: CSSStyleDeclaration): boolean => backgroundImage !== 'none'

/** Whether an element may lie on others. */
export const mayOverlap = ({ position, transform, translate, margin }: CSSStyleDeclaration): boolean =>
  position !== 'static' || transform !== 'none' || translate !== 'none' || margin.includes('-')

/** Whether a generated element that may lie on the text is blurred, or has a pattern. */
export const hasFinePseudo = (element: Element): boolean =>
  ['::before', '::after'].some((pseudo) => {
    const style = getComputedStyle(element, pseudo)
    return !/^(?:none|normal)$/.test(style.content) && mayOverlap(style) && (isBlurred(style) || isPattern(style))
  })
