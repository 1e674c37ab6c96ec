import { createHash } from 'node:crypto'
import { problem, type ApiError } from '../../errors.ts'
import type { Files } from '../../ports/files/port.ts'
import type { ImageRecord, Store } from '../../ports/store/port.ts'
import { MAX_IMAGES_PER_BLOG } from '../../schemas/image.ts'
import type { GeneratedFiles } from '../generated-files.ts'
import { baseFormat, estimateCost } from './encode.ts'
import { baseKey, imageFilename, imagePrefix, originalKey } from './names.ts'
import type { ImageInfo } from './inspect.ts'
import type { ImageProcessor } from './processor/index.ts'
import type { ImageSlots } from './slots.ts'

export interface UploadContext {
  images: Store['images']
  files: Files
  slots: ImageSlots
  processor: ImageProcessor
}

/**
 * An uploaded image; `name` as sent. The caller limits the bytes (`MAX_IMAGE_BYTES`) and texts. The
 * bytes are loaded at the account's turn, so that uploads that wait occupy no memory.
 */
export interface Upload {
  accountId: string
  blogId: string
  name: string
  alt: string
  load: () => Promise<Buffer>
}

/**
 * Stores an image of a blog: the original, which is never delivered, and the encoded default variant. The same bytes
 * again give the existing image, whatever their name, with the new text alternative if there is one; lost files are
 * restored. Files are written before the record, so that a crash leaves no record without files. Throws
 * `malformed_image`, `too_many_images`, `busy`.
 */
export async function uploadImage(
  upload: Upload,
  keeping: UploadContext
): Promise<{ image: ImageRecord; added: boolean }> {
  return await keeping.slots.run(
    { accountId: upload.accountId, kind: 'upload' },
    async () => await store(upload, await upload.load(), keeping)
  )
}

async function store(
  upload: Upload,
  bytes: Buffer,
  keeping: UploadContext
): Promise<{ image: ImageRecord; added: boolean }> {
  const { accountId, blogId } = upload
  const hash = createHash('sha256').update(bytes).digest('hex')
  const images = await keeping.images.list(accountId, blogId)
  const known = images.find((image) => image.hash === hash)
  if (known !== undefined && (await hasOriginal(known, bytes.length, keeping.files))) {
    return await describe({ image: known, added: false }, upload.alt, keeping)
  }

  if (known === undefined && images.length >= MAX_IMAGES_PER_BLOG) {
    throw problem('too_many_images', `A blog may have at most ${MAX_IMAGES_PER_BLOG} images.`)
  }
  const facts = await keeping.slots.measureReading(accountId, () => keeping.processor.inspect(bytes))
  const format = baseFormat(facts)
  const type = `image/${format}`
  const cost = estimateCost(facts, { format })
  if (cost.bytes > keeping.slots.memoryBytes) throw tooLarge(facts, keeping.slots.memoryBytes)
  const base = await keeping.slots.withMemory(
    { accountId, ...cost },
    async () => await keeping.processor.encode(bytes, facts, { format, base: true })
  )
  const filename = known?.filename ?? imageFilename(upload.name, { hash, type })
  await keeping.files.put(originalKey(blogId, filename), bytes)
  await keeping.files.put(baseKey(blogId, filename), base.bytes)
  const stored = await keeping.images.insertIfAbsent({
    accountId,
    blogId,
    filename,
    originalName: upload.name,
    alt: upload.alt,
    width: base.width,
    height: base.height,
    bytes: base.bytes.length,
    originalBytes: bytes.length,
    type,
    hash,
    createdAt: new Date().toISOString()
  })
  return await describe(stored, upload.alt, keeping)
}

/** An image that is there already gets the text alternative of its last upload that has one. */
async function describe(
  { image, added }: { image: ImageRecord; added: boolean },
  alt: string,
  { images }: UploadContext
): Promise<{ image: ImageRecord; added: boolean }> {
  if (added || alt === '' || alt === image.alt) return { image, added }
  return { image: (await images.setAlt(image, alt)) ?? image, added }
}

function tooLarge({ width, height }: ImageInfo, memoryBytes: number): ApiError {
  return problem(
    'malformed_image',
    `The image has ${width} × ${height} pixels, for which this server has too little memory ` +
      `(IMAGE_MEMORY_MB is ${Math.floor(memoryBytes / 1024 / 1024)}). Send a smaller image.`
  )
}

/** The default variant can be created from the original; without the original, nothing can. */
async function hasOriginal(image: ImageRecord, bytes: number, files: Files): Promise<boolean> {
  return (await files.size(originalKey(image.blogId, image.filename))) === bytes
}

/**
 * Deletes an image: first the record, so that it is no longer referenced, then its files. Returns
 * false when the account's blog has no such image.
 */
export async function removeImage(
  image: { accountId: string; blogId: string; filename: string },
  { images, generatedFiles }: { images: Store['images']; generatedFiles: GeneratedFiles }
): Promise<boolean> {
  const removed = await images.delete(image.accountId, image.blogId, image.filename)
  if (removed) await generatedFiles.removeAll(imagePrefix(image.blogId, image.filename))
  return removed
}
