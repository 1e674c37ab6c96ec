import { problem } from '../../errors.ts'
import type { ApiError } from '../../errors.ts'
import type { ImageFormat } from '../../schemas/image.ts'
import { detectType } from './detect-type.ts'
import type { TakenType } from './detect-type.ts'
import { loadSharp } from './load-sharp.ts'

/**
 * Most pixels of a still picture: above every camera that people carry, and 400 MB when laid out in
 * memory.
 */
export const MAX_PIXELS = 100_000_000
/**
 * Most pixels of all frames of a moving picture together; they are decoded and coded one after the
 * other, so time is what they cost.
 */
export const MAX_MOVING_PIXELS = 50_000_000
/** Longest side in pixels: the most that WebP can carry (RFC 9649, section 2.6: 14 bits). */
export const MAX_SIDE = 16_383

/**
 * What the head of a picture says. Width and height are those of the upright picture, in pixels.
 */
export interface PictureFacts {
  type: TakenType
  width: number
  height: number
  moving: boolean
  transparent: boolean
  palette: boolean
}

/**
 * Reads the head of an uploaded file.
 * @throws ApiError `malformed_image` when it is no picture of a taken format, or larger than the
 * limits above.
 */
export async function inspect(bytes: Buffer): Promise<PictureFacts> {
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
      throw unreadable(error)
    })
  // The library looks for itself what to decode; it must have come to the same answer.
  if (formatOf(type) !== (head.format === 'heif' ? 'avif' : head.format)) {
    throw problem('malformed_image', 'The file begins as one format and goes on as another.')
  }
  const frames = head.pages ?? 1
  const moving = frames > 1 && (type === 'image/gif' || type === 'image/webp')
  const { width, height } = moving ? { width: head.width, height: head.pageHeight ?? head.height } : head.autoOrient
  if (Math.max(width, height) > MAX_SIDE) {
    throw problem('malformed_image', `The picture has ${width} × ${height} pixels; a side may have ${MAX_SIDE}.`)
  }
  if (moving && width * height * frames > MAX_MOVING_PIXELS) {
    throw problem(
      'malformed_image',
      `The animation has ${frames} frames of ${width} × ${height} pixels; all together may have ${MAX_MOVING_PIXELS}. Send a shorter one, or a video.`
    )
  }
  return { type, width, height, moving, transparent: head.hasAlpha, palette: head.isPalette && type === 'image/png' }
}

/** The format's name in addresses: `jpeg` for `image/jpeg`. */
export function formatOf(type: string): ImageFormat {
  return type.slice('image/'.length) as ImageFormat
}

/**
 * The refusal for a picture that the decoder gives up on. A job that ran out of time says nothing
 * about the picture: `busy`.
 */
export function unreadable(error: unknown): ApiError {
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
