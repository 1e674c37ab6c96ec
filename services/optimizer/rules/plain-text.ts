import { BLOCK_ELEMENTS, REMOVED_ELEMENTS } from '../../blogs/content/allow-list.ts'
import { limitNesting } from '../../blogs/content/sanitize.ts'
import { toWellFormedText } from '../../../lib/text.ts'
import { normalize } from '../../../lib/normalize.ts'
import {
  isElement,
  isText,
  parseInDiv,
  parseInDivInSlices,
  type ChildNode,
  type Element
} from '../../blogs/content/tree.ts'

const LOOKS_LIKE_HTML = /<[a-z/!?]|&(?:#\d|#x[\da-f]|[a-z][a-z\d]*;)/i
const MARKUP = /<[a-z/!?]/i
const TAG_START = /<(?=[a-z/!?])/gi
/** Feeds escape HTML once or twice. Deeper escaping is treated as an attack. */
const MAX_PASSES = 4
const REMOVED: ReadonlySet<string> = new Set([...REMOVED_ELEMENTS, 'iframe', 'head'])
const PARAGRAPHS: ReadonlySet<string> = new Set(
  [...BLOCK_ELEMENTS].filter((name) => !['li', 'dt', 'dd', 'tr', 'td', 'th'].includes(name))
)
/**
 * Invisible characters that do not join letters: soft hyphen, zero-width space, word joiner, byte
 * order mark, bidirectional controls, tag characters, U+FFFD.
 */
const INVISIBLE =
  /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFD]|[\u{E0000}-\u{E007F}]/gu

export interface PlainTextOptions {
  /** Writes rows of tables and lists of terms as `name: value`. */
  labels?: boolean
}

/** Shorter texts take little time to convert. */
const REMEMBERED_LENGTH = 500
/** Nodes that are visited between two pauses. */
const VISITED_AT_ONCE = 5_000
/** Longer ones are converted in advance, with pauses: 12,000 cells of a table take 70 ms. */
const LONG_LENGTH = 10_000
/** The total length of the sources of remembered texts. */
const MAX_REMEMBERED = 1_000_000

/** Texts by their sources: a product needs its description several times, and variants often have the same one. */
class RememberedTexts {
  readonly #texts = new Map<string, string>()
  #length = 0

  get(source: string): string | undefined {
    return this.#texts.get(source)
  }

  add(source: string, text: string): void {
    if (this.#texts.has(source)) return
    this.#texts.set(source, text)
    this.#length += source.length
    for (const oldest of this.#texts.keys()) {
      if (this.#length <= MAX_REMEMBERED) return
      this.#texts.delete(oldest)
      this.#length -= oldest.length
    }
  }
}

const remembered = { plain: new RememberedTexts(), labeled: new RememberedTexts() }

/**
 * Converts plain text or HTML, escaped up to several times, to its visible text: without tags,
 * entities, control or invisible characters; NFC; paragraphs separated by a blank line. The result
 * contains nothing that a browser would parse as a tag. Never throws.
 */
export function plainText(source: string, { labels = false }: PlainTextOptions = {}): string {
  if (source.length < REMEMBERED_LENGTH) return convert(source, labels)
  const texts = labels ? remembered.labeled : remembered.plain
  const known = texts.get(source)
  if (known !== undefined) return known
  const text = convert(source, labels)
  // Only products with tables need both.
  if (!labels) texts.add(source, text)
  return text
}

/** Whether a text has tables or lists of terms, which are also read with labels. */
export const hasLabels = (source: string): boolean => /<(?:td|th|dt)\b/i.test(source)

/** Converts a long text with pauses, so that `plainText` has it at once. */
export async function prepareText(source: string, pause: () => Promise<void>): Promise<void> {
  if (source.length < LONG_LENGTH) return
  const parsed = new Map<string, ChildNode[]>()
  async function parse(html: string): Promise<ChildNode[]> {
    const nodes = parsed.get(html) ?? (await parseInDivInSlices(limitNesting(html), pause)).childNodes
    parsed.set(html, nodes)
    return nodes
  }
  for (const labels of hasLabels(source) ? [false, true] : [false]) {
    const texts = labels ? remembered.labeled : remembered.plain
    if (texts.get(source) !== undefined) continue
    const steps = conversionOf(source, labels)
    let step = steps.next([])
    while (step.done !== true) {
      await pause()
      step = steps.next(step.value === null ? [] : await parse(step.value))
    }
    texts.add(source, step.value)
  }
}

function convert(source: string, labels: boolean): string {
  const steps = conversionOf(source, labels)
  let step = steps.next([])
  while (step.done !== true) step = steps.next(step.value === null ? [] : parseNodes(step.value))
  return step.value
}

/** Yields HTML to be parsed, which is passed in, or null where a pause is possible. */
type Conversion<Result> = Generator<string | null, Result, ChildNode[]>

function* conversionOf(source: string, labels: boolean): Conversion<string> {
  let text = toWellFormedText(source)
  let lineEndsCount = true
  for (let pass = 0; pass < MAX_PASSES && LOOKS_LIKE_HTML.test(text); pass++) {
    const isMarkup = MARKUP.test(text)
    text = yield* visibleText(text, { joinLines: lineEndsCount && isMarkup, labels })
    lineEndsCount &&= !isMarkup
  }
  // Repeated, because character references may have been decoded into control characters.
  const visible = toWellFormedText(text).replace(TAG_START, '').replace(INVISIBLE, '')
  return normalize(visible, 'NFC')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Like `plainText`, on a single line. */
export function plainLine(source: string): string {
  return plainText(source).replace(/\s+/g, ' ').trim()
}

/** The HTML that was parsed last: tables are read with and without labels. Its nodes are not changed. */
let lastParsed: { html: string; nodes: ChildNode[] } = { html: '', nodes: [] }

function parseNodes(html: string): ChildNode[] {
  if (lastParsed.html !== html) lastParsed = { html, nodes: parseInDiv(limitNesting(html)).childNodes }
  return lastParsed.nodes
}

/**
 * `joinLines`: line ends become spaces, as in markup. Line ends produced by block elements are not
 * joined in a later pass.
 */
function* visibleText(
  html: string,
  { joinLines, labels }: { joinLines: boolean; labels: boolean }
): Conversion<string> {
  const parts: string[] = []
  const labelCells = new Set<Element>()
  const nodes = yield html
  const pending: (ChildNode | string)[] = nodes.toReversed()
  let visited = 0
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (++visited % VISITED_AT_ONCE === 0) yield null
    if (typeof node === 'string') parts.push(node)
    else if (isText(node)) parts.push(joinLines ? node.value.replace(/\s+/g, ' ') : node.value)
    else if (isElement(node) && !REMOVED.has(node.tagName)) {
      const separator = blockSeparator(node.tagName)
      // The next item starts the new line.
      const end = labels && isLabel(node, labelCells) ? ': ' : separator === '\n' ? '' : separator
      if (labels) addLabelCell(node, labelCells)
      pending.push(end, ...node.childNodes.toReversed(), labels && node.tagName === 'dd' ? ' ' : separator)
    }
  }
  return parts.join('')
}

const isCell = ({ tagName }: Element): boolean => tagName === 'td' || tagName === 'th'

/** Whether an element is a term, or the first of two cells. */
const isLabel = (element: Element, labelCells: ReadonlySet<Element>): boolean =>
  isCell(element) ? labelCells.has(element) : element.tagName === 'dt'

/** Once for each row: a row may have thousands of cells, each of which would read all others. */
function addLabelCell(row: Element, labelCells: Set<Element>): void {
  const [first, ...others] = row.childNodes.filter(isElement)
  if (first !== undefined && others.length === 1 && isCell(first)) labelCells.add(first)
}

function blockSeparator(tagName: string): string {
  if (PARAGRAPHS.has(tagName)) return '\n\n'
  if (tagName === 'br') return '\n'
  if (tagName === 'td' || tagName === 'th') return ' '
  return BLOCK_ELEMENTS.has(tagName) ? '\n' : ''
}
