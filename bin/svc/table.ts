/**
 * Lines of a table for people to read: the first column to the left, numbers to the right, as wide
 * as its longest cell.
 */
export function table(head: string[], rows: string[][]): string[] {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)))
  const line = (cells: string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
  return [line(head), ...rows.map(line)]
}
