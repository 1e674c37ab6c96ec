import type { BlogSource } from '../../ports/store/port.ts'

/** Rendering longer texts and style sheets, in characters, probably takes more time than others should wait. */
const LONG_TEXT = 32_768
/** The same, in microseconds of CPU time that the constructs of a short text take, as they were measured. */
const LONG_WEIGHT = 60_000
/** Others need not wait long for a text below this one. */
const SHORT_WEIGHT = 6_000
/**
 * By character of Markdown: a line may be an item or a heading, a bracket a link, a caret a footnote, an at sign an
 * address, and an asterisk or underscore emphasis.
 */
const WEIGHTS: Readonly<Record<string, number>> = { '\n': 12, '[': 10, '|': 30, '^': 70, '@': 30, '*': 3, _: 3 }
/** Of style sheets: a brace may be a rule. */
const CSS_WEIGHTS: Readonly<Record<string, number>> = { '{': 45 }
/** A cell of a table. Rows may be shorter than the header: two characters become as many cells as it has. */
const CELL_WEIGHT = 16
const DELIMITER_ROW = /^[ \t>]*[|:-][ \t>|:-]*$/
/** Highlighting takes time in proportion to the square of the length of some code. */
const CODE_WEIGHT = 1 / 200
/** A line that begins code in some language, also in a list or a quote, and one that may end it. */
const FENCE_START = /^(?<before>[\s>*+\-\d.)]*)(?<marks>`{3,}|~{3,})[ \t]*[^\s`]/
const FENCE_END = /^(?<before>[\s>]*)(?<marks>`{3,}|~{3,})\s*$/
/** A class may be written in many ways, so that any attribute counts. */
const ELEMENT_START = /<(?:code|pre)\s/gi
const MAX_TAG_LENGTH = 500
const AFTER_CODE = /^<(?:\/(?:code|pre)|code)\b/i

/**
 * Whether rendering the source probably takes long: the text is long, or has many constructs that are much longer as
 * HTML. And whether it certainly takes a short time. Takes linear time.
 */
export function estimateTime({ format, text, css }: Pick<BlogSource, 'format' | 'text' | 'css'>): {
  isLong: boolean
  isShort: boolean
} {
  const length = text.length + (css?.length ?? 0)
  if (length > LONG_TEXT) return { isLong: true, isShort: false }
  const markdown = format === 'markdown' ? characterWeight(text, WEIGHTS) + CELL_WEIGHT * countCells(text) : 0
  const weight =
    length + markdown + characterWeight(css ?? '', CSS_WEIGHTS) + CODE_WEIGHT * squaredCode(text, format === 'markdown')
  return { isLong: weight > LONG_WEIGHT, isShort: weight < SHORT_WEIGHT }
}

function characterWeight(text: string, weights: Readonly<Record<string, number>>): number {
  let weight = 0
  for (const [character, each] of Object.entries(weights)) {
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
function squaredCode(text: string, isMarkdown: boolean): number {
  let sum = 0
  for (const length of codeLengths(text, isMarkdown)) {
    sum += length ** 2
    if (CODE_WEIGHT * sum > LONG_WEIGHT) break
  }
  return sum
}

function* codeLengths(text: string, isMarkdown: boolean): Generator<number> {
  if (isMarkdown && (text.includes('```') || text.includes('~~~'))) yield* fencedLengths(text)
  yield* elementLengths(text)
}

interface Fence {
  before: string
  marks: string
}

const fenceOf = (expression: RegExp, line: string): Fence | null =>
  (expression.exec(line)?.groups as Fence | undefined) ?? null

const quotesIn = (before: string): number => before.split('>').length

/** Ends with as many marks of the same kind, in the same quotes, and not indented as code (CommonMark, section 4.5). */
const isEndOf = (end: Fence, { before, marks }: Fence): boolean =>
  end.marks.startsWith(marks) && quotesIn(end.before) === quotesIn(before) && end.before.length < before.length + 4

function* fencedLengths(text: string): Generator<number> {
  let start: Fence | null = null
  let length = 0
  for (const line of text.split('\n')) {
    if (start === null) {
      start = fenceOf(FENCE_START, line)
      continue
    }
    const end = fenceOf(FENCE_END, line)
    if (end !== null && isEndOf(end, start)) {
      yield length
      start = null
      length = 0
    } else length += line.length + 1
  }
  yield length
}

/** Code with anything but text, and an element that is written in an unusual way, may reach to the end. */
function* elementLengths(text: string): Generator<number> {
  let tagEnd = -1
  for (const { index } of text.matchAll(ELEMENT_START)) {
    if (tagEnd < index) tagEnd = text.indexOf('>', index)
    if (tagEnd === -1) return yield text.length - index
    const end = text.indexOf('<', tagEnd)
    const isPlain = tagEnd - index < MAX_TAG_LENGTH && hasClosedQuotes(text.slice(index, tagEnd))
    yield (isPlain && end !== -1 && AFTER_CODE.test(text.slice(end, end + 7)) ? end : text.length) - index
  }
}

const hasClosedQuotes = (tag: string): boolean => !/["']/.test(tag.replaceAll(/"[^"]*"|'[^']*'/g, ''))
