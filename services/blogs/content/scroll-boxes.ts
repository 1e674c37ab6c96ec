import { attributeOf, elementsOf, setAttribute, textOf, type Element, type ParentNode } from './tree.ts'
import { collapse, isWide } from '../../../lib/text.ts'

/**
 * Columns of text that fit on a phone: 390 px less the usual margins, in a proportional and in a
 * monospaced font. Slightly lower than measured, because fonts differ.
 */
const TABLE_COLUMNS = 32
const CODE_COLUMNS = 38
/** The padding of a cell in characters. */
const CELL_PADDING = 3
const MAX_LABEL_LENGTH = 120

/**
 * Makes tables and code that may be wider than a phone reachable by keyboard, so that readers
 * without a pointer can scroll them. A table is named after its caption or the heading before it.
 */
export function labelScrollBoxes(root: ParentNode, title: string | undefined): void {
  let heading = title ?? ''
  for (const element of elementsOf(root)) {
    if (/^h[2-4]$/.test(element.tagName)) heading = textOf(element)
    else if (element.tagName === 'pre') {
      if (longestLine(textOf(element)) > CODE_COLUMNS) setAttribute(element, 'tabindex', '0')
    } else if (element.tagName === 'div' && attributeOf(element, 'class') === 'svc-table' && isWideTable(element)) {
      setAttribute(element, 'tabindex', '0')
      const label = collapse(captionOf(element) ?? heading).slice(0, MAX_LABEL_LENGTH)
      setAttribute(element, 'role', label === '' ? null : 'group')
      setAttribute(
        element,
        'aria-label',
        label === ''
          ? null
          : label
              .toWellFormed()
              .replace(/\ufffd$/, '')
              .trimEnd()
      )
    }
  }
}

function captionOf(box: Element): string | null {
  for (const element of elementsOf(box)) if (element.tagName === 'caption') return textOf(element)
  return null
}

const columnsOf = (text: string) => (isWide(text) ? 2 : 1) * text.length
const longestLine = (text: string) => text.split('\n').reduce((longest, line) => Math.max(longest, columnsOf(line)), 0)

/** Whether the longest words of the columns, side by side, are wider than a phone. */
function isWideTable(box: Element): boolean {
  const widths: number[] = []
  let column = 0
  for (const element of elementsOf(box)) {
    if (element.tagName === 'tr') column = 0
    else if (element.tagName === 'td' || element.tagName === 'th') {
      const words = textOf(element).split(/[\s\u200b-]+/)
      const longest = words.reduce((most, word) => Math.max(most, isWide(word) ? 2 : word.length), 0)
      widths[column] = Math.max(widths[column] ?? 0, longest)
      column += 1
    }
  }
  return widths.reduce((total, width) => total + width + CELL_PADDING, 0) > TABLE_COLUMNS
}
