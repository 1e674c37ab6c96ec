import { BLOCK_ELEMENTS, REMOVED_ELEMENTS } from '../../blogs/content/allow-list.ts'
import { limitNesting } from '../../blogs/content/sanitize.ts'
import { toWellFormedText } from '../../../lib/text.ts'
import { normalize } from '../../../lib/normalize.ts'
import { isElement, isText, parseInDiv, type ChildNode, type Element } from '../../blogs/content/tree.ts'

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
/** The total length of the sources of remembered texts. */
const MAX_REMEMBERED = 1_000_000
/** Texts by their sources: a product needs its description several times, and variants often have the same one. */
const remembered = { texts: new Map<string, string>(), length: 0 }

function remember(source: string, text: string): void {
  remembered.texts.set(source, text)
  remembered.length += source.length
  for (const oldest of remembered.texts.keys()) {
    if (remembered.length <= MAX_REMEMBERED) return
    remembered.texts.delete(oldest)
    remembered.length -= oldest.length
  }
}

/**
 * Converts plain text or HTML, escaped up to several times, to its visible text: without tags,
 * entities, control or invisible characters; NFC; paragraphs separated by a blank line. The result
 * contains nothing that a browser would parse as a tag. Never throws.
 */
export function plainText(source: string, { labels = false }: PlainTextOptions = {}): string {
  if (labels || source.length < REMEMBERED_LENGTH) return convert(source, labels)
  const known = remembered.texts.get(source)
  if (known !== undefined) return known
  const text = convert(source, labels)
  remember(source, text)
  return text
}

function convert(source: string, labels: boolean): string {
  let text = toWellFormedText(source)
  let lineEndsCount = true
  for (let pass = 0; pass < MAX_PASSES && LOOKS_LIKE_HTML.test(text); pass++) {
    const isMarkup = MARKUP.test(text)
    text = visibleText(text, { joinLines: lineEndsCount && isMarkup, labels })
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
function visibleText(html: string, { joinLines, labels }: { joinLines: boolean; labels: boolean }): string {
  const parts: string[] = []
  const labelCells = new Set<Element>()
  const pending: (ChildNode | string)[] = parseNodes(html).toReversed()
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
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
