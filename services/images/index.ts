import { availableParallelism } from 'node:os'
import type { Files } from '../../ports/files/port.ts'
import type { ImageRecord, Store } from '../../ports/store/port.ts'
import { IMAGE_WIDTHS } from '../../schemas/image.ts'
import type { Image } from '../../schemas/image.ts'
import { deliverImage } from './deliver.ts'
import type { ImageFile, ImageVariantRequest } from './deliver.ts'
import { blogPrefix } from './names.ts'
import { createDerivedFiles, createSlots } from './derived-files.ts'
import {
  openFormerSocialImage,
  openSocialImage,
  isSocialFilename,
  socialFilename,
  type SocialInputs
} from './social/social-image.ts'
import { removeImage, uploadImage } from './upload.ts'
import type { Upload } from './upload.ts'
export { signPreview, verifyPreview } from './preview-token.ts'
export { isSocialFilename, socialFilename }
export type { ImageFile, ImageVariantRequest, SocialInputs, Upload }

/** libuv gives four threads to everything; one stays free for files and names. */
const MAX_THREADS = 3
/**
 * How many may wait for each that runs: at a fifth of a second each, the last one waits some six
 * seconds.
 */
const WAITING_PER_SLOT = 32

/**
 * `origin` stands before the path in addresses; `maxConcurrent` is how many pictures are worked on
 * at once in this process.
 */
export interface ImagesOptions {
  images: Store['images']
  files: Files
  origin: string
  maxConcurrent?: number
}

export interface Images {
  /**
   * Keeps a picture of a blog; `added` is false when the blog had these bytes already. @throws
   * ApiError `malformed_image`, `busy`
   */
  upload: (upload: Upload) => Promise<{ image: ImageRecord; added: boolean }>
  /**
   * Removes an image with everything that was made of it; false when the account's blog has no such
   * image.
   */
  remove: (accountId: string, blogId: string, filename: string) => Promise<boolean>
  /** Removes the files of all images of a blog that is deleted. */
  removeAll: (blogId: string) => Promise<void>
  /**
   * An image in the width and the format that are asked for. @throws ApiError `image_not_found`,
   * `busy`
   */
  deliver: (request: ImageVariantRequest) => Promise<ImageFile>
  /** The social picture of a blog, 1200 × 630. @throws ApiError `busy` */
  openSocialImage: (inputs: SocialInputs) => Promise<ImageFile>
  /** A social picture that the blog had before; null when there is none of this name. */
  openFormerSocialImage: (blogId: string, filename: string) => Promise<ImageFile | null>
  /** The public address of an image or of a social picture. */
  urlOf: (blogId: string, filename: string) => string
  /** The image as the interface shows it, with the narrower widths that it is offered in. */
  toImage: (image: ImageRecord) => Image
}

/**
 * The images of blogs: taken in, coded anew, and delivered in the sizes and formats that readers
 * ask for.
 */
export function createImages(options: ImagesOptions): Images {
  const { images, files, origin, maxConcurrent = Math.min(availableParallelism(), MAX_THREADS) } = options
  const runInSlot = createSlots({ running: maxConcurrent, waiting: maxConcurrent * WAITING_PER_SLOT })
  const prepare = createDerivedFiles(files, runInSlot)
  const urlOf = (blogId: string, filename: string): string => `${origin}/api/v1/blogs/images/${blogId}/${filename}`

  return {
    upload: (upload) => uploadImage(upload, { images, files, runInSlot }),
    remove: (accountId, blogId, filename) => removeImage({ accountId, blogId, filename }, { images, files }),
    removeAll: (blogId) => files.removeAll(blogPrefix(blogId)),
    deliver: (request) => deliverImage(request, { files, prepare }),
    openSocialImage: (inputs) => openSocialImage(inputs, { files, prepare }),
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
