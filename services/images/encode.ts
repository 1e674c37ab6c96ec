import type { Sharp } from 'sharp'
import type { ImageFormat } from '../../schemas/image.ts'
import { formatOf, MAX_PIXELS, toDecodeError, type ImageInfo } from './inspect.ts'
import { loadSharp } from './sharp.ts'

const TIMEOUT_SECONDS = 60

/**
 * `width`: maximum width, images are never enlarged. `base`: the variant that is delivered by
 * default.
 */
export interface EncodeOptions {
  width?: number
  format: ImageFormat
  base?: boolean
}

/** An encoded image; width and height in pixels. */
export interface EncodedImage {
  bytes: Buffer
  width: number
  height: number
}

/**
 * Encoder settings. AVIF with effort 2: the default of 4 takes 9 to 13 times as long for files 10
 * to 20 % smaller, and the first request waits for it. JPEG with mozjpeg: about 20 % smaller, and
 * progressive.
 */
const WRITERS: Record<ImageFormat, (picture: Sharp, palette: boolean) => Sharp> = {
  avif: (picture) => picture.avif({ quality: 55, effort: 2 }),
  webp: (picture) => picture.webp({ quality: 80 }),
  jpeg: (picture) => picture.flatten({ background: '#fff' }).jpeg({ quality: 82, mozjpeg: true }),
  png: (picture, palette) => picture.png(palette ? { palette: true, dither: 0 } : {})
}

/** The default format: WebP for animations, PNG for still GIFs, otherwise the original format. */
export function baseFormat(facts: ImageInfo): ImageFormat {
  if (facts.animated) return 'webp'
  return facts.type === 'image/gif' ? 'png' : formatOf(facts.type)
}

/**
 * Decodes an image, applies its EXIF orientation, converts it to 8-bit sRGB and encodes it without
 * metadata (the last two are defaults of sharp). Only WebP is animated; other formats contain the
 * first frame. JPEG puts transparent images on white. Throws `malformed_image` when decoding fails,
 * `busy` after a minute.
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
    animated,
    autoOrient: !facts.animated
  }).timeout({
    seconds: TIMEOUT_SECONDS
  })
  if (wanted.width !== undefined) picture.resize({ width: wanted.width, withoutEnlargement: true })
  // Scaling adds colors, so only an unscaled image can keep its palette.
  const writer = WRITERS[wanted.format](picture, facts.palette && wanted.base === true)
  const { data, info } = await writer.toBuffer({ resolveWithObject: true }).catch((error: unknown) => {
    throw toDecodeError(error)
  })
  return { bytes: data, width: info.width, height: info.pageHeight ?? info.height }
}
