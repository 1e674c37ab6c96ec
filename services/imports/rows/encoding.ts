import { problem } from '../../../errors.ts'
import type { Encoding } from '../../../schemas/product-import.ts'

/**
 * The characters of 0x80 to 0x9f (encoding.spec.whatwg.org/index-windows-1252.txt); a blank stands
 * for the five that are not assigned.
 */
const HIGH = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'
const CONTROLS = /[\u0080-\u009f]/g

/**
 * Text of bytes that were read as Latin-1, which differs in these characters alone; those that are
 * not assigned stay what they are.
 */
export function decodeWindows1252(text: string): string {
  return text.replace(CONTROLS, (character) => {
    const meant = HIGH[character.charCodeAt(0) - 0x80]!
    return meant === ' ' ? character : meant
  })
}

/** Where a byte stands that is no character of Windows-1252; -1: nowhere. */
export function findUnassigned(text: string): number {
  return text.search(/[\u0081\u008d\u008f\u0090\u009d]/)
}

/**
 * What is found in bytes: characters beyond ASCII that are well-formed UTF-8, bytes that are not,
 * and where the first of these is (-1: nowhere).
 */
export interface Utf8Inspection {
  characters: number
  faults: number
  firstFault: number
}

/**
 * Reads bytes as UTF-8 (RFC 3629, section 4). A character that is cut off by the end of the bytes
 * is a fault only where they are `whole`.
 */
export function inspectUtf8(bytes: Buffer, whole: boolean): Utf8Inspection {
  const found: Utf8Inspection = { characters: 0, faults: 0, firstFault: -1 }
  for (let i = 0; i < bytes.length; ) {
    if (bytes[i]! < 0x80) {
      i++
      continue
    }
    const length = sequenceLength(bytes, i)
    if (length === INCOMPLETE && !whole) break
    if (length > 0) {
      found.characters++
      i += length
      continue
    }
    if (found.firstFault === -1) found.firstFault = i
    found.faults++
    i++
  }
  return found
}

const INCOMPLETE = -1

/**
 * Bytes of the character that begins with the byte at `at`, which is not ASCII; 0 when it is none,
 * CUT when the bytes end within it.
 */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at]!
  if (first < 0xc2 || first > 0xf4) return 0
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i]
    if (byte === undefined) return INCOMPLETE
    const [low, high] = i === 1 ? (SECOND[first] ?? ANY) : ANY
    if (byte < low || byte > high) return 0
  }
  return length
}

const ANY: readonly [number, number] = [0x80, 0xbf]
/** No overlong forms, no surrogates, nothing beyond U+10FFFF. */
const SECOND: Record<number, readonly [number, number]> = {
  0xe0: [0xa0, 0xbf],
  0xed: [0x80, 0x9f],
  0xf0: [0x90, 0xbf],
  0xf4: [0x80, 0x8f]
}

export const BOM = Buffer.from([0xef, 0xbb, 0xbf])

/** Beginnings of files that are no text, and what to do. */
const BINARY_FORMATS: [number[], string][] = [
  [[0x50, 0x4b, 0x03, 0x04], 'The file is a spreadsheet or an archive; save it as CSV.'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'The file is a spreadsheet; save it as CSV.'],
  [[0x25, 0x50, 0x44, 0x46], 'The file is a PDF; send the products as CSV or NDJSON.']
]

/**
 * The encoding of a text file by its beginning. What is not UTF-8 is taken for Windows-1252, unless
 * it has more characters of UTF-8 than bytes that are
 * none: then a few rows are broken. Throws `malformed_import` for UTF-16 and for what is no text.
 */
export function detectEncoding(head: Buffer, whole: boolean): Encoding {
  if (head.subarray(0, 3).equals(BOM)) return 'utf-8-bom'
  const marked = head.length > 1 && ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff))
  if (marked || zerosAlternate(head)) {
    throw problem('malformed_import', 'The file is encoded in UTF-16; save it as UTF-8.')
  }
  for (const [magic, sentence] of BINARY_FORMATS) {
    if (head.subarray(0, 4).equals(Buffer.from(magic))) throw problem('malformed_import', sentence)
  }
  const { characters, faults } = inspectUtf8(head, whole)
  return faults > characters ? 'windows-1252' : 'utf-8'
}

/** Text of Latin letters in UTF-16 has a zero in every second byte. */
function zerosAlternate(head: Buffer): boolean {
  const sample = head.subarray(0, 200)
  const zeros = (odd: number) => sample.reduce((sum, byte, i) => sum + (byte === 0 && i % 2 === odd ? 1 : 0), 0)
  return sample.length >= 4 && Math.max(zeros(0), zeros(1)) > sample.length / 4
}
