import type { Readable } from 'node:stream'
import { ApiError, problem } from '../../errors.ts'
import type { ByteRange, Files } from '../../ports/files/port.ts'
import type { ImageRecord } from '../../ports/store/port.ts'
import type { ImageFormat, ImageWidth } from '../../schemas/image.ts'
import { encode } from './encode.ts'
import type { EncodeOptions } from './encode.ts'
import { baseKey, originalKey, variantKey } from './names.ts'
import { formatOf, inspectImage } from './inspect.ts'
import type { GetOrCreate, DerivedFile } from './derived-files.ts'
import { negotiateFormat } from './negotiate.ts'

/**
 * What a route needs to answer: `etag` is strong and quoted, `size` in bytes, `lastModified` an
 * HTTP date (RFC 9110, section 5.6.7).
 */
export interface ImageFile {
  type: string
  etag: string
  size: number
  /** Null where nothing tells. */
  lastModified: string | null
  /** Whatever has this address never changes. */
  immutable: boolean
  /** The answer depends on the Accept header, and `Vary` must say so. */
  variesByAccept: boolean
  /** The bytes; the stream must be read to its end or destroyed. */
  open: (range?: ByteRange) => Promise<Readable>
}

export interface ImageVariantRequest {
  image: ImageRecord
  width?: ImageWidth
  format?: ImageFormat | 'auto'
  accept?: string
}

/**
 * An image in the width and the format that are asked for; made by the first who asks, then kept. A
 * width that the image does not reach is answered by its own.
 * @throws ApiError `image_not_found` when neither the file nor the original is there, `busy`
 */
export async function deliverImage(
  request: ImageVariantRequest,
  keeping: { files: Files; prepare: GetOrCreate }
): Promise<ImageFile> {
  const { image } = request
  const width = request.width !== undefined && request.width < image.width ? request.width : 'full'
  const format = chooseFormat(request, width)
  const isBase = width === 'full' && format === formatOf(image.type)
  const wanted: EncodeOptions = width === 'full' ? { format, base: isBase } : { format, width }
  const make = (): Promise<Buffer> => remake(image, wanted, keeping.files)
  const file: DerivedFile = isBase
    ? { key: baseKey(image.blogId, image.filename), bytes: image.bytes, make }
    : { key: variantKey(image, width, format), make }
  const { size, open } = await keeping.prepare(file)
  return {
    type: `image/${format}`,
    // The size is in it, because a newer encoder may one day make other bytes of the same picture.
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
  if (format !== 'auto') return format
  const pixels = width === 'full' ? image.width * image.height : (width * width * image.height) / image.width
  return negotiateFormat(request.accept, { type: image.type, pixels })
}

async function remake(image: ImageRecord, wanted: EncodeOptions, files: Files): Promise<Buffer> {
  const original = await files.read(originalKey(image.blogId, image.filename))
  if (original === null) {
    throw problem('image_not_found', `The files of ${image.filename} are gone; upload the picture again.`)
  }
  try {
    // Only what is delivered as WebP may move, and only the picture itself keeps its palette: for
    // the rest the head need not be read.
    const facts =
      wanted.base === true || image.type === 'image/webp'
        ? await inspectImage(original)
        : { animated: false, palette: false }
    return (await encode(original, facts, wanted)).bytes
  } catch (error) {
    // It could be read when it was uploaded, so it is the kept file that is damaged.
    if (error instanceof ApiError && error.code === 'malformed_image') {
      throw problem('image_not_found', `The files of ${image.filename} are damaged; upload the picture again.`, {
        cause: error
      })
    }
    throw error
  }
}
