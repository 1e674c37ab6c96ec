/// <reference lib="dom" />
import { composedClosest } from './dom.ts'
import type { Match } from './matching.ts'
import { diceOf, trigramsOf, type TextBlock } from './text-blocks.ts'

/**
 * Finds the cells of the blog's tables whose text is not in the page by their place: in the row that has the other
 * cells of their row, in the same column. Cells are too short to be recognized by their words.
 */
export function matchCellsByPlace(matches: Match[], free: TextBlock[]): void {
  const cells = matches.filter(({ own }) => cellOf(own.element) !== null)
  const known = new Map(
    cells.flatMap(({ own, found }) => (found.length === 1 ? [[cellOf(own.element)!, cellOf(found[0]!.element)]] : []))
  )
  for (const match of cells.filter(({ similarity }) => similarity === 0)) {
    const ownCell = cellOf(match.own.element)!
    const cell = cellAtPlaceOf(ownCell, known)
    const block = cell === null ? undefined : free.find(({ element }) => cell.contains(element))
    if (block === undefined || matches.some(({ found }) => found.includes(block))) continue
    const similarity = isLabeled(ownCell, block)
      ? 1
      : Math.min(0.984, Math.max(0.6, diceOf(trigramsOf(match.own.compact), trigramsOf(block.compact))))
    Object.assign(match, { found: [block], similarity })
  }
}

export const cellOf = (element: Element): HTMLTableCellElement | null =>
  composedClosest(element, 'td, th') as HTMLTableCellElement | null

/** The cell of the page in the row and the column of a cell of the blog. Null if the table has another shape. */
export function cellAtPlaceOf(
  own: HTMLTableCellElement,
  known: ReadonlyMap<Element, Element | null>
): HTMLTableCellElement | null {
  const ownTable = own.closest('table')
  const ownRow = own.closest('tr')
  if (ownTable === null || ownRow === null) return null
  const rowOf = (cell: Element): HTMLTableRowElement | null => known.get(cell)?.closest('tr') ?? null
  const inRow = [...ownRow.cells].map(rowOf).find((row) => row !== null)
  const ofTable = [...ownTable.querySelectorAll('td, th')].map(rowOf).find((row) => row !== null)
  const table = ofTable?.closest('table')
  const byIndex = table?.rows.length === ownTable.rows.length ? table.rows[ownRow.rowIndex] : undefined
  const row = inRow ?? byIndex
  return row !== undefined && row.cells.length === ownRow.cells.length ? row.cells[own.cellIndex]! : null
}

/** Whether a cell has the header of its column before its text, in place of a header that is not shown. */
export function isLabeled(own: HTMLTableCellElement, block: TextBlock): boolean {
  const compact = (text: string | null | undefined): string => (text ?? '').replace(/\s+/g, '').toLowerCase()
  const header = compact(own.closest('table')?.rows[0]?.cells[own.cellIndex]?.textContent)
  const [head] = composedClosest(block.element, 'table')?.querySelectorAll('th') ?? []
  const isShown = head !== undefined && head.getBoundingClientRect().height > 2 && head.checkVisibility()
  const texts = [header, `${header}:`].map((label) => label + compact(own.textContent))
  return !isShown && header !== '' && texts.includes(compact(block.text))
}
