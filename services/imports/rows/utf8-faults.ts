/**
 * What is found in bytes: characters beyond ASCII that are well-formed UTF-8, bytes that are not,
 * and where the first of these is (-1: nowhere).
 */
export interface Utf8Findings {
  characters: number
  faults: number
  firstFault: number
}

/**
 * Reads bytes as UTF-8 (RFC 3629, section 4). A character that is cut off by the end of the bytes
 * is a fault only where they are `whole`.
 */
export function utf8Findings(bytes: Buffer, whole: boolean): Utf8Findings {
  const found: Utf8Findings = { characters: 0, faults: 0, firstFault: -1 }
  for (let i = 0; i < bytes.length; ) {
    if (bytes[i]! < 0x80) {
      i++
      continue
    }
    const length = sequenceLength(bytes, i)
    if (length === CUT && !whole) break
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

const CUT = -1

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
    if (byte === undefined) return CUT
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
