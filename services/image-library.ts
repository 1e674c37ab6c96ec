import { problem } from '../errors.ts'
import type { Files } from '../ports/files/port.ts'
import type { BlogMetadata, ImageRecord, Store } from '../ports/store/port.ts'
import type { Image, ImageFormat, ImageWidth } from '../schemas/image.ts'
import { ORIGIN } from './blogs/content/index.ts'
import {
  createImages,
  isSocialFilename,
  signPreview,
  socialFilename,
  verifyPreview,
  type ImageFile
} from './images/index.ts'

export type ImageLibrary = ReturnType<typeof createImageLibrary>

/** Lifetime of a preview link, in milliseconds. */
export const PREVIEW_LIFETIME_MS = 24 * 3_600_000

export interface ImageRequest {
  blogId: string
  filename: string
  width?: ImageWidth
  format?: ImageFormat | 'auto'
  accept?: string
  token?: string
  /** Called before an image is created. Its error is ignored while the blog is being checked. */
  beforeCreate?: (() => Promise<void>) | undefined
}
/**
 * An image file for a reader. `preview`: only the token made it visible, so it must not be cached.
 */
export type DeliveredImage = ImageFile & { preview: boolean }

interface Parts {
  store: Store
  files: Files
  /** The first signs preview links, all of them are good. */
  previewKeys: readonly Buffer[]
  publicUrl: () => string
  /** Memory of images that are decoded or encoded at once, in bytes. */
  imageMemory: number
}

/**
 * Images of blogs with access control: public once the blog is published, before that only with a
 * preview link.
 */
export function createImageLibrary({ store, files, previewKeys, publicUrl, imageMemory }: Parts) {
  const images = createImages({ images: store.images, files, origin: ORIGIN, memoryBytes: imageMemory })
  const toImageResponse = (image: ImageRecord): Image =>
    JSON.parse(JSON.stringify(images.toImage(image)).replaceAll(ORIGIN, publicUrl())) as Image
  const isValidPreviewToken = (blogId: string, token: string | undefined) =>
    token !== undefined && previewKeys.some((key) => verifyPreview(token, { blogId, now: Date.now() }, key))
  const missing = ({ filename }: { filename: string }) =>
    problem('image_not_found', `There is no image "${filename}" of a published blog of this id.`)

  /** A visual check must not find images missing because of a limit. */
  async function isBeingChecked({ accountId, id }: BlogMetadata): Promise<boolean> {
    const { checks } = await store.visualChecks.list({ accountId, blogId: id }, { page: 1, pageSize: 1 })
    return checks.some(({ finishedAt }) => finishedAt === null)
  }

  function limitOf(blog: BlogMetadata, beforeCreate: ImageRequest['beforeCreate']): ImageRequest['beforeCreate'] {
    if (beforeCreate === undefined) return undefined
    return async () => {
      try {
        await beforeCreate()
      } catch (error) {
        if (!(await isBeingChecked(blog))) throw error
      }
    }
  }

  async function visible(request: ImageRequest): Promise<{ blog: BlogMetadata; preview: boolean }> {
    const blog = await store.blogs.findMetadataById(request.blogId)
    if (blog === null) throw missing(request)
    if (blog.status === 'published') return { blog, preview: false }
    if (!isValidPreviewToken(request.blogId, request.token)) throw missing(request)
    return { blog, preview: true }
  }

  /** The social image under its current name, or under a name that it had before. */
  async function social(blog: BlogMetadata, request: ImageRequest): Promise<ImageFile> {
    const list = await store.images.list(blog.accountId, blog.id)
    const candidates = [null, ...list].map((image) => ({ blogId: blog.id, title: blog.title, image }))
    const wanted = candidates.find((inputs) => socialFilename(inputs) === request.filename)
    const delivered =
      wanted === undefined
        ? await images.openFormerSocialImage(blog.id, request.filename)
        : await images.openSocialImage({
            ...wanted,
            accountId: blog.accountId,
            beforeCreate: limitOf(blog, request.beforeCreate)
          })
    if (delivered === null) throw missing(request)
    return delivered
  }

  return {
    list: (accountId: string, blogId: string) => store.images.list(accountId, blogId),
    upload: images.upload,
    remove: images.remove,
    removeAll: images.removeAll,
    toImageResponse,

    /**
     * Returns an image. Throws `image_not_found` when the image does not exist or is not public.
     */
    async deliver(request: ImageRequest): Promise<DeliveredImage> {
      const { blog, preview } = await visible(request)
      if (isSocialFilename(request.filename)) return { ...(await social(blog, request)), preview }
      const image = await store.images.find(request.blogId, request.filename)
      if (image === null) throw missing(request)
      const { width, format, accept } = request
      const beforeCreate = limitOf(blog, request.beforeCreate)
      return { ...(await images.deliver({ image, width, format, accept, beforeCreate })), preview }
    },

    /** Creates a token that shows the blog and its images for 24 hours, whatever its status. */
    createPreviewToken(blogId: string): { token: string; expiresAt: string } {
      const expiresAt = Date.now() + PREVIEW_LIFETIME_MS
      return {
        token: signPreview({ blogId, expiresAt }, previewKeys[0]!),
        expiresAt: new Date(expiresAt).toISOString()
      }
    },
    isValidPreviewToken
  }
}
