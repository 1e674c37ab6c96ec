/// <reference lib="dom" />
import type { OverlapSnapshot } from '../../../port/page-snapshot.ts'
import { composedClosest, locate } from './dom.ts'
import { areBeside, extentOf, startOf } from './extents.ts'
import { differsInAlignment, hasDecoration } from './looks.ts'
import type { RolePair } from './roles.ts'
import { hostOf, rectsOf, type TextBlock } from './text-blocks.ts'

/*
 * What HTML says without words: the depth of lists, the indents of code. Compared with the blog's.
 */

/** How many lists are around an element, up to a root. */
export function levelOf(element: Element, root: Element | null): number {
  let level = 0
  for (let one: Element | null = element; one !== null && one !== root; one = one.parentElement) {
    if (/^[uo]l$/.test(one.localName)) level += 1
  }
  return level
}

/** Whether an item is as deep in its list as in the blog. Sites may put the whole article into a list. */
export function hasOwnLevel({ own, block }: Pick<RolePair, 'own' | 'block'>, { root }: { root: Element }): boolean {
  const [ownItem, item] = [own.closest('li'), composedClosest(block.element, 'li')]
  if (ownItem === null || item === null || !root.contains(item)) return true
  return levelOf(item, root) <= levelOf(ownItem, null)
}

/** Whether an element of the blog is in a list within a list. */
export const isNested = (own: Element): boolean => levelOf(own, null) > 1

/** Whether an item of a list within a list is deeper than the item around it, or at least starts farther. */
export function isDeeper({ own, block }: Pick<RolePair, 'own' | 'block'>, pairs: readonly RolePair[]): boolean {
  const MIN_INDENT_PX = 4
  const outer = own.closest('li')?.parentElement?.closest('li')
  const before = pairs.find((pair) => pair.own.closest('li') === outer)
  const [item, outerItem] = [block, before?.block].map((one) => one && composedClosest(one.element, 'li'))
  if (item == null || outerItem == null || before === undefined || outerItem.contains(item)) return true
  return startOf(block.element) - startOf(before.block.element) >= MIN_INDENT_PX
}

/** Whether something in the first line of an item, such as the picture of its marker, is much taller than the line. */
export function isMarkerTall(item: Element, block: RolePair['block']): boolean {
  const MAX_LINES = 1.5
  const { listStyleImage, lineHeight, fontSize, paddingTop, borderTopWidth } = getComputedStyle(item)
  const [line] = rectsOf(block)
  if (listStyleImage === 'none' || line === undefined) return false
  const start = item.getBoundingClientRect().top + parseFloat(paddingTop) + parseFloat(borderTopWidth)
  return line.top - start > MAX_LINES * (parseFloat(lineHeight) || 1.2 * parseFloat(fontSize))
}

/** Whether the lines of code are much farther apart than its line height, as with an empty line after each. */
export function areLinesOfCodeApart({ own, block }: Pick<RolePair, 'own' | 'block'>): boolean {
  const [MIN_LINES, MAX_RATIO] = [4, 1.7]
  const lines = (own.textContent ?? '').trimEnd().split('\n')
  const filled = lines.filter((line) => line.trim() !== '').length
  const { lineHeight, fontSize } = getComputedStyle(hostOf(block))
  const tops = [...new Set(rectsOf(block).map(({ top, height }) => Math.round(top + height / 2)))].sort((a, b) => a - b)
  const gaps = tops.slice(1).map((top, at) => top - tops[at]!)
  const height = parseFloat(lineHeight) || 1.2 * parseFloat(fontSize)
  // Lines that wrap have more places, and those of a blog with many empty lines are apart in the blog, too.
  const middle = gaps.filter((gap) => gap > height / 2).sort((one, other) => one - other)[gaps.length >> 1] ?? 0
  return filled >= MIN_LINES && lines.length - filled < filled / 3 && middle > MAX_RATIO * height
}

/** Whether code has at least half of the spaces at the starts of its lines. A tab may replace several of them. */
export function keepsIndents({ own, block }: Pick<RolePair, 'own' | 'block'>): boolean {
  const MIN_SPACES = 4
  const text = own.textContent ?? ''
  const indents = (text.match(/\n[ \t]+(?=\S)/g) ?? []).reduce((sum, { length }) => sum + length - 1, 0)
  const spacesIn = (value: string): number => value.match(/[ \u00a0]/g)?.length ?? 0
  const shown = block.element.textContent ?? ''
  if (indents < MIN_SPACES || shown.includes('\t')) return true
  const isPadded = [...block.element.querySelectorAll('*')].some(
    (one) => parseFloat(getComputedStyle(one).paddingInlineStart) > 4 && one !== block.element.firstElementChild
  )
  return isPadded || spacesIn(shown) > spacesIn(text) - indents / 2
}

/** Whether the lines of code start at one edge. A site may center a single line. */
export function startsAtItsEdge(host: Element, lines: number): boolean {
  const style = getComputedStyle(host)
  const isElsewhere = differsInAlignment(style, { textAlign: 'start', direction: style.direction })
  return !isElsewhere || (lines < 2 && /center/.test(style.textAlign))
}

/** Whether the texts of most columns of a table touch those of the next one, with no line between them. */
export function hasTouchingColumns(rows: RolePair[][]): boolean {
  const MIN_GAP_EM = 0.15
  const columns = Math.min(...rows.map((row) => row.length))
  if (columns < 2 || rows.length < 2) return false
  let touching = 0
  for (let at = 1; at < columns; at++) {
    const gaps = rows.map((row) => gapOfCells(row[at - 1]!, row[at]!))
    if (Math.min(...gaps) < MIN_GAP_EM) touching += 1
  }
  return touching >= (columns - 1) / 2
}

/** The space between the texts of two cells, in em. Infinite if they are in different lines or set apart. */
export function gapOfCells({ block: one }: RolePair, { block: other }: RolePair): number {
  const [first, second] = [extentOf(rectsOf(one)), extentOf(rectsOf(other))]
  if (first === null || second === null || !areBeside(first, second)) return Infinity
  const isSetApart = [one, other].some(({ element }) => hasDecoration(element))
  const fontPx = parseFloat(getComputedStyle(hostOf(one)).fontSize) || 16
  return isSetApart ? Infinity : Math.max(second.left - first.right, first.left - second.right) / fontPx
}

/** Whether the box of a task is in the first line of its text. */
export function isBesideBox(input: Element, block: RolePair['block']): boolean {
  const box = input.getBoundingClientRect()
  const [line] = rectsOf(block)
  return line === undefined || box.height === 0 || (box.top < line.bottom && box.bottom > line.top)
}

/**
 * Blocks of which several lines lie on a picture of the article, which is in the flow of the blog. Captions may,
 * and a shape may let text into the box of a picture.
 */
export function findTextOnPictures(
  own: { index: number; block: TextBlock }[],
  root: Element | null
): OverlapSnapshot[] {
  const MIN_PX = 100
  const MIN_LINES = 2
  const MAX_PICTURES = 500
  const pictures = [...(root?.querySelectorAll('img') ?? [])]
    .slice(0, MAX_PICTURES)
    .filter((image) => image.complete && getComputedStyle(image).shapeOutside === 'none')
    .filter((image) => image.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .map((image) => image.getBoundingClientRect())
    .filter(({ width, height }) => width >= MIN_PX && height >= MIN_PX)
  if (pictures.length === 0) return []
  const isOn = (rect: DOMRect): boolean =>
    pictures.some(
      (box) =>
        Math.min(rect.right, box.right) - Math.max(rect.left, box.left) > rect.width / 2 &&
        rect.top >= box.top &&
        rect.bottom <= box.bottom
    )
  return own.flatMap(({ index, block }) => {
    if (!/^(?:p|li)$/.test(block.element.localName) || block.element.closest('figure') !== null) return []
    const lines = rectsOf(block)
    const on = lines.filter(isOn).length
    if (on < MIN_LINES || on < lines.length / 3) return []
    return [
      { block: index, other: null, share: Math.round((on / lines.length) * 100) / 100, place: locate(block.element) }
    ]
  })
}

/** Whether an item has both the number of its list and one that a site generates. */
export function isNumberedTwice(item: Element): boolean {
  const { display, listStyleType } = getComputedStyle(item)
  if (!display.includes('list-item') || listStyleType === 'none') return false
  const marker = getComputedStyle(item, '::marker').content
  const { content, display: shown } = getComputedStyle(item, '::before')
  return !['""', 'none'].includes(marker) && shown !== 'none' && /counters?\(|"\s*\p{Nd}/u.test(content)
}
