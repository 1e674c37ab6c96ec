import type { AcceptedType } from './inspect.ts'

export interface Dimensions {
  width: number
  height: number
}

/**
 * Reads the size of an image from the header of its file, in pixels before any orientation; null if the header is
 * damaged or incomplete. Takes linear time and no native code: decoders read what follows the header as well, which
 * takes quadratic time for some files, in one of a few threads.
 */
export function readDimensions(bytes: Buffer, type: AcceptedType): Dimensions | null {
  return readHeader(bytes, type).dimensions
}

/** A file that begins with fewer bytes may be one of another type, or continue in any way. */
const MIN_BYTES = 64

/**
 * Whether `readDimensions` returns the same for every file with this beginning. Never for AVIF: the largest of several
 * sizes counts, and the header may have more.
 */
export function isHeaderComplete(beginning: Buffer, type: AcceptedType): boolean {
  if (type === 'image/avif') return false
  const { dimensions, isCut } = readHeader(beginning, type)
  return dimensions !== null || (!isCut && beginning.length >= MIN_BYTES)
}

/** `isCut`: the file ends within its header. */
function readHeader(bytes: Buffer, type: AcceptedType): { dimensions: Dimensions | null; isCut: boolean } {
  try {
    const found = READERS[type](bytes)
    return { dimensions: found !== null && found.width > 0 && found.height > 0 ? found : null, isCut: false }
  } catch (error) {
    if (error instanceof RangeError) return { dimensions: null, isCut: true }
    throw error
  }
}

const READERS: Readonly<Record<AcceptedType, (bytes: Buffer) => Dimensions | null>> = {
  'image/png': readPng,
  'image/gif': readGif,
  'image/webp': readWebp,
  'image/jpeg': readJpeg,
  'image/avif': readAvif
}

/** The first chunk is `IHDR` (PNG, third edition, section 11.2.1). */
function readPng(bytes: Buffer): Dimensions | null {
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return null
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** The logical screen descriptor (GIF89a, section 18). */
function readGif(bytes: Buffer): Dimensions {
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

/** The first chunk: lossy (RFC 6386, section 9.1), lossless (RFC 9649, section 3.4) or extended (section 2.7). */
function readWebp(bytes: Buffer): Dimensions | null {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return null
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      if (bytes.readUInt8(20) !== 0x2f) return null
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return null
  }
}

/** Start of scan and end of image: no frame header follows. */
const JPEG_ENDS: ReadonlySet<number> = new Set([0xd9, 0xda])
/** Codes among those of frame headers that have another meaning (ITU-T T.81, table B.1). */
const JPEG_OTHERS: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc])

/** Cameras and editors write dozens of segments, and no bytes between them. */
const MAX_SEGMENTS = 1_000
const MAX_FILL_BYTES = 1_000

/**
 * The frame header is among the segments before the first scan (ITU-T T.81, sections B.1.1 and B.2.2). Null if too many
 * come first: all of a file could be empty segments.
 */
function readJpeg(bytes: Buffer): Dimensions | null {
  let at = 2
  for (let [segments, fill] = [0, 0]; segments < MAX_SEGMENTS && fill < MAX_FILL_BYTES; segments++) {
    if (bytes.readUInt8(at) !== 0xff) return null
    for (at++; bytes.readUInt8(at) === 0xff && fill < MAX_FILL_BYTES; at++) fill++
    const marker = bytes.readUInt8(at++)
    if (JPEG_ENDS.has(marker)) return null
    // Markers without a segment.
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) continue
    if (marker >= 0xc0 && marker <= 0xcf && !JPEG_OTHERS.has(marker)) {
      return { width: bytes.readUInt16BE(at + 5), height: bytes.readUInt16BE(at + 3) }
    }
    at += Math.max(2, bytes.readUInt16BE(at))
  }
  return null
}

/** Boxes that contain the sizes, and the bytes before their first box (ISO/IEC 23008-12, section 9.3). */
const AVIF_CONTAINERS: ReadonlyMap<string, number> = new Map([
  ['meta', 4],
  ['iprp', 0],
  ['ipco', 0]
])
const MAX_BOXES = 10_000

/** The largest `ispe` property: others are those of tiles, thumbnails and alpha planes. */
function readAvif(bytes: Buffer): Dimensions | null {
  let largest: Dimensions | null = null
  let at = 0
  for (let count = 0; count < MAX_BOXES && at + 8 <= bytes.length; count++) {
    const size = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const before = AVIF_CONTAINERS.get(type)
    if (type === 'ispe') {
      const [width, height] = [bytes.readUInt32BE(at + 12), bytes.readUInt32BE(at + 16)]
      if (largest === null || width * height > largest.width * largest.height) largest = { width, height }
    }
    // Larger sizes than 32 bits, and boxes up to the end of the file, are those of the image data.
    if (before === undefined && size < 8) break
    at += before === undefined ? size : 8 + before
  }
  return largest
}
