import type { Sharp } from 'sharp'
import type { ImageFormat } from '../../schemas/image.ts'
import { formatOf, MAX_PIXELS, toDecodeError, type ImageInfo } from './inspect.ts'
import { loadSharp } from './sharp.ts'

const TIMEOUT_SECONDS = 60

/**
 * What to make of a picture: a narrower one where a width is given, never a wider one; `base` is
 * the one that is delivered when nothing is asked for.
 */
export interface EncodeOptions {
  width?: number
  format: ImageFormat
  base?: boolean
}

/** A coded picture; width and height in pixels. */
export interface EncodedImage {
  bytes: Buffer
  width: number
  height: number
}

/**
 * How each format is written. AVIF at effort 2: effort 4, its default, takes 9 to 13 times as long
 * here for a file 10 to 20 % smaller, and somebody
 * waits for the first one. JPEG by mozjpeg: about 20 % smaller, and progressive.
 */
const WRITERS: Record<ImageFormat, (picture: Sharp, palette: boolean) => Sharp> = {
  avif: (picture) => picture.avif({ quality: 55, effort: 2 }),
  webp: (picture) => picture.webp({ quality: 80 }),
  jpeg: (picture) => picture.flatten({ background: '#fff' }).jpeg({ quality: 82, mozjpeg: true }),
  png: (picture, palette) => picture.png(palette ? { palette: true, dither: 0 } : {})
}

/**
 * What a picture is delivered as when no format is asked for: a animated one as WebP, a still GIF as
 * PNG, others as they came.
 */
export function baseFormat(facts: ImageInfo): ImageFormat {
  if (facts.animated) return 'webp'
  return facts.type === 'image/gif' ? 'png' : formatOf(facts.type)
}

/**
 * Decodes a picture, turns it upright, converts it to sRGB with 8 bits a channel and codes it anew,
 * with no metadata of any kind (the last two are what
 * sharp does unless it is told otherwise).
 * Only WebP moves; of a animated picture the other formats show the first frame. JPEG puts
 * transparent pictures on white.
 * @throws ApiError `malformed_image` when the decoder gives up, `busy` after a minute.
 */
export async function encode(
  bytes: Buffer,
  facts: Pick<ImageInfo, 'animated' | 'palette'>,
  wanted: EncodeOptions
): Promise<EncodedImage> {
  const sharp = await loadSharp()
  const animated = facts.animated && wanted.format === 'webp'
  const picture = sharp(bytes, {
    limitInputPixels: MAX_PIXELS,
    animated: animated,
    autoOrient: !facts.animated
  }).timeout({
    seconds: TIMEOUT_SECONDS
  })
  if (wanted.width !== undefined) picture.resize({ width: wanted.width, withoutEnlargement: true })
  // Scaling makes new colors, so only an unscaled picture keeps its palette whole.
  const writer = WRITERS[wanted.format](picture, facts.palette && wanted.base === true)
  const { data, info } = await writer.toBuffer({ resolveWithObject: true }).catch((error: unknown) => {
    throw toDecodeError(error)
  })
  return { bytes: data, width: info.width, height: info.pageHeight ?? info.height }
}
