/// <reference lib="dom" />
import type { RoleSnapshot } from '../../../port/page-snapshot.ts'
import { clipWindowOf } from './clipping.ts'
import { composedClosest, composedParent, locate } from './dom.ts'
import { captureEmphasis } from './emphasis.ts'
import { startOf } from './extents.ts'
import { differsInAlignment, differsInColor, differsInFont, hasDecoration } from './looks.ts'
import type { Article, Match } from './matching.ts'
import {
  areLinesOfCodeApart,
  hasOwnLevel,
  hasTouchingColumns,
  isBesideBox,
  isDeeper,
  isMarkerTall,
  isNested,
  isNumberedTwice,
  keepsIndents,
  startsAtItsEdge
} from './structure.ts'
import { hostOf, rectsOf, type TextBlock } from './text-blocks.ts'

/** A block of the blog and its counterpart in the page. */
export interface RolePair {
  index: number
  own: Element
  ownBlock: TextBlock
  block: TextBlock
}

/** How the paragraphs of the blog look: what headings, list items and quotes must differ from. */
export interface ParagraphStyle {
  fontPx: number
  weight: number
  color: string
  fontStyle: string
  fontFamily: string
  textAlign: string
  direction: string
  start: number
}

/**
 * Whether readers recognize headings, list items, quotes, code, tables and emphasis as such. Measures the
 * blog's rendered elements only; `captureLinks` does the same for links.
 */
export function captureRoles(
  blocks: { index: number; block: TextBlock; own: Match['own'] }[],
  article: Article | null
): RoleSnapshot[] {
  if (article === null) return []
  const pairs = blocks
    .map(({ index, block, own }) => ({ index, block, own: own.element, ownBlock: own }))
    .filter(({ block }) => rectsOf(block).length > 0)
  const paragraph = paragraphStyleOf(pairs)
  if (paragraph === null) return []
  const roles: RoleSnapshot[] = []
  for (const pair of pairs) {
    const { own, block, index } = pair
    const add = (role: RoleSnapshot['role'], held: boolean, element?: string): void => {
      roles.push({ role, held, block: index, ...(element === undefined ? {} : { element }), ...locate(block.element) })
    }
    if (/^h[1-6]$/.test(own.localName)) add('heading', standsOut(block, paragraph))
    else if (own.localName === 'pre') add('code', isShownAsCode(pair))
    else if (own.closest('li') !== null && isFirstTextOf(pair, pairs, 'li')) {
      const isItem = isShownAsItem(pair, { paragraph, root: article.root }) && hasOwnLevel(pair, article)
      // One task that is shown as done is a wrong statement, whatever the others are: it counts on its own.
      if (hasOtherState(pair)) add('list', false, `task ${index}`)
      else if (own.closest('li')?.querySelector('input[type="checkbox"]')) add('list', hasCheckbox(pair), 'checkbox')
      else if (isNested(own)) {
        add('list', isItem && hasOwnNumber(pair) && isDeeper(pair, pairs), `${listOf(own)} nested`)
      } else add('list', isItem && hasOwnNumber(pair), listOf(own))
    } else if (own.closest('blockquote') !== null && isFirstTextOf(pair, pairs, 'blockquote')) {
      add('quote', isSetOff(block, { paragraph, root: article.root, selector: 'blockquote, q' }))
    }
  }
  return [...roles, ...captureTables(pairs, paragraph), ...captureEmphasis(pairs).slice(0, 500)]
}

/** The most common style of the blog's paragraphs. Null without paragraphs. */
export function paragraphStyleOf(pairs: RolePair[]): ParagraphStyle | null {
  const styles = pairs
    .filter(({ own }) => own.localName === 'p' && own.closest('li, blockquote, figure, table, aside, details') === null)
    .map(({ block }) => {
      const { fontSize, fontWeight, color, fontStyle, fontFamily, textAlign, direction } = getComputedStyle(
        hostOf(block)
      )
      const fontPx = parseFloat(fontSize)
      return {
        ...{ fontPx, weight: Number(fontWeight), color, fontStyle, fontFamily, textAlign, direction },
        start: startOf(block.element)
      }
    })
  const groups = Object.values(Object.groupBy(styles, ({ fontPx, weight, color }) => `${fontPx} ${weight} ${color}`))
  const [common] = groups.map((group) => group!).sort((one, other) => other.length - one.length)
  if (common === undefined) return null
  const starts = common.map(({ start }) => start).sort((one, other) => one - other)
  return { ...common[0]!, start: starts[starts.length >> 1]! }
}

/** Whether a heading differs from a paragraph in more than its space. */
export function standsOut(block: TextBlock, paragraph: ParagraphStyle): boolean {
  const style = getComputedStyle(hostOf(block))
  return (
    differsInText(style, paragraph) ||
    Math.abs(parseFloat(style.fontSize) / paragraph.fontPx - 1) > 0.08 ||
    style.textTransform === 'uppercase' ||
    style.fontVariantCaps !== 'normal' ||
    style.textDecorationLine.includes('underline') ||
    differsInAlignment(getComputedStyle(block.element), paragraph) ||
    hasDecoration(block.element)
  )
}

/** Whether letters look different: by weight, color, slope or font. */
export function differsInText(style: CSSStyleDeclaration, paragraph: ParagraphStyle): boolean {
  return (
    Number(style.fontWeight) >= paragraph.weight + 100 ||
    style.fontStyle !== paragraph.fontStyle ||
    differsInColor(style.color, paragraph.color) ||
    differsInFont(style.fontFamily, paragraph.fontFamily)
  )
}

/** Whether this is the first block of its list item or quote. Only that one has the marker. */
export function isFirstTextOf({ own }: RolePair, pairs: RolePair[], selector: string): boolean {
  const container = own.closest(selector)
  return pairs.find((pair) => pair.own.closest(selector) === container)?.own === own
}

/** The kind of list around an element of the blog: `ol` or `ul`. */
export const listOf = (own: Element): string => own.closest('ul, ol')?.localName ?? 'ul'

/**
 * Whether a list item has a marker, an indent, a box, or a picture or control of its own. The items of
 * ordered lists need a marker: their numbers mean something.
 */
export function isShownAsItem(
  { block, own }: RolePair,
  { paragraph, root }: { paragraph: ParagraphStyle; root: Element }
): boolean {
  const item = composedClosest(block.element, 'li') ?? block.element
  if (isMarkedWithWord(item) || isMarkerTall(item, block)) return false
  const { display, listStyleType, listStyleImage } = getComputedStyle(item)
  const isPainted = display.includes('list-item') && (listStyleType !== 'none' || listStyleImage !== 'none')
  const hasMarker = isPainted && !isMarkerCutOff(item)
  const hasSymbol = item.querySelector('input, svg, img') !== null
  if (listOf(own) === 'ol') {
    return hasMarker || hasSymbol || [item, ...item.querySelectorAll('*')].some((one) => showsNumber(one, own))
  }
  return hasMarker || hasSymbol || isSetOff(block, { paragraph, root, selector: 'li' })
}

/** Whether boxes around an item cut off its marker, which is outside of it. */
export function isMarkerCutOff(item: Element): boolean {
  const { listStylePosition, direction, fontSize } = getComputedStyle(item)
  if (listStylePosition === 'inside' || item.parentElement === null) return false
  const { left, right } = item.getBoundingClientRect()
  const edges = clipWindowOf(item.parentElement)
  const half = parseFloat(fontSize) / 2
  return direction === 'rtl' ? edges.right < right + half : edges.left > left - half
}

/** Whether the marker of an item is a word, which readers take for a part of the text. Labels with numbers are none. */
export function isMarkedWithWord(item: Element): boolean {
  const { display, listStyleType } = getComputedStyle(item)
  if (!display.includes('list-item')) return false
  const { content } = getComputedStyle(item, '::marker')
  const marker = content === 'normal' || content === '' ? listStyleType : content
  return /^"[^"]*"$/.test(marker) && /\p{L}{3}/u.test(marker)
}

/** Whether a task has a box: an input, a picture, generated content, or a sign at its start. */
export function hasCheckbox({ block }: RolePair): boolean {
  const item = composedClosest(block.element, 'li') ?? block.element
  const isShown = (element: Element): boolean => element.getClientRects().length > 0 && isBesideBox(element, block)
  return (
    [...item.querySelectorAll('input, svg, img, i, span, label')].some(
      (element) => isShown(element) && (!/^(?:i|span|label)$/.test(element.localName) || hasCounter(element))
    ) ||
    hasCounter(item) ||
    /^(?:\p{S}|\[)/u.test(block.text)
  )
}

/** Whether a task is shown as done that is not, or the other way around. */
export function hasOtherState({ own, block }: RolePair): boolean {
  const boxOf = (element: Element | null): HTMLInputElement | null =>
    element?.querySelector<HTMLInputElement>('input[type="checkbox"]') ?? null
  const [ownBox, box] = [boxOf(own.closest('li')), boxOf(composedClosest(block.element, 'li'))]
  return ownBox !== null && box !== null && ownBox.checked !== box.checked
}

/** Whether an item of an ordered list has the number that the blog gives it. Counters of a site count as right. */
export function hasOwnNumber({ own, block }: RolePair): boolean {
  const [ownItem, item] = [own.closest('ol > li'), composedClosest(block.element, 'li')]
  if (ownItem === null || item === null || own.closest('ul, ol')?.localName !== 'ol') return true
  const list = item.parentElement
  if (isNumberedTwice(item)) return false
  const { listStyleType, listStyleImage } = getComputedStyle(item)
  const isBullet = listStyleImage === 'none' && /^(?:disc|circle|square)$/.test(listStyleType)
  if (isBullet && ![item, ...item.querySelectorAll('*')].some(hasCounter)) return false
  if (list?.localName !== 'ol' || hasCounter(item) || getComputedStyle(item).listStyleType === 'none') return true
  return numberOf(item) === numberOf(ownItem)
}

/** The number of an item of an ordered list. */
export function numberOf(item: Element): number {
  const list = item.parentElement as HTMLOListElement
  const items = [...list.children].filter(({ localName }) => localName === 'li')
  const step = list.reversed ? -1 : 1
  let number = (list.hasAttribute('start') ? list.start : list.reversed ? items.length : 1) - step
  for (const one of items) {
    number = one.hasAttribute('value') ? (one as HTMLLIElement).value : number + step
    if (one === item) break
  }
  return number
}

/** Whether generated content precedes the text of an element, such as a number. */
export function hasCounter(element: Element): boolean {
  const { content, display } = getComputedStyle(element, '::before')
  return !['none', 'normal', '""'].includes(content) && display !== 'none'
}

/** Whether generated content counts, or is the number of an item of the blog. The same sign at all items is none. */
export function showsNumber(element: Element, own: Element): boolean {
  if (!hasCounter(element)) return false
  const { content } = getComputedStyle(element, '::before')
  const [item, digits] = [own.closest('ol > li'), /\p{Nd}+/u.exec(content)?.[0]]
  return /counters?\(/.test(content) || item === null || digits === undefined || Number(digits) === numberOf(item)
}

/** Whether a block, or an element around it within the article, differs from paragraphs. */
export function isSetOff(
  block: TextBlock,
  { paragraph, root, selector }: { paragraph: ParagraphStyle; root: Element; selector: string }
): boolean {
  const style = getComputedStyle(hostOf(block))
  if (Math.abs(startOf(block.element) - paragraph.start) >= 8) return true
  if (
    differsInText(style, paragraph) ||
    Math.abs(parseFloat(style.fontSize) / paragraph.fontPx - 1) > 0.05 ||
    differsInAlignment(style, paragraph)
  ) {
    return true
  }
  const outer = composedClosest(block.element, selector) ?? block.element
  for (let one: Element | null = block.element; one !== null && one !== root; one = composedParent(one)) {
    if (hasDecoration(one)) return true
    if (one === outer) break
  }
  return false
}

/** Whether code keeps its lines and has a font in which all characters are equally wide. */
export function isShownAsCode({ own, block }: Pick<RolePair, 'own' | 'block'>): boolean {
  const lines = (own.textContent ?? '').split('\n').filter((line) => line.trim() !== '').length
  const tops = new Set(rectsOf(block).map(({ top, height }) => Math.round((top + height / 2) / 4)))
  const host = hostOf(block)
  const { whiteSpace } = getComputedStyle(host)
  const parts = [...block.element.querySelectorAll('*')].filter(
    (element) => element.localName === 'br' || !/^(?:inline|contents|none)/.test(getComputedStyle(element).display)
  ).length
  const breaksLines = /pre|break-spaces/.test(whiteSpace) || parts >= lines
  // Languages such as Python and YAML mean something by the spaces at the start of a line.
  const isIndented = block.nodes.some(({ data }) => /(?:^|\n)[ \t]{2,}\S/.test(data))
  const showsIndents = !isIndented || !/^(?:normal|nowrap|pre-line)$/.test(whiteSpace)
  // Telephones may wrap long lines, but not into a few letters each.
  const isChopped = tops.size > 3 * Math.max(1, lines) + 3
  return (
    (lines < 2 || (breaksLines && showsIndents && tops.size >= lines * 0.9)) &&
    !isChopped &&
    hasFixedPitch(host) &&
    keepsIndents({ own, block }) &&
    !areLinesOfCodeApart({ own, block }) &&
    startsAtItsEdge(host, lines)
  )
}

/** Whether narrow and wide letters have the same width. */
export function hasFixedPitch(element: Element): boolean {
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) return true
  const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(element)
  context.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`
  const [narrow, wide] = ['iiii', 'MMMM'].map((text) => context.measureText(text).width)
  return wide! < narrow! * 1.1
}

/** Whether most rows of a table are below the one before, and all of them below its header. */
export function areBelowEachOther(rows: RolePair[][]): boolean {
  const tops = rows.map((row) => Math.min(...row.map(({ block }) => block.element.getBoundingClientRect().top)))
  const wrong = tops.slice(1).filter((top, at) => top < tops[at]! + 4).length
  const isHeaderBelow =
    rows[0]!.every(({ own }) => own.localName === 'th') && tops.slice(1).every((top) => top < tops[0]!)
  return wrong <= (rows.length - 1) / 2 && !isHeaderBelow
}

/** Whether the cells of a row are beside each other. Small screens may show rows as lists. */
export function captureTables(pairs: RolePair[], { direction }: Pick<ParagraphStyle, 'direction'>): RoleSnapshot[] {
  const cells = pairs.filter(({ own }) => /^t[dh]$/.test(own.localName))
  const tables = Map.groupBy(cells, ({ own }) => own.closest('table'))
  return [...tables.values()].flatMap((all): RoleSnapshot[] => {
    const rows = [...Map.groupBy(all, ({ own }) => own.closest('tr')).values()].filter((row) => row.length > 1)
    if (rows.length === 0) return []
    const isBroken = (row: RolePair[]): boolean =>
      row.slice(1).some(({ block }, at) => {
        const [one, other] = [row[at]!.block.element.getBoundingClientRect(), block.element.getBoundingClientRect()]
        const isBeside = Math.min(one.right, other.right) - Math.max(one.left, other.left) < 2
        const isBefore = direction === 'rtl' ? one.right < other.left + 2 : one.left > other.right - 2
        return !isBeside || isBefore || Math.min(one.bottom, other.bottom) <= Math.max(one.top, other.top)
      })
    const [first] = all
    const table = composedClosest(first!.block.element, 'table') ?? first!.block.element
    return [
      {
        role: 'table',
        held: rows.filter(isBroken).length <= rows.length / 2 && areBelowEachOther(rows) && !hasTouchingColumns(rows),
        block: first!.index,
        ...locate(table)
      }
    ]
  })
}
