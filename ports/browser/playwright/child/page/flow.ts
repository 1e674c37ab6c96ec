/// <reference lib="dom" />
import type { BlockFlow } from '../../../port/block-flow.ts'
import { queryAllDeep, selfAndAncestors } from './dom.ts'
import { areBeside, extentOf, startOf, type Extent } from './extents.ts'
import { differsInAlignment, hasDecoration } from './looks.ts'
import type { Article } from './matching.ts'
import type { RolePair } from './roles.ts'
import { hostOf, rectsOf } from './text-blocks.ts'

/**
 * How the blocks of the article stand among each other, by the index of the block: what a reader sees of the
 * order of a column before reading a word. Blocks in tables, captions and notes have no place in it.
 */
export function measureFlow(pairs: RolePair[], article: Article): Map<number, BlockFlow> {
  const shown = pairs.flatMap((pair) => {
    const extent = extentOf(rectsOf(pair.block))
    return extent === null ? [] : [{ ...pair, extent }]
  })
  const objects = extentsOfObjects(article)
  const lists = new Set(shown.flatMap(({ own }) => (own.closest('li') === null ? [] : outermostListOf(own))))
  const listsInColumns = new Set([...lists].filter((list) => isInColumns(list, shown)))
  const flow = new Map<number, BlockFlow>()
  let depth = 0
  for (const [at, { index, own, block, extent }] of shown.entries()) {
    const role = flowRoleOf(own)
    if (role === null) continue
    const isHeading = /^h[1-6]$/.test(role)
    if (isHeading) depth = Number(role.slice(1))
    const before = shown[at - 1]
    const follows = before !== undefined && isNext(before.own, own) && flowRoleOf(before.own) !== null
    const { direction } = getComputedStyle(block.element)
    const isBeside = ({ extent: other }: { extent: Extent }): boolean => other !== extent && areBeside(extent, other)
    flow.set(index, {
      role,
      depth: isHeading ? 0 : depth,
      startPx: Math.round(startOf(block.element)),
      aligned: !differsInAlignment(getComputedStyle(block.element), { textAlign: 'start', direction }),
      ...(/center/.test(getComputedStyle(block.element).textAlign) ? { centered: true as const } : {}),
      isBeside:
        selfAndAncestors(block.element).some(isMultiColumn) ||
        outermostListOf(own).some((list) => listsInColumns.has(list)) ||
        shown.some(isBeside) ||
        objects.some((other) => areBeside(extent, other)),
      isBesidePrevious: follows && !/^h/.test(before.own.localName) && areBeside(extent, before.extent),
      gapEm:
        follows && (isHeading || (role === 'p' && before.own.localName === 'p'))
          ? gapBetween(before, { block, extent })
          : null
    })
  }
  return flow
}

/** The kind of a block whose place in the column is comparable with that of others. Null for other blocks. */
export function flowRoleOf(own: Element): string | null {
  if (own.closest('table, figure, details, aside, section, dl') !== null) return null
  const item = own.closest('li')
  if (item !== null) {
    let level = 0
    for (let one = item.closest('ul, ol'); one; one = one.parentElement?.closest('ul, ol') ?? null) level++
    // Only the start of an item is at its edge.
    return own === item || item.firstElementChild === own ? `li ${level}` : null
  }
  if (own.closest('blockquote') !== null) return 'blockquote'
  return /^(?:p|pre|h[1-6])$/.test(own.localName) ? own.localName : null
}

/** The list that an item of the blog is in, at any depth. */
export function outermostListOf(own: Element): Element[] {
  let list = own.closest('ul, ol')
  for (let outer = list; outer !== null; outer = outer.parentElement?.closest('ul, ol') ?? null) list = outer
  return list === null ? [] : [list]
}

/** Whether a page shows the items of a list in columns. Some of them may have nothing beside them. */
export function isInColumns(list: Element, shown: readonly { own: Element; extent: Extent }[]): boolean {
  const items = shown.filter(({ own }) => list.contains(own))
  return items.some(({ extent }) => items.some((other) => other.extent !== extent && areBeside(extent, other.extent)))
}

/** Whether two blocks of the blog are in neighboring parts of it, with no picture or rule between. */
export function isNext(before: Element, own: Element): boolean {
  const partOf = (element: Element): Element => {
    let part = element
    while (part.parentElement !== null && !/^(?:body|div)$/.test(part.parentElement.localName)) {
      part = part.parentElement
    }
    return part
  }
  return partOf(own).previousElementSibling === partOf(before)
}

/** Pictures, players and boxes of the site in the article, beside which text has less room. */
export function extentsOfObjects({ root }: Article): Extent[] {
  const MIN_PX = 40
  return queryAllDeep('img, video, iframe, svg, canvas, aside, figure, form, nav', root)
    .slice(0, 200)
    .map((element) => element.getBoundingClientRect())
    .filter(({ width, height }) => width >= MIN_PX && height >= MIN_PX)
}

export const isMultiColumn = (element: Element): boolean => {
  const { columnCount, columnWidth } = getComputedStyle(element)
  return (columnCount !== 'auto' && columnCount !== '1') || columnWidth !== 'auto'
}

/**
 * The space between the last line of a text and the first line of the next, beyond that of lines within a
 * text, in em. Null if the texts are not one below the other, or if something else sets them apart: an indent, a
 * border, a background or an ornament.
 */
export function gapBetween(
  before: { block: RolePair['block']; extent: Extent },
  { block, extent }: { block: RolePair['block']; extent: Extent }
): number | null {
  const isBelow = extent.top >= before.extent.bottom - (before.extent.bottom - before.extent.top) / 2
  const sharedWidth = Math.min(extent.right, before.extent.right) - Math.max(extent.left, before.extent.left)
  if (!isBelow || sharedWidth <= 0 || hasDecoration(block.element) || hasDecoration(before.block.element)) return null
  const { fontSize } = getComputedStyle(hostOf(before.block))
  const { textIndent } = getComputedStyle(block.element)
  if (Math.abs(parseFloat(textIndent)) >= 0.5 * parseFloat(fontSize)) return null
  const space = extent.top - before.extent.bottom - (leadingOf(before.block) + leadingOf(block)) / 2
  return Math.round((space / (parseFloat(fontSize) || 16)) * 100) / 100
}

/** The space between two lines of a text, between their content areas. */
export function leadingOf(block: RolePair['block']): number {
  const lineHeight = parseFloat(getComputedStyle(hostOf(block)).lineHeight)
  const content = Math.max(...rectsOf(block).map(({ height }) => height))
  return Number.isNaN(lineHeight) ? 0 : lineHeight - content
}
