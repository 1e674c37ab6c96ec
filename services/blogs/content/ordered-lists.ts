import { attributeOf, isElement, setAttribute, type Element } from './tree.ts'

/** Classes for the attribute `type`: in CSS, its value is not case-sensitive in all browsers. */
const TYPE_CLASSES: Readonly<Record<string, string>> = {
  a: 'svc-lower-alpha',
  A: 'svc-upper-alpha',
  i: 'svc-lower-roman',
  I: 'svc-upper-roman'
}
const WIDE_CLASS = 'svc-wide-markers'
const CLASSES: ReadonlySet<string> = new Set([...Object.values(TYPE_CLASSES), WIDE_CLASS])
/** Roman numerals up to 7 (vii) are as narrow as two digits. */
const NARROW_ROMAN = 7

/**
 * Sets classes for the numbering of an ordered list: its type, because resets set the style of the
 * markers, and whether the markers need more room, because articles are clipped at their box.
 */
export function markOrderedList(list: Element): void {
  const type = attributeOf(list, 'type') ?? '1'
  const classes = (attributeOf(list, 'class') ?? '').split(' ').filter((name) => name !== '' && !CLASSES.has(name))
  const typeClass = TYPE_CLASSES[type]
  if (typeClass !== undefined) classes.push(typeClass)
  if (largestNumber(list) > (/i/i.test(type) ? NARROW_ROMAN : 99)) classes.push(WIDE_CLASS)
  setAttribute(list, 'class', classes.length === 0 ? null : classes.join(' '))
}

/** The largest absolute number of an item. A negative one is as wide as one with another digit. */
function largestNumber(list: Element): number {
  const items = list.childNodes.filter((node) => isElement(node)).filter(({ tagName }) => tagName === 'li')
  const isReversed = attributeOf(list, 'reversed') !== undefined
  let number = Number(attributeOf(list, 'start') ?? (isReversed ? items.length : 1))
  let largest = 0
  for (const item of items) {
    number = Number(attributeOf(item, 'value') ?? number)
    largest = Math.max(largest, number < 0 ? -number * 10 : number)
    number += isReversed ? -1 : 1
  }
  return largest
}
