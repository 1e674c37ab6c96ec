import { crc32 } from 'node:zlib'

/** The tag of the orientation, and the type of its value (TIFF 6.0, section 8; EXIF 3.0, section 4.6). */
const ORIENTATION = 0x0112
const SHORT = 3
/** A header, one directory with one entry, and no further one. */
const TIFF_LENGTH = 26
const PREFIX = Buffer.from('Exif\0\0', 'latin1')

/**
 * Leaves only the orientation of the EXIF data of a JPEG, PNG, WebP or AVIF file, and nothing in AVIF, which has a
 * property of its own for it. The rest becomes zeros, so that the file keeps its length. Decoders read all of this data
 * before any limit, and nothing of it is delivered: 60 KB whose directories refer to themselves take them 4 seconds.
 */
export function clearExif(bytes: Buffer): void {
  if (bytes.length < 16) return
  if (bytes.readUInt16BE(0) === 0xffd8) clearJpeg(bytes)
  else if (bytes.readUInt32BE(0) === 0x89504e47) clearPng(bytes)
  else if (bytes.toString('latin1', 8, 12) === 'WEBP') clearWebp(bytes)
  else if (bytes.toString('latin1', 4, 8) === 'ftyp') clearAvif(bytes)
}

/** Replaces EXIF data by its orientation, if there is one. */
function clear(data: Buffer): void {
  const prefix = startsWithExif(data) ? PREFIX : Buffer.alloc(0)
  const orientation = readOrientation(data.subarray(prefix.length))
  data.fill(0)
  if (orientation === null || data.length < prefix.length + TIFF_LENGTH) return
  prefix.copy(data)
  const tiff = data.subarray(prefix.length)
  tiff.write('II*\0', 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(1, 8)
  tiff.writeUInt16LE(ORIENTATION, 10)
  tiff.writeUInt16LE(SHORT, 12)
  tiff.writeUInt32LE(1, 14)
  tiff.writeUInt16LE(orientation, 18)
}

/** Null for an image that is shown as it is stored. */
function readOrientation(tiff: Buffer): number | null {
  const order = tiff.toString('latin1', 0, 4)
  if (tiff.length < TIFF_LENGTH - 4 || (order !== 'II*\0' && order !== 'MM\0*')) return null
  const isLittle = order.startsWith('I')
  const read16 = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const start = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (start + 2 > tiff.length) return null
  for (let count = read16(start), at = start + 2; count > 0 && at + 12 <= tiff.length; count--, at += 12) {
    if (read16(at) !== ORIENTATION) continue
    const value = read16(at + 2) === SHORT ? read16(at + 8) : 1
    return value >= 2 && value <= 8 ? value : null
  }
  return null
}

const startsWithExif = (data: Buffer): boolean => data.toString('latin1', 0, 4).toLowerCase() === 'exif'

/** ITU-T T.81, annex B: segments until the first scan. As decoders do, what is no marker between them is skipped. */
function clearJpeg(bytes: Buffer): void {
  const [APP1, SCAN, END] = [0xe1, 0xda, 0xd9]
  for (let at = 2; ; ) {
    while (at < bytes.length && bytes[at] !== 0xff) at++
    while (at < bytes.length && bytes[at] === 0xff) at++
    const marker = bytes[at++]
    if (marker === undefined || marker === SCAN || marker === END) return
    // A stuffed byte, and markers without data.
    if (marker === 0 || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) continue
    if (at + 2 > bytes.length) return
    const end = at + Math.max(2, bytes.readUInt16BE(at))
    const data = bytes.subarray(at + 2, end)
    if (marker === APP1 && startsWithExif(data)) clear(data)
    at = end
  }
}

/** PNG, third edition, section 5.3: chunks of a length, a type, data and a checksum. */
function clearPng(bytes: Buffer): void {
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at)
    if (end + 4 > bytes.length) return
    if (bytes.toString('latin1', at + 4, at + 8) === 'eXIf') {
      clear(bytes.subarray(at + 8, end))
      bytes.writeUInt32BE(crc32(bytes.subarray(at + 4, end)), end)
    }
    at = end + 4
  }
}

/** RFC 9649, section 2.3: chunks of a type, a length and data, of which an odd number is followed by a byte. */
function clearWebp(bytes: Buffer): void {
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4)
    if (bytes.toString('latin1', at, at + 4) === 'EXIF') clear(bytes.subarray(at + 8, at + 8 + size))
    at += 8 + size + (size % 2)
  }
}

interface IsoBox {
  type: string
  data: Buffer
}

/** ISO/IEC 14496-12, section 4.2: boxes of a length, a type and data. */
function* boxesOf(bytes: Buffer): Iterable<IsoBox> {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const isLarge = length === 1 && at + 16 <= bytes.length
    const size = isLarge ? Number(bytes.readBigUInt64BE(at + 8)) : length
    const end = size === 0 ? bytes.length : at + size
    const start = at + (isLarge ? 16 : 8)
    if (end < start) return
    yield { type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(start, end) }
    at = end
  }
}

/** Section 8.11.6: gives items of the type Exif another type, which decoders ignore. */
function clearAvif(bytes: Buffer): void {
  for (const meta of boxesOf(bytes)) {
    if (meta.type !== 'meta') continue
    // The data begins with a version and flags.
    for (const { type, data } of boxesOf(meta.data.subarray(4))) {
      if (type === 'iinf' && data.length > 0) clearItems(data.subarray(data[0] === 0 ? 6 : 8))
    }
  }
}

function clearItems(items: Buffer): void {
  for (const { type, data } of boxesOf(items)) {
    if (type !== 'infe' || data.length === 0) continue
    // After the version and flags, the id of the item, which has 2 or 4 bytes, and its protection.
    const itemType = data.subarray(data[0] === 2 ? 8 : 10).subarray(0, 4)
    if (startsWithExif(itemType)) itemType.write('free', 'latin1')
  }
}
