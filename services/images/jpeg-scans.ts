import { containerOf } from './containers.ts'

const [START_OF_SCAN, END_OF_IMAGE, TEMPORARY] = [0xda, 0xd9, 0x01]
/** Markers within the data of a scan, which restart the decoder. A zero after 0xFF means 0xFF itself. */
const [FIRST_RESTART, LAST_RESTART, START_OF_IMAGE] = [0xd0, 0xd7, 0xd8]

/** Cameras and editors write up to about a dozen, tools that search for the smallest file some more. */
export const MAX_SCANS = 100
/**
 * Decoders go through all blocks of a component for each scan, however small its data is: libjpeg-turbo takes 0.1 s for
 * 100 million pixels, and a valid file of 310 KB can have 883 scans of so many (measured). So the number of pixels in
 * all scans is limited: to 20 scans of the largest images.
 */
export const MAX_SCANNED_PIXELS = 2_000_000_000

/** The largest number of scans that a JPEG file with so many pixels may have. */
export const maxScansOf = (pixels: number): number =>
  Math.min(MAX_SCANS, Math.floor(MAX_SCANNED_PIXELS / Math.max(1, pixels)))

/** What decoders find in a JPEG file (ITU-T T.81, annex B). */
export interface JpegScans {
  /** Without what looks like a scan in other segments, such as thumbnails, or in data after the image. */
  count: number
  /** The number of bytes up to the end marker, or of the file without one. */
  length: number
}

/** Reads a JPEG file up to its end marker. */
export function readScans(bytes: Buffer): JpegScans {
  let count = 0
  for (let at = 2; ; ) {
    at = nextMarker(bytes, at)
    const marker = bytes[at++]
    if (marker === undefined) return { count, length: bytes.length }
    if (marker === END_OF_IMAGE) return { count, length: at }
    if (marker === TEMPORARY || marker === START_OF_IMAGE) continue
    if (at + 2 > bytes.length) return { count, length: bytes.length }
    if (marker === START_OF_SCAN) count++
    // The data of a scan that follows its header has no marker but restarts, which `nextMarker` skips.
    at += Math.max(2, bytes.readUInt16BE(at))
  }
}

/**
 * A JPEG file without data after its image: cameras and editors write further images there, such as gain maps, which
 * decoders may read, too. No other file changes.
 */
export const withoutFurtherImages = (bytes: Buffer): Buffer =>
  containerOf(bytes) === 'jpeg' ? bytes.subarray(0, readScans(bytes).length) : bytes

/** The index of the code of the next marker that is no restart, or the length of the file. */
function nextMarker(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at)) {
    while (bytes[at] === 0xff) at++
    const code = bytes[at] ?? 0
    if (at < bytes.length && code !== 0 && (code < FIRST_RESTART || code > LAST_RESTART)) return at
  }
  return bytes.length
}
