import { problem, type ApiError } from '../../errors.ts'
import type { ImageFormat } from '../../schemas/image.ts'
import { loadSharp } from './sharp.ts'

/**
 * Most pixels of a still picture: above every camera that people carry, and 400 MB when laid out in
 * memory.
 */
export const MAX_PIXELS = 100_000_000
/**
 * Most pixels of all frames of a animated picture together; they are decoded and coded one after the
 * other, so time is what they cost.
 */
export const MAX_ANIMATION_PIXELS = 50_000_000
/** Longest side in pixels: the most that WebP can carry (RFC 9649, section 2.6: 14 bits). */
export const MAX_SIDE = 16_383

/**
 * What the head of a picture says. Width and height are those of the upright picture, in pixels.
 */
export interface ImageInfo {
  type: AcceptedType
  width: number
  height: number
  animated: boolean
  transparent: boolean
  palette: boolean
}

/**
 * Reads the head of an uploaded file.
 * @throws ApiError `malformed_image` when it is no picture of a taken format, or larger than the
 * limits above.
 */
export async function inspectImage(bytes: Buffer): Promise<ImageInfo> {
  const detected = detectType(bytes)
  if ('found' in detected) {
    throw problem(
      'malformed_image',
      `What was sent is ${detected.found}; a JPEG, PNG, WebP, AVIF or GIF file is needed.`
    )
  }
  const sharp = await loadSharp()
  const { type } = detected
  const head = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
    .metadata()
    .catch((error: unknown) => {
      throw toDecodeError(error)
    })
  // The library looks for itself what to decode; it must have come to the same answer.
  if (formatOf(type) !== (head.format === 'heif' ? 'avif' : head.format)) {
    throw problem('malformed_image', 'The file begins as one format and goes on as another.')
  }
  const frames = head.pages ?? 1
  const animated = frames > 1 && (type === 'image/gif' || type === 'image/webp')
  const { width, height } = animated ? { width: head.width, height: head.pageHeight ?? head.height } : head.autoOrient
  if (Math.max(width, height) > MAX_SIDE) {
    throw problem('malformed_image', `The picture has ${width} × ${height} pixels; a side may have ${MAX_SIDE}.`)
  }
  if (animated && width * height * frames > MAX_ANIMATION_PIXELS) {
    throw problem(
      'malformed_image',
      `The animation has ${frames} frames of ${width} × ${height} pixels; all together may have ${MAX_ANIMATION_PIXELS}. Send a shorter one, or a video.`
    )
  }
  return { type, width, height, animated, transparent: head.hasAlpha, palette: head.isPalette && type === 'image/png' }
}

/** The format's name in addresses: `jpeg` for `image/jpeg`. */
export function formatOf(type: string): ImageFormat {
  return type.slice('image/'.length) as ImageFormat
}

/**
 * The refusal for a picture that the decoder gives up on. A job that ran out of time says nothing
 * about the picture: `busy`.
 */
export function toDecodeError(error: unknown): ApiError {
  const message = error instanceof Error ? error.message : String(error)
  if (message.startsWith('timeout')) {
    return problem('busy', 'The picture took too long to work on.', { headers: { 'Retry-After': '1' }, cause: error })
  }
  if (message.includes('pixel limit')) {
    return problem('malformed_image', `The picture claims more than ${MAX_PIXELS} pixels.`, { cause: error })
  }
  return problem(
    'malformed_image',
    'The file begins like a picture, but cannot be read to its end: it is cut off or damaged.',
    { cause: error }
  )
}

/** What is taken, by its media type. */
export const ACCEPTED_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'] as const
export type AcceptedType = (typeof ACCEPTED_TYPES)[number]

/** Either a format that is taken, or the name of what was found instead. */
export type Detected = { type: AcceptedType } | { found: string }

/** Begins at `at` with the bytes of `text`, one a character. */
interface Signature {
  at?: number
  text: string
}
const bytesAt = (text: string, at = 0): Signature => ({ text, at })

/**
 * The signatures of the WHATWG MIME Sniffing Standard, section 6.1, and of the formats that people
 * take for pictures of the web.
 */
const SIGNATURES: [Signature[], Detected][] = [
  [[bytesAt('\xff\xd8\xff')], { type: 'image/jpeg' }],
  [[bytesAt('\x89PNG\r\n\x1a\n')], { type: 'image/png' }],
  [[bytesAt('RIFF'), bytesAt('WEBPVP', 8)], { type: 'image/webp' }],
  [[bytesAt('GIF87a')], { type: 'image/gif' }],
  [[bytesAt('GIF89a')], { type: 'image/gif' }],
  [[bytesAt('II*\0')], { found: 'a TIFF picture' }],
  [[bytesAt('MM\0*')], { found: 'a TIFF picture' }],
  [[bytesAt('BM')], { found: 'a BMP picture' }],
  [[bytesAt('\0\0\x01\0')], { found: 'an icon (ICO)' }],
  [[bytesAt('\0\0\0\x0cJXL ')], { found: 'a JPEG XL picture' }],
  [[bytesAt('\xff\x0a')], { found: 'a JPEG XL picture' }],
  [[bytesAt('\0\0\0\x0cjP  ')], { found: 'a JPEG 2000 picture' }],
  [[bytesAt('8BPS')], { found: 'a Photoshop document' }],
  [[bytesAt('%PDF-')], { found: 'a PDF document' }],
  [[bytesAt('%!PS')], { found: 'a PostScript document' }],
  [[bytesAt('PK\x03\x04')], { found: 'a ZIP archive' }],
  [[bytesAt('\x1f\x8b')], { found: 'a gzip archive' }]
]

const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx']

/**
 * Tells by its first bytes what a file is; its name and the type that its sender claims say
 * nothing.
 * @param bytes the whole file
 */
export function detectType(bytes: Buffer): Detected {
  if (bytes.length === 0) return { found: 'an empty file' }
  const head = bytes.toString('latin1', 0, 1024)
  if (head.startsWith('ftyp', 4)) return detectBrand(bytes)
  const signature = SIGNATURES.find(([marks]) => marks.every(({ text, at }) => head.startsWith(text, at)))
  return signature?.[1] ?? { found: detectText(head) }
}

/**
 * ISO/IEC 14496-12, section 4.3: the major brand, then the compatible ones; AVIF 1.1, section 6:
 * `avif` among them.
 */
function detectBrand(bytes: Buffer): Detected {
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 256)
  const brands = Array.from({ length: Math.max(0, Math.floor((end - 8) / 4)) }, (_, i) =>
    bytes.toString('latin1', 8 + i * 4, 12 + i * 4)
  )
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return { type: 'image/avif' }
  return {
    found: brands.some((brand) => HEIC_BRANDS.includes(brand)) ? 'a HEIC picture' : 'a video or another media file'
  }
}

/**
 * Marks of the first kilobyte of a text, after a byte order mark, spaces, comments and the XML
 * declaration.
 */
function detectText(head: string): string {
  if (/<svg[\s/>]/i.test(head)) return 'an SVG document'
  if (/^\W*<(!doctype html|html|head|body|script|iframe|style|h1|div|a|p|table|img|br)\b/i.test(head)) {
    return 'an HTML document'
  }
  if (/^(\xef\xbb\xbf)?\s*<\?xml/.test(head)) return 'an XML document'

  // from text
  return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(head) ? 'a file of an unknown kind' : 'a text'
}
