import type { Sharp } from 'sharp'
import type { ImageFormat } from '../../schemas/image-options.ts'
import { formatOf, MAX_PIXELS, toDecodeError, type ImageInfo } from './inspect.ts'
import { loadSharp } from './sharp.ts'
import { SOCIAL_HEIGHT, SOCIAL_WIDTH } from './social/patterns.ts'

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
 * Maximum pixels of variants. AVIF needs ten times the time of other formats; AVIF and WebP need the
 * whole image in memory.
 */
export const MAX_OUTPUT_PIXELS: Record<ImageFormat, number> = {
  avif: 8_000_000,
  webp: 25_000_000,
  jpeg: 100_000_000,
  png: 100_000_000
}
/** Larger images are encoded line by line: as baseline JPEG, or as PNG without a palette. */
const STREAMED_PIXELS = 25_000_000
/**
 * Bytes of memory per pixel, measured with images of 16 and 25 megapixels and rounded up. Decoding a
 * progressive JPEG with a rotation, or an interlaced PNG with 16 bits, needs the whole image. With
 * these numbers, every image that `inspectImage` accepts needs less than 1 GiB.
 */
const DECODING_BYTES: Record<ImageInfo['type'], number> = {
  'image/avif': 20,
  'image/webp': 8,
  'image/jpeg': 9,
  'image/png': 8,
  'image/gif': 4
}
const ENCODING_BYTES: Record<ImageFormat, number> = { avif: 40, webp: 18, jpeg: 10, png: 8 }
const STREAMING_BYTES = 1.5

/** What decoding an image and encoding a variant needs, at most: memory in bytes, and the pixels that are decoded. */
export function estimateCost(
  { type, width, height, frames, animated }: Pick<ImageInfo, 'type' | 'width' | 'height' | 'frames' | 'animated'>,
  { format, width: maxWidth = width }: Pick<EncodeOptions, 'format' | 'width'>
): { bytes: number; pixels: number } {
  const pixels = width * height
  const scale = Math.min(1, maxWidth / width)
  const output = pixels * scale * scale
  // The frames of an animation are decoded together, and encoded one by one.
  const decoded = pixels * (animated ? frames : 1)
  const encoding = output * (isStreamed(format, output) ? STREAMING_BYTES : ENCODING_BYTES[format])
  return { bytes: decoded * DECODING_BYTES[type] + encoding, pixels: decoded }
}

const isStreamed = (format: ImageFormat, pixels: number): boolean =>
  pixels > STREAMED_PIXELS && (format === 'jpeg' || format === 'png')

/**
 * Encoder settings. AVIF with effort 2: the default of 4 takes 9 to 13 times as long for files 10
 * to 20 % smaller, and the first request waits for it. JPEG with mozjpeg: about 20 % smaller, and
 * progressive.
 */
const WRITERS: Record<ImageFormat, (picture: Sharp, options: { palette: boolean; streamed: boolean }) => Sharp> = {
  avif: (picture) => picture.avif({ quality: 55, effort: 2 }),
  webp: (picture) => picture.webp({ quality: 80 }),
  jpeg: (picture, { streamed }) =>
    picture
      .flatten({ background: '#fff' })
      .jpeg(streamed ? { quality: 82, optimizeCoding: false } : { quality: 82, mozjpeg: true }),
  png: (picture, { palette, streamed }) => picture.png(palette && !streamed ? { palette: true, dither: 0 } : {})
}

/**
 * The default format: WebP for animations, PNG for still GIFs, otherwise the original format. AVIF
 * and WebP images above their maximum become JPEG, or PNG if they may be transparent.
 */
export function baseFormat(facts: ImageInfo): ImageFormat {
  if (facts.animated) return 'webp'
  const own = facts.type === 'image/gif' ? 'png' : formatOf(facts.type)
  if (facts.width * facts.height <= MAX_OUTPUT_PIXELS[own]) return own
  return facts.transparent ? 'png' : 'jpeg'
}

/**
 * Decodes an image, applies its EXIF orientation, converts it to 8-bit sRGB and encodes it without
 * metadata (the last two are defaults of sharp). Only WebP is animated; other formats contain the
 * first frame. JPEG puts transparent images on white. Throws `malformed_image` when decoding fails,
 * `busy` after a minute.
 */
export async function encode(bytes: Buffer, facts: ImageInfo, wanted: EncodeOptions): Promise<EncodedImage> {
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
  const scale = Math.min(1, (wanted.width ?? facts.width) / facts.width)
  const writer = WRITERS[wanted.format](picture, {
    palette: facts.palette && wanted.base === true,
    streamed: isStreamed(wanted.format, facts.width * facts.height * scale * scale)
  })
  const { data, info } = await writer.toBuffer({ resolveWithObject: true }).catch((error: unknown) => {
    throw toDecodeError(error)
  })
  return { bytes: data, width: info.width, height: info.pageHeight ?? info.height }
}

/**
 * Crops an image to the size of a social image around its most salient part (sharp's strategy `attention`). JPEG.
 * Throws as `encode`.
 */
export async function crop(bytes: Buffer, { animated }: Pick<ImageInfo, 'animated'>): Promise<Buffer> {
  const sharp = await loadSharp()
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, autoOrient: !animated })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .resize({ width: SOCIAL_WIDTH, height: SOCIAL_HEIGHT, fit: 'cover', position: sharp.strategy.attention })
    .flatten({ background: '#fff' })
    .jpeg({ quality: 85, mozjpeg: true })
    .toBuffer()
    .catch((error: unknown) => {
      throw toDecodeError(error)
    })
}
