import { ApiError } from '../../../errors.ts'
import type { Files } from '../../../ports/files/port.ts'
import type { ImageFile } from '../deliver.ts'
import { openExisting, type GetOrCreate, type OpenableFile } from '../derived-files.ts'
import { estimateCost } from '../encode.ts'
import { baseKey, imagePrefix, originalKey } from '../names.ts'
import type { ImageProcessor } from '../processor/index.ts'
import type { ImageSlots } from '../slots.ts'
import { isSocialFilename, largeEnough, socialFilename, type SocialInputs } from './filename.ts'
import { SOCIAL_WIDTH } from './patterns.ts'

/** The pixels of a card, a few times. */
const CARD_BYTES = 16 * 1024 * 1024

/** `blogExists`: whether the blog still exists. */
export interface SocialRequest extends SocialInputs {
  accountId: string
  beforeCreate?: (() => Promise<void>) | undefined
  blogExists: () => Promise<boolean>
}

/** The social image (JPEG, 1200 × 630), created on first use and then stored. Throws `busy`. */
export async function openSocialImage(
  inputs: SocialRequest,
  keeping: { files: Files; prepare: GetOrCreate; slots: ImageSlots; processor: ImageProcessor }
): Promise<ImageFile> {
  const filename = socialFilename(inputs)
  return describe(
    filename,
    await keeping.prepare({
      key: baseKey(inputs.blogId, filename),
      accountId: inputs.accountId,
      kind: 'social-image',
      beforeCreate: inputs.beforeCreate,
      owner: { prefix: imagePrefix(inputs.blogId, filename), exists: inputs.blogExists },
      make: () => createSocialImage(inputs, keeping)
    })
  )
}

/** A former social image by name, because links to it remain; null when it was never created. */
export async function openFormerSocialImage(
  former: { blogId: string; filename: string },
  files: Files
): Promise<ImageFile | null> {
  if (!isSocialFilename(former.filename)) return null
  const existing = await openExisting(baseKey(former.blogId, former.filename), files)
  return existing === null ? null : describe(former.filename, existing)
}

function describe(filename: string, { size, open }: OpenableFile): ImageFile {
  const etag = `"${filename.slice(0, -'.jpg'.length)}-${size.toString(36)}"`
  return { type: 'image/jpeg', etag, size, lastModified: null, immutable: true, variesByAccept: false, open }
}

/** A lost or damaged image is replaced by a card, because a link without an image helps nobody. */
async function createSocialImage(
  inputs: SocialInputs & { accountId: string },
  { files, slots, processor }: { files: Files; slots: ImageSlots; processor: ImageProcessor }
): Promise<Buffer> {
  const image = largeEnough(inputs.image)
  const original = image === null ? null : await files.read(originalKey(image.blogId, image.filename))
  const { accountId, title, brand = null } = inputs
  // Drawing one takes 150 to 330 ms. Small images do not wait for those of several accounts.
  const card = async () =>
    await slots.withMemory({ accountId, bytes: CARD_BYTES, pixels: 0, isSlow: true }, () =>
      processor.drawCard({ title, brand })
    )
  if (original === null) return card()
  try {
    const info = await slots.measureReading(accountId, () => processor.inspect(original))
    const facts = { ...info, frames: 1 }
    const cost = estimateCost(facts, { format: 'jpeg', width: SOCIAL_WIDTH })
    return await slots.withMemory({ accountId, ...cost }, async () => await processor.crop(original, facts))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'malformed_image') return card()
    throw error
  }
}
