/// <reference lib="dom" />
import { composedClosest, composedContains, composedParent, selfAndAncestors } from './dom.ts'
import { hasDecoration } from './looks.ts'
import { rectsOf, type TextBlock } from './text-blocks.ts'
import { isFixed } from './visibility.ts'

/**
 * Whether a text between the blog's blocks is recognizable as a part of the site: by its element, by the
 * names or the label of an advertisement, by a box, by links, pictures and controls beside it, because it
 * repeats the blog, or because readers do not see it.
 */
export function isFurniture(
  block: TextBlock,
  { root, own }: { root: Element; own: { ancestors: Set<Element>; texts: string[] } }
): boolean {
  const { element, compact } = block
  const landmark = composedClosest(
    element,
    'nav, aside, form, button, label, dialog, ins, header, footer, figure, details, summary, [role], [aria-live]'
  )
  if (landmark !== null && landmark !== root && composedContains(root, landmark)) return true
  if (isFixed(element) || isNamedAsSite(element, root)) return true
  if (rectsOf(block).every(({ width, height }) => width <= 2 || height <= 2)) return true
  if (own.texts.some((text) => text.includes(compact))) return true
  const unit = unitOf(element, { root, ancestors: own.ancestors })
  const boxes = selfAndAncestors(element)
  return isInteractive(unit) || boxes.slice(0, boxes.indexOf(unit) + 1).some(hasDecoration)
}

/** The largest element around a text that has none of the blog's blocks, whose ancestors are known. */
export function unitOf(element: Element, { root, ancestors }: { root: Element; ancestors: Set<Element> }): Element {
  let unit = element
  for (let outer = composedParent(unit); outer !== null && outer !== root; outer = composedParent(outer)) {
    if (ancestors.has(outer)) break
    unit = outer
  }
  return unit
}

/**
 * Whether an element has pictures or controls, is to a good part a link, such as a teaser, or is a sentence
 * with a link, such as a call to action.
 */
export function isInteractive(unit: Element): boolean {
  if (unit.querySelector('img, picture, svg, video, iframe, button, input, select, textarea') !== null) return true
  const lengthOf = (element: Element): number => (element.textContent ?? '').trim().length
  const linked = [...unit.querySelectorAll('a[href]')].reduce((sum, link) => sum + lengthOf(link), 0)
  const length = lengthOf(unit)
  return unit.localName === 'a' || linked > length * 0.3 || (linked > 0 && length < 80)
}

/** Whether an element, or one around it, has the element, the names or the label of a box of the site. */
export function isNamedAsSite(inner: Element, root: Element): boolean {
  const names =
    'ads?|advert\\w*|adsense|sponsor\\w*|promo\\w*|banner|' +
    'werbung|anzeige|publicidad|publicite|teaser|related|newsletter'
  const labels =
    'advertisement|advertorial|sponsored|anzeige|werbung|publicidad|publicité|pubblicità|publicidade|' +
    'advertentie|reklama?|реклама|إعلان|פרסומת|広告|广告|廣告|광고'
  const nameOfAdvertisement = new RegExp(`(?:^|[\\s_-])(?:${names})(?:$|[\\s_-])`, 'i')
  const labelOfAdvertisement = new RegExp(`^(?:${labels})`, 'i')
  for (const element of selfAndAncestors(inner)) {
    if (element === root) return false
    if (
      /^(?:aside|nav|form|ins|header|footer)$/.test(element.localName) ||
      nameOfAdvertisement.test(`${element.getAttribute('class') ?? ''} ${element.id}`)
    ) {
      return true
    }
    if (labelOfAdvertisement.test((element.textContent ?? '').trim())) return true
  }
  return false
}
