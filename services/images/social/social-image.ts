import { createHash } from 'node:crypto'
import { ApiError } from '../../../errors.ts'
import type { Files } from '../../../ports/files/port.ts'
import type { ImageRecord } from '../../../ports/store/port.ts'
import type { Delivered } from '../deliver.ts'
import { prepareKept, type Prepare, type Prepared } from '../derived-files.ts'
import { inspect, MAX_PIXELS, unreadable } from '../inspect.ts'
import { baseKey, originalKey } from '../names.ts'
import { loadSharp } from '../sharp.ts'
import { drawCard } from './card.ts'
import { SOCIAL_HEIGHT, SOCIAL_WIDTH } from './patterns.ts'

/** Raised when the pictures come out differently, so that they get new names. */
const DESIGN = 1
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
  const image = usable(inputs.image)
  const depends = image !== null ? [DESIGN, 'image', image.hash] : [DESIGN, 'card', inputs.title, inputs.brand ?? null]
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
export async function deliverSocial(
  inputs: SocialInputs,
  keeping: { files: Files; prepare: Prepare }
): Promise<Delivered> {
  const filename = socialFilename(inputs)
  return describe(
    filename,
    await keeping.prepare({ key: baseKey(inputs.blogId, filename), make: () => makePicture(inputs, keeping.files) })
  )
}

/**
 * A social picture that the blog had before, by its name, because links to it live on; null when it
 * was never made.
 */
export async function deliverFormerSocial(
  former: { blogId: string; filename: string },
  files: Files
): Promise<Delivered | null> {
  if (!isSocialFilename(former.filename)) return null
  const kept = await prepareKept(baseKey(former.blogId, former.filename), files)
  return kept === null ? null : describe(former.filename, kept)
}

function describe(filename: string, { size, open }: Prepared): Delivered {
  const etag = `"${filename.slice(0, -'.jpg'.length)}-${size.toString(36)}"`
  return { type: 'image/jpeg', etag, size, lastModified: null, immutable: true, variesByAccept: false, open }
}

function usable(image: ImageRecord | null | undefined): ImageRecord | null {
  if (image === null || image === undefined) return null
  return Math.max(SOCIAL_WIDTH / image.width, SOCIAL_HEIGHT / image.height) <= MAX_ENLARGEMENT ? image : null
}

/**
 * A picture of the blog that was lost or damaged gives way to a card: a link without a picture
 * helps nobody.
 */
async function makePicture(inputs: SocialInputs, files: Files): Promise<Buffer> {
  const image = usable(inputs.image)
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
  const { moving } = await inspect(original)
  return sharp(original, { limitInputPixels: MAX_PIXELS, autoOrient: !moving })
    .timeout({ seconds: 60 })
    .resize({ width: SOCIAL_WIDTH, height: SOCIAL_HEIGHT, fit: 'cover', position: sharp.strategy.attention })
    .flatten({ background: '#fff' })
    .jpeg({ quality: 85, mozjpeg: true })
    .toBuffer()
    .catch((error: unknown) => {
      throw unreadable(error)
    })
}
