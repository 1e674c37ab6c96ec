import { isUtf8 } from 'node:buffer'
import { problem } from '../../../errors.ts'
import type { Encoding } from '../../../schemas/product-import.ts'

/**
 * The characters 0x80 to 0x9f (encoding.spec.whatwg.org/index-windows-1252.txt). A space marks the
 * five unassigned bytes.
 */
const HIGH = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'
const CONTROLS = /[\u0080-\u009f]/g

/**
 * Converts text that was decoded as Latin-1, which differs only in these characters. Unassigned
 * bytes stay unchanged.
 */
function decodeWindows1252(text: string): string {
  return text.replace(CONTROLS, (character) => {
    const mapped = HIGH[character.charCodeAt(0) - 0x80]!
    return mapped === ' ' ? character : mapped
  })
}

/** Decodes bytes; invalid bytes become U+FFFD. */
export function decodeText(bytes: Buffer, encoding: Encoding): string {
  return encoding === 'windows-1252' ? decodeWindows1252(bytes.toString('latin1')) : bytes.toString('utf8')
}

/** Position of the first byte that is not assigned in Windows-1252; -1 if there is none. */
export function findUnassigned(text: string): number {
  return text.search(/[\u0081\u008d\u008f\u0090\u009d]/)
}

/**
 * Number of valid UTF-8 characters beyond ASCII, number of invalid bytes, and position of the first
 * invalid byte (-1 if there is none).
 */
export interface Utf8Inspection {
  characters: number
  faults: number
  firstFault: number
}

/**
 * Inspects bytes as UTF-8 (RFC 3629, section 4). A character truncated by the end of the bytes is
 * an error only if they are `isComplete`.
 */
export function inspectUtf8(bytes: Buffer, isComplete: boolean): Utf8Inspection {
  const result: Utf8Inspection = { characters: 0, faults: 0, firstFault: -1 }
  for (let i = 0; i < bytes.length; ) {
    if (bytes[i]! < 0x80) {
      i++
      continue
    }
    const length = sequenceLength(bytes, i)
    if (length === INCOMPLETE && !isComplete) break
    if (length > 0) {
      result.characters++
      i += length
      continue
    }
    if (result.firstFault === -1) result.firstFault = i
    result.faults++
    i++
  }
  return result
}

const INCOMPLETE = -1

/**
 * Length of the character that begins with the non-ASCII byte at `at`; 0 if invalid, INCOMPLETE if
 * the bytes end within it.
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
/** Excludes overlong forms, surrogates and code points beyond U+10FFFF. */
const SECOND: Record<number, readonly [number, number]> = {
  0xe0: [0xa0, 0xbf],
  0xed: [0x80, 0x9f],
  0xf0: [0x90, 0xbf],
  0xf4: [0x80, 0x8f]
}

/**
 * Whether bytes are valid UTF-8, as most are: faster than `inspectUtf8`. Unless they are `isComplete`, their end may be
 * within a character.
 */
function isUtf8Text(bytes: Buffer, isComplete: boolean): boolean {
  if (isUtf8(bytes)) return true
  if (isComplete) return false
  for (let at = Math.max(0, bytes.length - 3); at < bytes.length; at++) {
    if (sequenceLength(bytes, at) === INCOMPLETE) return isUtf8(bytes.subarray(0, at))
  }
  return false
}

export const BOM = Buffer.from([0xef, 0xbb, 0xbf])

/** Signatures of binary formats, and the advice for each. */
const BINARY_FORMATS: [number[], string][] = [
  [[0x50, 0x4b, 0x03, 0x04], 'The file is a spreadsheet or an archive. Save the products as CSV.'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'The file is a spreadsheet. Save the products as CSV.'],
  [[0x25, 0x50, 0x44, 0x46], 'The file is a PDF. Send the products as CSV or NDJSON.']
]

/**
 * Detects the encoding of a text file from its beginning. Text that is not UTF-8 is treated as
 * Windows-1252, unless it has more valid UTF-8 characters than invalid bytes: then only a few rows
 * are corrupt. Throws `malformed_import` for UTF-16 and binary files.
 */
export function detectEncoding(head: Buffer, isComplete: boolean): Encoding {
  if (head.subarray(0, 3).equals(BOM)) return 'utf-8-bom'
  const hasUtf16Bom =
    head.length > 1 && ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff))
  if (hasUtf16Bom || zerosAlternate(head)) {
    throw problem('malformed_import', 'The file is encoded in UTF-16. Save it as UTF-8.')
  }
  for (const [magic, advice] of BINARY_FORMATS) {
    if (head.subarray(0, 4).equals(Buffer.from(magic))) throw problem('malformed_import', advice)
  }
  if (isUtf8Text(head, isComplete)) return 'utf-8'
  const { characters, faults } = inspectUtf8(head, isComplete)
  return faults > characters ? 'windows-1252' : 'utf-8'
}

/** In UTF-16, every second byte of Latin text is zero. */
function zerosAlternate(head: Buffer): boolean {
  const sample = head.subarray(0, 200)
  const zeros = (odd: number) => sample.reduce((sum, byte, i) => sum + (byte === 0 && i % 2 === odd ? 1 : 0), 0)
  return sample.length >= 4 && Math.max(zeros(0), zeros(1)) > sample.length / 4
}
