import type { BlogSource } from '../../ports/store/port.ts'

/** Rendering longer texts and style sheets, in characters, probably takes more time than others should wait. */
const LONG_TEXT = 32_768
/** The same, in microseconds of CPU time that the constructs of a short text take, as they were measured. */
const LONG_WEIGHT = 60_000
/** Others need not wait long for a text below this one. */
const SHORT_WEIGHT = 6_000
/** By character of Markdown: a line may be an item or a heading, a bracket a link, a caret a footnote. */
const WEIGHTS: Readonly<Record<string, number>> = { '\n': 12, '[': 10, '|': 30, '^': 70 }
/** A cell of a table. Rows may be shorter than the header: two characters become as many cells as it has. */
const CELL_WEIGHT = 16
const DELIMITER_ROW = /^[ \t>]*[|:-][ \t>|:-]*$/
/** Highlighting takes time in proportion to the square of the length of some code. */
const CODE_WEIGHT = 1 / 200
const CODE_START = /(?:`{3}|~{3})[ \t]*[^\s`~]|language-/g
const CODE_END = /`{3}|~{3}|<\/(?:code|pre)/gi

/**
 * Whether rendering the source probably takes long: the text is long, or has many constructs that are much longer as
 * HTML. And whether it certainly takes a short time. Takes less than 1 % of the time that rendering takes.
 */
export function estimateTime({ format, text, css }: Pick<BlogSource, 'format' | 'text' | 'css'>): {
  isLong: boolean
  isShort: boolean
} {
  const length = text.length + (css?.length ?? 0)
  if (length > LONG_TEXT) return { isLong: true, isShort: false }
  const markdown = format === 'markdown' ? characterWeight(text) + CELL_WEIGHT * countCells(text) : 0
  const weight = length + markdown + CODE_WEIGHT * squaredCode(text)
  return { isLong: weight > LONG_WEIGHT, isShort: weight < SHORT_WEIGHT }
}

function characterWeight(text: string): number {
  let weight = 0
  for (const [character, each] of Object.entries(WEIGHTS)) {
    for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) weight += each
  }
  return weight
}

/** The cells of table rows, as many as in the header. */
function countCells(text: string): number {
  if (!text.includes('|')) return 0
  let cells = 0
  let columns = 0
  for (const line of text.split('\n')) {
    if (line.trim() === '') columns = 0
    else if (line.includes('-') && DELIMITER_ROW.test(line)) columns = Math.max(columns, line.split('|').length)
    else cells += columns
  }
  return cells
}

/** The sum of the squares of the lengths of code in some language. */
function squaredCode(text: string): number {
  let sum = 0
  CODE_START.lastIndex = 0
  for (let start = CODE_START.exec(text); start !== null; start = CODE_START.exec(text)) {
    CODE_END.lastIndex = CODE_START.lastIndex
    const end = CODE_END.exec(text)?.index ?? text.length
    sum += (end - start.index) ** 2
    CODE_START.lastIndex = Math.max(end, CODE_START.lastIndex)
  }
  return sum
}
