import { randomUUID } from 'node:crypto'
import { createYielder } from './async.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const COMMA_BYTES = Buffer.from(',')
const BACKSLASH = 0x5c
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
/** Bytes that are scanned between two checks of the time. */
const SCAN_BYTES = 65_536

/** The document exceeds a limit. */
export class JsonLimitError extends Error {
  override readonly name = 'JsonLimitError'
}

export interface JsonLimits {
  /** Nested arrays and objects. */
  maxDepth: number
  /** Values in one element of a top-level array, and values outside of these elements. */
  maxValues: number
  /** Elements of one top-level array. */
  maxElements: number
  /** Values in the whole document. Default: no limit. */
  maxTotalValues?: number
}

/**
 * Parses a JSON document without blocking the event loop. The elements of the top-level array, or of
 * the arrays that are members of the top-level object, are parsed one by one with pauses between
 * them. `parse` parses each of them, and the document without them. Throws what `parse` throws, and
 * a JsonLimitError, in most cases before anything is parsed.
 */
export async function parseJsonInSlices(
  bytes: Buffer,
  parse: (text: string) => unknown,
  limits: JsonLimits
): Promise<unknown> {
  const pause = createYielder()
  const scanning = scan(bytes, limits)
  let scanned: IteratorResult<void, Slice[]>
  do {
    // Before the first step, too: many documents may arrive in the same turn of the event loop.
    await pause()
    scanned = scanning.next()
  } while (scanned.done !== true)
  const slices = scanned.value
  const marker = randomUUID()
  let outside = ''
  let end = 0
  for (const [index, { start, end: sliceEnd }] of slices.entries()) {
    outside += `${bytes.toString('utf8', end, start)}"${marker}:${index}"`
    end = sliceEnd
  }
  const document = parse(outside + bytes.toString('utf8', end))
  const lists: unknown[][] = []
  for (const { elements } of slices) {
    const list: unknown[] = []
    for (const [start, end] of elements) {
      list.push(parse(bytes.toString('utf8', start, end)))
      await pause()
    }
    lists.push(list)
  }
  const listOf = (value: unknown): unknown[] | undefined =>
    Array.isArray(value) && typeof value[0] === 'string' && value[0].startsWith(`${marker}:`)
      ? lists[Number(value[0].slice(marker.length + 1))]
      : undefined
  if (lists.length === 0) return document
  if (Array.isArray(document)) return listOf(document)
  for (const [key, value] of Object.entries(document as object)) {
    const list = listOf(value)
    // Not an assignment, which would change the prototype for the name `__proto__`.
    if (list !== undefined) {
      Object.defineProperty(document, key, { value: list, writable: true, enumerable: true, configurable: true })
    }
  }
  return document
}

/** Throws a JsonLimitError if a document exceeds a limit. For short documents: it does not pause. */
export function checkJsonLimits(bytes: Buffer, limits: JsonLimits): void {
  const scanning = scan(bytes, limits)
  while (scanning.next().done !== true);
}

/**
 * Serializes a list, or an object whose members may be long lists, with pauses between their elements. The
 * result is what JSON.stringify returns, in UTF-8. Throws a JsonLimitError if it has more than
 * `maxLength` characters. Elements that are buffers contain JSON already; the caller limits their
 * length. `stringify` is called with the elements, and the name of their member;
 * elements for which it returns null are left out.
 */
export async function stringifyInSlices(
  value: object,
  {
    maxLength = Infinity,
    stringify = stringifyElement
  }: { maxLength?: number; stringify?: (element: unknown, name: string) => string | null } = {}
): Promise<Buffer> {
  const pause = createYielder()
  const parts: Buffer[] = []
  let length = 0
  async function addList(list: unknown[], name: string): Promise<void> {
    add('[')
    let separator = ''
    for (const element of list) {
      if (Buffer.isBuffer(element)) {
        parts.push(separator === '' ? element : COMMA_BYTES, ...(separator === '' ? [] : [element]))
        separator = ','
      } else {
        const text = stringify(element, name)
        if (text !== null) {
          add(separator + text)
          separator = ','
        }
      }
      await pause()
    }
    add(']')
  }
  function add(text: string): void {
    length += text.length
    if (length > maxLength) throw new JsonLimitError(`has more than ${maxLength.toLocaleString('en')} characters`)
    parts.push(Buffer.from(text))
  }
  if (Array.isArray(value)) {
    await addList(value, '')
    return Buffer.concat(parts)
  }
  let isFirst = true
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    add(`${isFirst ? '{' : ','}${JSON.stringify(name)}:`)
    isFirst = false
    if (!Array.isArray(member)) {
      add(JSON.stringify(member))
      continue
    }
    await addList(member, name)
  }
  add(isFirst ? '{}' : '}')
  return Buffer.concat(parts)
}

function stringifyElement(element: unknown): string {
  return JSON.stringify(element) ?? 'null'
}

/** The content of an array: its elements as byte ranges. */
interface Slice {
  start: number
  end: number
  elements: [start: number, end: number][]
}

/** Finds the arrays to slice, in steps of SCAN_BYTES. Malformed documents are left to the parser. */
function* scan(
  bytes: Buffer,
  { maxDepth, maxValues, maxElements, maxTotalValues = Infinity }: JsonLimits
): Generator<void, Slice[]> {
  const slices: Slice[] = []
  let sliceDepth = 0
  let slice: Slice | null = null
  let elementStart = 0
  let [depth, values, outsideValues, total] = [0, 1, 1, 1]
  let nextPauseAt = SCAN_BYTES

  function countTotal(): void {
    total++
    if (total > maxTotalValues) throw new JsonLimitError(`has more than ${maxTotalValues.toLocaleString('en')} values`)
  }
  function count(): void {
    countTotal()
    values++
    if (values > maxValues) {
      throw new JsonLimitError(
        slice === null
          ? `has more than ${maxValues.toLocaleString('en')} values`
          : `has more than ${maxValues.toLocaleString('en')} values in element ${slice.elements.length} of a list`
      )
    }
  }
  function endElement(at: number): void {
    countTotal()
    if (slice!.elements.push([elementStart, at]) > maxElements) {
      throw new JsonLimitError(`has a list with more than ${maxElements.toLocaleString('en')} elements`)
    }
    elementStart = at + 1
    values = 1
  }

  function open(at: number): void {
    depth++
    count()
    if (depth > maxDepth) throw new JsonLimitError(`is nested deeper than ${maxDepth} levels`)
    const isArray = bytes[at] === OPEN_ARRAY
    if (sliceDepth === 0) sliceDepth = isArray ? 1 : 2
    if (slice !== null || depth !== sliceDepth || !isArray) return
    slice = { start: at + 1, end: 0, elements: [] }
    elementStart = at + 1
    outsideValues = values
    values = 1
  }
  function close(at: number): void {
    if (slice !== null && depth === sliceDepth) {
      endElement(at)
      slice.end = at
      // Only white space: an empty array.
      if (slice.elements.length === 1 && isBlank(bytes, slice.start, at)) slice.elements.pop()
      if (slice.elements.length > 0) slices.push(slice)
      slice = null
      values = outsideValues
    }
    depth--
  }

  for (let index = 0; index < bytes.length; index++) {
    if (index >= nextPauseAt) {
      nextPauseAt = index + SCAN_BYTES
      yield
    }
    const byte = bytes[index]
    if (byte === QUOTE) {
      const quote = bytes.indexOf(QUOTE, index + 1)
      // Most strings end with their first quote. One with many escaped quotes may be as long as the document.
      if (bytes[quote - 1] !== BACKSLASH) index = quote === -1 ? bytes.length : quote
      else index = yield* endOfString(bytes, index)
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) open(index)
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) close(index)
    else if (byte === COMMA && slice !== null && depth === sliceDepth) endElement(index)
    else if (byte === COMMA) count()
  }
  return slices
}

/** Finds the index of the closing quote, in steps of SCAN_BYTES; the length of the document if there is none. */
function* endOfString(bytes: Buffer, start: number): Generator<void, number> {
  let nextPauseAt = start + SCAN_BYTES
  for (let index = start + 1; index < bytes.length; index++) {
    if (index >= nextPauseAt) {
      nextPauseAt = index + SCAN_BYTES
      yield
    }
    if (bytes[index] === BACKSLASH) index++
    else if (bytes[index] === QUOTE) return index
  }
  return bytes.length
}

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let index = start; index < end; index++) if (![0x20, 0x09, 0x0a, 0x0d].includes(bytes[index]!)) return false
  return true
}
