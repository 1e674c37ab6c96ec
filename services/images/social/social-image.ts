import { createHash } from 'node:crypto'
import { ApiError } from '../../../errors.ts'
import type { Files } from '../../../ports/files/port.ts'
import type { ImageRecord } from '../../../ports/store/port.ts'
import type { ImageFile } from '../deliver.ts'
import { openExisting, type GetOrCreate, type OpenableFile } from '../derived-files.ts'
import { inspectImage, MAX_PIXELS, toDecodeError } from '../inspect.ts'
import { baseKey, originalKey } from '../names.ts'
import { loadSharp } from '../sharp.ts'
import { drawCard } from './card.ts'
import { SOCIAL_HEIGHT, SOCIAL_WIDTH } from './patterns.ts'

/** Raised when the pictures come out differently, so that they get new names. */
const DESIGN_VERSION = 1
/** A picture that must be blown up by more than this looks worse than a card. */
const MAX_ENLARGEMENT = 2

/**
 * What a social picture depends on: the blog's first picture of its own, or, without one that is
 * large enough, the title and the brand.
 */
export interface SocialInputs {
  blogId: string
  title: string
  brand?: string | null
  image?: ImageRecord | null
}

/**
 * The picture that a blog shows of itself where it is linked: the name says all that it depends on,
 * so whatever has this name never changes.
 */
export function socialFilename(inputs: SocialInputs): string {
  const image = largeEnough(inputs.image)
  const depends =
    image !== null
      ? [DESIGN_VERSION, 'image', image.hash]
      : [DESIGN_VERSION, 'card', inputs.title, inputs.brand ?? null]
  return `og-${createHash('sha256').update(JSON.stringify(depends)).digest('hex').slice(0, 16)}.jpg`
}

/** Whether it is the name of a social picture; no upload gets one of this form. */
export function isSocialFilename(filename: string): boolean {
  return /^og-[0-9a-f]{16}\.jpg$/.test(filename)
}

/**
 * The social picture, JPEG, 1200 × 630; made by the first who asks, then kept.
 * @throws ApiError `busy`
 */
export async function openSocialImage(
  inputs: SocialInputs,
  keeping: { files: Files; prepare: GetOrCreate }
): Promise<ImageFile> {
  const filename = socialFilename(inputs)
  return describe(
    filename,
    await keeping.prepare({
      key: baseKey(inputs.blogId, filename),
      make: () => createSocialImage(inputs, keeping.files)
    })
  )
}

/**
 * A social picture that the blog had before, by its name, because links to it live on; null when it
 * was never made.
 */
export async function openFormerSocialImage(
  former: { blogId: string; filename: string },
  files: Files
): Promise<ImageFile | null> {
  if (!isSocialFilename(former.filename)) return null
  const kept = await openExisting(baseKey(former.blogId, former.filename), files)
  return kept === null ? null : describe(former.filename, kept)
}

function describe(filename: string, { size, open }: OpenableFile): ImageFile {
  const etag = `"${filename.slice(0, -'.jpg'.length)}-${size.toString(36)}"`
  return { type: 'image/jpeg', etag, size, lastModified: null, immutable: true, variesByAccept: false, open }
}

function largeEnough(image: ImageRecord | null | undefined): ImageRecord | null {
  if (image === null || image === undefined) return null
  return Math.max(SOCIAL_WIDTH / image.width, SOCIAL_HEIGHT / image.height) <= MAX_ENLARGEMENT ? image : null
}

/**
 * A picture of the blog that was lost or damaged gives way to a card: a link without a picture
 * helps nobody.
 */
async function createSocialImage(inputs: SocialInputs, files: Files): Promise<Buffer> {
  const image = largeEnough(inputs.image)
  const original = image === null ? null : await files.read(originalKey(image.blogId, image.filename))
  const card = (): Promise<Buffer> => drawCard({ title: inputs.title, brand: inputs.brand ?? null })
  if (original === null) return card()
  try {
    return await crop(original)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'malformed_image') return card()
    throw error
  }
}

/**
 * Fills 1200 × 630 with the part of the picture that draws the eye (sharp's strategy `attention`).
 */
async function crop(original: Buffer): Promise<Buffer> {
  const sharp = await loadSharp()
  const { animated } = await inspectImage(original)
  return sharp(original, { limitInputPixels: MAX_PIXELS, autoOrient: !animated })
    .timeout({ seconds: 60 })
    .resize({ width: SOCIAL_WIDTH, height: SOCIAL_HEIGHT, fit: 'cover', position: sharp.strategy.attention })
    .flatten({ background: '#fff' })
    .jpeg({ quality: 85, mozjpeg: true })
    .toBuffer()
    .catch((error: unknown) => {
      throw toDecodeError(error)
    })
}
