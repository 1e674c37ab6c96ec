/** A part of an image file, in the order of the file. Changing `data` changes the file. */
export interface Part {
  type: string
  data: Buffer
}

export type Container = 'jpeg' | 'png' | 'webp' | 'avif'

/** The format of an image file that has parts with metadata, by its first bytes. */
export function containerOf(bytes: Buffer): Container | null {
  if (bytes.length < 16) return null
  if (bytes.readUInt16BE(0) === 0xffd8) return 'jpeg'
  if (bytes.readUInt32BE(0) === 0x89504e47) return 'png'
  if (bytes.toString('latin1', 8, 12) === 'WEBP') return 'webp'
  return bytes.toString('latin1', 4, 8) === 'ftyp' ? 'avif' : null
}

/**
 * The data of the segments with a marker of a JPEG file, before its first scan (ITU-T T.81, annex B). As decoders do,
 * what is no marker between them is skipped. A file may have hundreds of thousands of other segments.
 */
export function* jpegSegments(bytes: Buffer, wanted: number): Iterable<Buffer> {
  const [SCAN, END] = [0xda, 0xd9]
  for (let at = 2; ; ) {
    while (at < bytes.length && bytes[at] !== 0xff) at++
    while (at < bytes.length && bytes[at] === 0xff) at++
    const marker = bytes[at++]
    if (marker === undefined || marker === SCAN || marker === END) return
    // A stuffed byte, and markers without data.
    if (marker === 0 || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) continue
    if (at + 2 > bytes.length) return
    const end = at + Math.max(2, (bytes[at]! << 8) | bytes[at + 1]!)
    if (marker === wanted) yield bytes.subarray(at + 2, end)
    at = end
  }
}

/** RFC 9649, section 2.3: chunks of a type, a length and data, of which an odd number is followed by a byte. */
export function* webpChunks(bytes: Buffer): Iterable<Part> {
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4)
    yield { type: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + 8, at + 8 + size) }
    at += 8 + size + (size % 2)
  }
}

/** ISO/IEC 14496-12, section 4.2: boxes of a length, a type and data. */
export function* boxesOf(bytes: Buffer): Iterable<Part> {
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

/** The boxes within the metadata boxes of an AVIF file (section 8.11.1), whose data begins with a version and flags. */
export function* avifMetadata(bytes: Buffer): Iterable<Part> {
  for (const { type, data } of boxesOf(bytes)) if (type === 'meta') yield* boxesOf(data.subarray(4))
}
