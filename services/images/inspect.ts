import { problem, type ApiError } from '../../errors.ts'
import type { ImageFormat } from '../../schemas/image-options.ts'
import { maxScansOf, readScans } from './jpeg-scans.ts'
import { loadSharp } from './sharp.ts'

/** Maximum pixels of a still image: above phone cameras. */
export const MAX_PIXELS = 100_000_000
/** Maximum pixels by format, where decoding or encoding needs more memory than for others. */
const MAX_PIXELS_OF: Partial<Record<AcceptedType, number>> = { 'image/avif': 40_000_000, 'image/webp': 50_000_000 }
/**
 * Maximum pixels of all frames of an animation; frames are processed one by one, so the limit is
 * about time.
 */
export const MAX_ANIMATION_PIXELS = 50_000_000
/**
 * Maximum chunks of a WebP file, most of which are frames. Reading its metadata takes quadratic time: a second for
 * 26,000 frames of 1 MB.
 */
const MAX_WEBP_CHUNKS = 2_000
/** Longest side in pixels: the maximum of WebP (RFC 9649, section 2.6: 14 bits). */
export const MAX_SIDE = 16_383

/** Metadata of an image. Width and height after applying the orientation, in pixels. */
export interface ImageInfo {
  type: AcceptedType
  width: number
  height: number
  animated: boolean
  /** 1 for still images. */
  frames: number
  transparent: boolean
  palette: boolean
}

/**
 * Reads the metadata of an uploaded file. Throws `malformed_image` when it is no image of an
 * accepted format, or exceeds the limits above.
 */
export async function inspectImage(bytes: Buffer): Promise<ImageInfo> {
  const detected = detectType(bytes)
  if ('found' in detected) {
    throw problem('malformed_image', `The upload is ${detected.found}. Send a JPEG, PNG, WebP, AVIF or GIF file.`)
  }
  const { type } = detected
  if (type === 'image/webp' && hasManyChunks(bytes)) {
    throw problem(
      'malformed_image',
      `The file has more than ${MAX_WEBP_CHUNKS} frames or other chunks. Send a shorter animation, or a video.`
    )
  }
  const sharp = await loadSharp()
  const head = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
    .metadata()
    .catch((error: unknown) => {
      throw toDecodeError(error)
    })
  // sharp detects the format itself; both results must agree.
  if (formatOf(type) !== (head.format === 'heif' ? 'avif' : head.format)) {
    throw problem('malformed_image', 'The file starts as one image format and continues as another.')
  }
  const frames = head.pages ?? 1
  const animated = frames > 1 && (type === 'image/gif' || type === 'image/webp')
  const { width, height } = animated ? { width: head.width, height: head.pageHeight ?? head.height } : head.autoOrient
  if (Math.max(width, height) > MAX_SIDE) {
    throw problem(
      'malformed_image',
      `The image has ${width} × ${height} pixels; each side may have at most ${MAX_SIDE}.`
    )
  }
  const maxPixels = MAX_PIXELS_OF[type] ?? MAX_PIXELS
  if (width * height > maxPixels) {
    throw problem(
      'malformed_image',
      `The image has ${width} × ${height} pixels. The maximum for this format is ${maxPixels / 1_000_000} ` +
        'megapixels. Send a smaller image, or a JPEG.'
    )
  }
  if (type === 'image/jpeg') checkScans(bytes, width * height)
  if (animated && width * height * frames > MAX_ANIMATION_PIXELS) {
    throw problem(
      'malformed_image',
      `The animation has ${frames} frames of ${width} × ${height} pixels. The maximum for all frames together ` +
        `is ${MAX_ANIMATION_PIXELS} pixels. Send a shorter animation, or a video.`
    )
  }
  return {
    type,
    width,
    height,
    animated,
    frames: animated ? frames : 1,
    transparent: head.hasAlpha,
    palette: head.isPalette && type === 'image/png'
  }
}

function checkScans(bytes: Buffer, pixels: number): void {
  const [{ count: scans }, maxScans] = [readScans(bytes), maxScansOf(pixels)]
  if (scans <= maxScans) return
  throw problem(
    'malformed_image',
    `The JPEG file has ${scans} scans. With so many pixels, it may have at most ${maxScans}. ` +
      'Save it again as a baseline or progressive JPEG.'
  )
}

/** Whether a WebP file has too many chunks (RFC 9649, section 2.3), which follow a header of 12 bytes. */
function hasManyChunks(bytes: Buffer): boolean {
  let chunks = 0
  for (let at = 12; at + 8 <= bytes.length && chunks <= MAX_WEBP_CHUNKS; chunks++) {
    const size = bytes.readUInt32LE(at + 4)
    at += 8 + size + (size % 2)
  }
  return chunks > MAX_WEBP_CHUNKS
}

/** The format name in URLs: `jpeg` for `image/jpeg`. */
export function formatOf(type: string): ImageFormat {
  return type.slice('image/'.length) as ImageFormat
}

/** Maps a decoder error to an API error. A timeout says nothing about the image: `busy`. */
export function toDecodeError(error: unknown): ApiError {
  const message = error instanceof Error ? error.message : String(error)
  if (message.startsWith('timeout')) {
    return problem('busy', 'Processing the image took too long. Try again.', {
      headers: { 'Retry-After': '1' },
      cause: error
    })
  }
  if (message.includes('pixel limit')) {
    return problem('malformed_image', `The image declares more than ${MAX_PIXELS} pixels.`, { cause: error })
  }
  return problem('malformed_image', 'The image cannot be decoded: the file is truncated or damaged.', { cause: error })
}

/** Accepted media types. */
export const ACCEPTED_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'] as const
export type AcceptedType = (typeof ACCEPTED_TYPES)[number]

/** An accepted type, or a description of what was found instead. */
export type Detected = { type: AcceptedType } | { found: string }

/** The bytes of `text`, one for each character, at offset `at`. */
interface Signature {
  at?: number
  text: string
}
const bytesAt = (text: string, at = 0): Signature => ({ text, at })

/**
 * Signatures of the WHATWG MIME Sniffing Standard, section 6.1, and of formats that are often
 * mistaken for web images.
 */
const SIGNATURES: [Signature[], Detected][] = [
  [[bytesAt('\xff\xd8\xff')], { type: 'image/jpeg' }],
  [[bytesAt('\x89PNG\r\n\x1a\n')], { type: 'image/png' }],
  [[bytesAt('RIFF'), bytesAt('WEBPVP', 8)], { type: 'image/webp' }],
  [[bytesAt('GIF87a')], { type: 'image/gif' }],
  [[bytesAt('GIF89a')], { type: 'image/gif' }],
  [[bytesAt('II*\0')], { found: 'a TIFF image' }],
  [[bytesAt('MM\0*')], { found: 'a TIFF image' }],
  [[bytesAt('BM')], { found: 'a BMP image' }],
  [[bytesAt('\0\0\x01\0')], { found: 'an icon (ICO)' }],
  [[bytesAt('\0\0\0\x0cJXL ')], { found: 'a JPEG XL image' }],
  [[bytesAt('\xff\x0a')], { found: 'a JPEG XL image' }],
  [[bytesAt('\0\0\0\x0cjP  ')], { found: 'a JPEG 2000 image' }],
  [[bytesAt('8BPS')], { found: 'a Photoshop document' }],
  [[bytesAt('%PDF-')], { found: 'a PDF document' }],
  [[bytesAt('%!PS')], { found: 'a PostScript document' }],
  [[bytesAt('PK\x03\x04')], { found: 'a ZIP archive' }],
  [[bytesAt('\x1f\x8b')], { found: 'a gzip archive' }]
]

/** As for libvips. The box has a few brands of 4 bytes. */
const MAX_BRAND_BOX = 2_048
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx']

/**
 * Detects the type of a file by its first bytes; its name and declared type are ignored. Files of unknown origin must
 * not be given to sharp before: what begins like one type may be opened as another one, and to know the size of an SVG
 * document, its decoder draws all of it, which takes minutes for some documents of a kilobyte.
 */
export function detectType(bytes: Buffer): Detected {
  if (bytes.length === 0) return { found: 'an empty file' }
  const head = bytes.toString('latin1', 0, 1024)
  // libvips takes a text for SVG that has this among its first thousand characters. JPEG and PNG files are no text.
  if (head.charCodeAt(0) < 0x80 && /<svg/i.test(head)) return { found: 'an SVG document' }
  if (head.startsWith('ftyp', 4)) return detectBrand(bytes)
  const signature = SIGNATURES.find(([marks]) => marks.every(({ text, at }) => head.startsWith(text, at)))
  return signature?.[1] ?? { found: detectText(head) }
}

/**
 * ISO/IEC 14496-12, section 4.3: the major brand, then the compatible ones; AVIF 1.1, section 6:
 * `avif` among them.
 */
function detectBrand(bytes: Buffer): Detected {
  const length = bytes.readUInt32BE(0)
  if (length > MAX_BRAND_BOX) return { found: 'a file of an unknown type' }
  const end = Math.min(length, bytes.length, 256)
  const brands = Array.from({ length: Math.max(0, Math.floor((end - 8) / 4)) }, (_, i) =>
    bytes.toString('latin1', 8 + i * 4, 12 + i * 4)
  )
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return { type: 'image/avif' }
  return {
    found: brands.some((brand) => HEIC_BRANDS.includes(brand)) ? 'a HEIC image' : 'a video or another media file'
  }
}

/**
 * Classifies text by its first kilobyte, after a byte order mark, white space, comments and the XML
 * declaration.
 */
function detectText(head: string): string {
  if (/<svg[\s/>]/i.test(head)) return 'an SVG document'
  if (/^\W*<(!doctype html|html|head|body|script|iframe|style|h1|div|a|p|table|img|br)\b/i.test(head)) {
    return 'an HTML document'
  }
  if (/^(\xef\xbb\xbf)?\s*<\?xml/.test(head)) return 'an XML document'
  return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(head) ? 'a file of an unknown type' : 'a text file'
}
