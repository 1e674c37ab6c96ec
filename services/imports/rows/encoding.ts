import { problem } from '../../../errors.ts'
import type { Encoding } from '../../../schemas/product-import.ts'
import { utf8Findings } from './utf8-faults.ts'

export const BOM = Buffer.from([0xef, 0xbb, 0xbf])

/** Beginnings of files that are no text, and what to do. */
const FOREIGN: [number[], string][] = [
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
  for (const [magic, sentence] of FOREIGN) {
    if (head.subarray(0, 4).equals(Buffer.from(magic))) throw problem('malformed_import', sentence)
  }
  const { characters, faults } = utf8Findings(head, whole)
  return faults > characters ? 'windows-1252' : 'utf-8'
}

/** Text of Latin letters in UTF-16 has a zero in every second byte. */
function zerosAlternate(head: Buffer): boolean {
  const sample = head.subarray(0, 200)
  const zeros = (odd: number) => sample.reduce((sum, byte, i) => sum + (byte === 0 && i % 2 === odd ? 1 : 0), 0)
  return sample.length >= 4 && Math.max(zeros(0), zeros(1)) > sample.length / 4
}
