import { availableParallelism } from 'node:os'
import type { Files } from '../../ports/files/port.ts'
import type { ImageRecord, Store } from '../../ports/store/port.ts'
import { IMAGE_WIDTHS } from '../../schemas/image-options.ts'
import type { Image } from '../../schemas/image.ts'
import type { GeneratedFiles } from '../generated-files.ts'
import { deliverImage } from './deliver.ts'
import type { DeliverableImage, ImageFile, ImageVariantRequest } from './deliver.ts'
import { blogPrefix } from './names.ts'
import { createDerivedFiles } from './derived-files.ts'
import type { ImageProcessor } from './processor/index.ts'
import { createImageSlots } from './slots.ts'
import { isSocialFilename, socialFilename, type SocialInputs } from './social/filename.ts'
import { openFormerSocialImage, openSocialImage, type SocialRequest } from './social/social-image.ts'
import { removeImage, uploadImage } from './upload.ts'
import type { Upload } from './upload.ts'
export { signPreview, verifyPreview } from './preview-token.ts'
export { isSocialFilename, socialFilename }
export type { DeliverableImage, ImageFile, ImageVariantRequest, SocialInputs, Upload }

/** The image process has four threads for native code. One account uses one less than run at once. */
const MAX_THREADS = 3
/**
 * Waiting tasks for each running one: at a fifth of a second each, the last one waits about six
 * seconds.
 */
const WAITING_PER_SLOT = 32

/** `origin` precedes paths in URLs; `maxConcurrent` limits the images processed at once. */
export interface ImagesOptions {
  images: Store['images']
  files: Files
  generatedFiles: GeneratedFiles
  processor: ImageProcessor
  origin: string
  maxConcurrent?: number
  /** Memory of images that are decoded or encoded at once. */
  memoryBytes: number
}

export interface Images {
  /**
   * Stores an image of a blog; `added` is false when the blog already has these bytes. Throws
   * `malformed_image`, `too_many_images`, `busy`.
   */
  upload: (upload: Upload) => Promise<{ image: ImageRecord; added: boolean }>
  /** Deletes an image with all its variants; false when the account's blog has no such image. */
  remove: (accountId: string, blogId: string, filename: string) => Promise<boolean>
  /** Deletes all image files of a deleted blog. */
  removeAll: (blogId: string) => Promise<void>
  /** An image in the requested width and format. Throws `image_not_found`, `busy`. */
  deliver: (request: ImageVariantRequest) => Promise<ImageFile>
  /** The social image of a blog, 1200 × 630. Throws `busy`. */
  openSocialImage: (request: SocialRequest) => Promise<ImageFile>
  /** A former social image of the blog; null when none has this name. */
  openFormerSocialImage: (blogId: string, filename: string) => Promise<ImageFile | null>
  /** The URL of an image or of a social image. */
  urlOf: (blogId: string, filename: string) => string
  /** The API representation of an image, with its offered widths. */
  toImage: (image: ImageRecord) => Image
}

/** Images of blogs: upload, re-encoding, and delivery in several sizes and formats. */
export function createImages(options: ImagesOptions): Images {
  const { images, files, generatedFiles, processor, origin, memoryBytes } = options
  const { maxConcurrent = Math.min(availableParallelism(), MAX_THREADS) } = options
  const slots = createImageSlots({ running: maxConcurrent, waiting: maxConcurrent * WAITING_PER_SLOT, memoryBytes })
  const prepare = createDerivedFiles({ files, generatedFiles, slots })
  const urlOf = (blogId: string, filename: string): string => `${origin}/api/v1/blogs/images/${blogId}/${filename}`

  return {
    upload: (upload) => uploadImage(upload, { images, files, slots, processor }),
    remove: (accountId, blogId, filename) => removeImage({ accountId, blogId, filename }, { images, generatedFiles }),
    removeAll: (blogId) => generatedFiles.removeAll(blogPrefix(blogId)),
    deliver: (request) => deliverImage(request, { images, files, prepare, slots, processor }),
    openSocialImage: (inputs) => openSocialImage(inputs, { files, prepare, slots, processor }),
    openFormerSocialImage: (blogId, filename) => openFormerSocialImage({ blogId, filename }, files),
    urlOf,
    toImage: ({ blogId, filename, width, height, alt, bytes }) => {
      const url = urlOf(blogId, filename)
      const sizes = IMAGE_WIDTHS.filter((offered) => offered <= width).map((offered) => ({
        width: offered,
        url: `${url}?w=${offered}`
      }))
      return { filename, url, width, height, alt, bytes, sizes }
    }
  }
}
