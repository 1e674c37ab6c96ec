import type { Sharp } from 'sharp'
import type { ImageFormat } from '../../schemas/image.ts'
import { formatOf, MAX_ANIMATION_PIXELS, MAX_PIXELS, toDecodeError, type ImageInfo } from './inspect.ts'
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
 * Maximum pixels of variants. AVIF needs ten times the time of other formats, and 40 bytes of memory
 * per pixel.
 */
export const MAX_OUTPUT_PIXELS: Record<ImageFormat, number> = {
  avif: 8_000_000,
  webp: 50_000_000,
  jpeg: 100_000_000,
  png: 100_000_000
}
/** Bytes of memory per pixel, measured with images of 25 megapixels and rounded up. */
const DECODING_BYTES: Record<ImageFormat, number> = { avif: 20, webp: 4, jpeg: 9, png: 4 }
const ENCODING_BYTES: Record<ImageFormat, number> = { avif: 40, webp: 18, jpeg: 10, png: 8 }

/** The memory in bytes that decoding an image and encoding a variant needs, at most. */
export function estimateMemory(
  { type, width, height, animated }: { type: string; width: number; height: number; animated: boolean },
  { format, width: maxWidth = width }: Pick<EncodeOptions, 'format' | 'width'>
): number {
  // The frames of an animation are decoded together.
  const pixels = animated ? MAX_ANIMATION_PIXELS : width * height
  const scale = Math.min(1, maxWidth / width)
  const from = type === 'image/gif' ? 'png' : formatOf(type)
  return pixels * DECODING_BYTES[from] + pixels * scale * scale * ENCODING_BYTES[format]
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
