import type { Readable } from 'node:stream'
import { ApiError, problem } from '../../errors.ts'
import type { ByteRange, Files } from '../../ports/files/port.ts'
import type { ImageRecord, Store } from '../../ports/store/port.ts'
import type { ImageFormat, ImageWidth } from '../../schemas/image-options.ts'
import { estimateCost, MAX_OUTPUT_PIXELS, type EncodeOptions } from './encode.ts'
import { baseKey, imagePrefix, originalKey, variantKey } from './names.ts'
import { formatOf } from './inspect.ts'
import type { GetOrCreate, DerivedFile } from './derived-files.ts'
import { negotiateFormat } from './negotiate.ts'
import type { ImageProcessor } from './processor/index.ts'
import type { ImageSlots } from './slots.ts'

/**
 * A file to send: `etag` is strong and quoted, `size` in bytes, `lastModified` an HTTP date (RFC
 * 9110, section 5.6.7).
 */
export interface ImageFile {
  type: string
  etag: string
  size: number
  /** Null when unknown. */
  lastModified: string | null
  /** The content of this URL never changes. */
  immutable: boolean
  /** The response depends on the Accept header, so it needs `Vary: Accept`. */
  variesByAccept: boolean
  /** Opens the bytes; the stream must be read to its end or destroyed. */
  open: (range?: ByteRange) => Promise<Readable>
}

/** An image without the texts that its delivery does not need. */
export type DeliverableImage = Omit<ImageRecord, 'alt' | 'originalName'>

export interface ImageVariantRequest {
  image: DeliverableImage
  width?: ImageWidth
  format?: ImageFormat | 'auto'
  accept?: string
  /** Called before the file is created. An error that it throws rejects the request. */
  beforeCreate?: (() => Promise<void>) | undefined
}

interface Processing {
  slots: ImageSlots
  processor: ImageProcessor
}

/**
 * An image in the requested width and format, created on first use and then stored. Widths above
 * that of the image give its own width. Throws `image_not_found` when neither the file nor the
 * original exists, and `busy`.
 */
export async function deliverImage(
  request: ImageVariantRequest,
  keeping: { images: Store['images']; files: Files; prepare: GetOrCreate } & Processing
): Promise<ImageFile> {
  const { image, beforeCreate } = request
  const width = request.width !== undefined && request.width < image.width ? request.width : 'full'
  const format = chooseFormat(request, width)
  const isBase = width === 'full' && format === formatOf(image.type)
  const wanted: EncodeOptions = width === 'full' ? { format, base: isBase } : { format, width }
  const make = (): Promise<Buffer> => remake(image, wanted, keeping)
  const owner = {
    prefix: imagePrefix(image.blogId, image.filename),
    exists: async () => (await keeping.images.find(image.blogId, image.filename)) !== null
  }
  const common = { accountId: image.accountId, beforeCreate, make, owner }
  const file: DerivedFile = isBase
    ? { key: baseKey(image.blogId, image.filename), kind: null, bytes: image.bytes, ...common }
    : { key: variantKey(image, width, format), kind: 'image-size', ...common }
  const { size, open } = await keeping.prepare(file)
  return {
    type: `image/${format}`,
    // Includes the size, because a newer encoder may write other bytes for the same image.
    etag: `"${image.hash.slice(0, 32)}-${width}-${format}-${size.toString(36)}"`,
    size,
    lastModified: new Date(image.createdAt).toUTCString(),
    immutable: true,
    variesByAccept: request.format === 'auto',
    open
  }
}

function chooseFormat(request: ImageVariantRequest, width: number | 'full'): ImageFormat {
  const { image, format } = request
  if (format === undefined) return formatOf(image.type)
  const pixels = width === 'full' ? image.width * image.height : (width * width * image.height) / image.width
  if (format !== 'auto') {
    if (pixels > MAX_OUTPUT_PIXELS[format] && format !== formatOf(image.type)) throw tooLarge(format)
    return format
  }
  return negotiateFormat(request.accept, { type: image.type, pixels })
}

function tooLarge(format: ImageFormat): ApiError {
  const message =
    `must not be ${format} for more than ${MAX_OUTPUT_PIXELS[format] / 1_000_000} megapixels; ` +
    'add w, or choose another format'
  return problem('unknown_image_variant', `format ${message}.`, {
    errors: [{ pointer: 'format', code: 'too_large', message }]
  })
}

async function remake(
  image: DeliverableImage,
  wanted: EncodeOptions,
  { files, slots, processor }: { files: Files } & Processing
): Promise<Buffer> {
  const original = await files.read(originalKey(image.blogId, image.filename))
  if (original === null) {
    throw problem('image_not_found', `The files of ${image.filename} are missing. Upload the image again.`)
  }
  try {
    const facts = await slots.measureReading(image.accountId, () => processor.inspect(original))
    const { bytes } = await slots.withMemory(
      { accountId: image.accountId, ...estimateCost(facts, wanted) },
      async () => await processor.encode(original, facts, wanted)
    )
    return bytes
  } catch (error) {
    // The upload could be decoded, so the stored file is damaged.
    if (error instanceof ApiError && error.code === 'malformed_image') {
      throw problem('image_not_found', `The files of ${image.filename} are damaged. Upload the image again.`, {
        cause: error
      })
    }
    throw error
  }
}
