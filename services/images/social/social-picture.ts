import { createHash } from 'node:crypto'
import { Refusal, refuse } from '../../../errors.ts'
import type { Files } from '../../../ports/files/port.ts'
import type { ImageRecord } from '../../../ports/store/port.ts'
import type { Delivered } from '../deliver.ts'
import { originalKey, imagePrefix } from '../image-keys.ts'
import { inspect, MAX_PIXELS, unreadable } from '../inspect.ts'
import type { KeptFiles, Remakeable } from '../kept-files.ts'
import { loadSharp } from '../load-sharp.ts'
import { drawCard } from './card.ts'
import { SOCIAL_HEIGHT, SOCIAL_WIDTH } from './size.ts'

/** Raised when the pictures come out differently, so that they get new names. */
const DESIGN = 1
/** A picture that must be blown up by more than this looks worse than a card. */
const MAX_ENLARGEMENT = 2

/** What a social picture depends on: the blog's first picture of its own, or, without one that is large enough, the title and the brand. */
export interface SocialInputs { blogId: string, title: string, brand?: string | null, image?: ImageRecord | null }

/** The picture that a blog shows of itself where it is linked: the name says all that it depends on, so whatever has this name never changes. */
export function socialFilename (inputs: SocialInputs): string {
  const image = usable(inputs.image)
  const depends = image !== null ? [DESIGN, 'image', image.hash] : [DESIGN, 'card', inputs.title, inputs.brand ?? null]
  return `og-${createHash('sha256').update(JSON.stringify(depends)).digest('hex').slice(0, 16)}.jpg`
}

/** Whether it is the name of a social picture; no upload gets one of this form. */
export function isSocialFilename (filename: string): boolean {
  return /^og-[0-9a-f]{16}\.jpg$/.test(filename)
}

/**
 * The social picture, JPEG, 1200 × 630; made by the first who asks, then kept.
 * @throws Refusal `busy`
 */
export async function deliverSocial (inputs: SocialInputs, keeping: { files: Files, kept: KeptFiles }): Promise<Delivered> {
  const file: Remakeable = { key: socialKey(inputs.blogId, socialFilename(inputs)), make: () => makePicture(inputs, keeping.files) }
  return describe(file, { filename: socialFilename(inputs), size: await keeping.kept.size(file) }, keeping.kept)
}

/** A social picture that the blog had before, by its name, because links to it live on; null when it was never made. */
export async function deliverFormerSocial (former: { blogId: string, filename: string }, keeping: { files: Files, kept: KeptFiles }): Promise<Delivered | null> {
  if (!isSocialFilename(former.filename)) return null
  const key = socialKey(former.blogId, former.filename)
  const size = await keeping.files.size(key)
  if (size === null || size === 0) return null
  const gone = (): Promise<Buffer> => Promise.reject(refuse('image_not_found', 'The picture was removed at this moment.'))
  return describe({ key, make: gone }, { filename: former.filename, size }, keeping.kept)
}

const socialKey = (blogId: string, filename: string): string => `${imagePrefix(blogId, filename)}/base`

function describe (file: Remakeable, made: { filename: string, size: number }, kept: KeptFiles): Delivered {
  return {
    type: 'image/jpeg',
    etag: `"${made.filename.slice(0, -'.jpg'.length)}-${made.size.toString(36)}"`,
    size: made.size,
    lastModified: null,
    immutable: true,
    variesByAccept: false,
    open: (range) => kept.open(file, range)
  }
}

function usable (image: ImageRecord | null | undefined): ImageRecord | null {
  if (image === null || image === undefined) return null
  return Math.max(SOCIAL_WIDTH / image.width, SOCIAL_HEIGHT / image.height) <= MAX_ENLARGEMENT ? image : null
}

/** A picture of the blog that was lost or damaged gives way to a card: a link without a picture helps nobody. */
async function makePicture (inputs: SocialInputs, files: Files): Promise<Buffer> {
  const image = usable(inputs.image)
  const original = image === null ? null : await files.read(originalKey(image.blogId, image.filename))
  const card = (): Promise<Buffer> => drawCard({ title: inputs.title, brand: inputs.brand ?? null })
  if (original === null) return card()
  try {
    return await crop(original)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'malformed_image') return card()
    throw error
  }
}

/** Fills 1200 × 630 with the part of the picture that draws the eye (sharp's strategy `attention`). */
async function crop (original: Buffer): Promise<Buffer> {
  const sharp = await loadSharp()
  const { moving } = await inspect(original)
  return sharp(original, { limitInputPixels: MAX_PIXELS, autoOrient: !moving }).timeout({ seconds: 60 })
    .resize({ width: SOCIAL_WIDTH, height: SOCIAL_HEIGHT, fit: 'cover', position: sharp.strategy.attention })
    .flatten({ background: '#fff' }).jpeg({ quality: 85, mozjpeg: true }).toBuffer()
    .catch((error: unknown) => { throw unreadable(error) })
}
