import { LRUCache } from 'lru-cache'
import { createGrowingLru } from '../lib/growing-lru.ts'
import { problem } from '../errors.ts'
import { mapInSlices } from '../lib/async.ts'
import type { Files } from '../ports/files/port.ts'
import type { BlogMetadata, ImageRecord, Store } from '../ports/store/port.ts'
import type { Image } from '../schemas/image.ts'
import type { ImageFormat, ImageWidth } from '../schemas/image-options.ts'
import { ORIGIN } from './blogs/content/index.ts'
import type { GeneratedFiles } from './generated-files.ts'
import {
  createImages,
  isSocialFilename,
  signPreview,
  socialFilename,
  verifyPreview,
  type DeliverableImage,
  type ImageFile
} from './images/index.ts'
import type { ImageProcessor } from './images/processor/index.ts'

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
  generatedFiles: GeneratedFiles
  imageProcessor: ImageProcessor
  /** The first signs preview links, all of them are good. */
  previewKeys: readonly Buffer[]
  publicUrl: () => string
  /** Memory of images that are decoded or encoded at once, in bytes. */
  imageMemory: number
  /** The current content epoch of an account; NaN when it is unknown. */
  contentEpoch: (accountId: string) => number | Promise<number>
}

/** What the delivery of images needs of a blog, which may be large. */
type BlogFacts = Pick<BlogMetadata, 'id' | 'accountId' | 'title' | 'status'>

/** A published blog with its images, as they were when the account had the content epoch. */
interface PublishedImages {
  blog: BlogFacts
  /** Those that were requested, up to MAX_NAMES. */
  byName: Map<string, DeliverableImage>
  /** NaN when the account was unknown before the blog was read. */
  epoch: number
  loadedAtMs: number
}

/** Blogs whose images are remembered. */
const MAX_BLOGS = 2_000
/** Images of a blog that are remembered. */
const MAX_NAMES = 50
/** Blogs whose social images are remembered: a few names of each one, or 500. */
const MAX_SOCIAL_LISTS = 200
/** Maximum age of an entry, for a process that crashed between a change and the epoch bump. */
const MAX_AGE_MS = 60_000

/**
 * Images of blogs with access control: public once the blog is published, before that only with a
 * preview link.
 */
export function createImageLibrary(parts: Parts) {
  const { store, files, generatedFiles, imageProcessor, previewKeys, publicUrl, imageMemory, contentEpoch } = parts
  const published = createGrowingLru<string, PublishedImages>(MAX_BLOGS)
  /** What is being read, by blog and content epoch. */
  const loading = new Map<string, Promise<PublishedImages | null>>()
  /** The filename of the image that a social image shows, by the name of the social image. Null: it shows none. */
  const socialLists = new LRUCache<PublishedImages, Promise<Map<string, string | null>>>({ max: MAX_SOCIAL_LISTS })
  const images = createImages({
    images: store.images,
    files,
    generatedFiles,
    processor: imageProcessor,
    origin: ORIGIN,
    memoryBytes: imageMemory
  })
  const toImageResponse = (image: ImageRecord): Image =>
    JSON.parse(JSON.stringify(images.toImage(image)).replaceAll(ORIGIN, publicUrl())) as Image
  const isValidPreviewToken = (blogId: string, token: string | undefined) =>
    token !== undefined && previewKeys.some((key) => verifyPreview(token, { blogId, now: Date.now() }, key))
  const missing = ({ filename }: { filename: string }) =>
    problem('image_not_found', `There is no image "${filename}" of a published blog of this id.`)

  /** A visual check must not find images missing because of a limit. */
  async function isBeingChecked({ accountId, id }: BlogFacts): Promise<boolean> {
    const { checks } = await store.visualChecks.list({ accountId, blogId: id }, { page: 1, pageSize: 1 })
    return checks.some(({ finishedAt }) => finishedAt === null)
  }

  function limitOf(blog: BlogFacts, beforeCreate: ImageRequest['beforeCreate']): ImageRequest['beforeCreate'] {
    if (beforeCreate === undefined) return undefined
    return async () => {
      try {
        await beforeCreate()
      } catch (error) {
        if (!(await isBeingChecked(blog))) throw error
      }
    }
  }

  async function findBlog(blogId: string): Promise<BlogFacts | null> {
    const blog = await store.blogs.findMetadataById(blogId)
    if (blog === null) return null
    const { id, accountId, title, status } = blog
    return { id, accountId, title, status }
  }

  /**
   * The published blog and what is known of its images under the current content epoch. Null if the
   * blog is not published.
   */
  async function findPublished(blogId: string): Promise<PublishedImages | null> {
    const known = published.get(blogId)
    const epoch = known === undefined ? NaN : await contentEpoch(known.blog.accountId)
    const loadedAtMs = Date.now()
    if (known !== undefined && known.epoch === epoch && loadedAtMs - known.loadedAtMs <= MAX_AGE_MS) return known
    const load = async (): Promise<PublishedImages | null> => {
      const blog = await findBlog(blogId)
      if (blog?.status !== 'published') {
        published.delete(blogId)
        return null
      }
      const images = { blog, byName: new Map(), epoch, loadedAtMs }
      published.set(blogId, images)
      return images
    }
    if (Number.isNaN(epoch)) return await load()
    // What others began to read under the same epoch includes all changes before it.
    const key = `${blogId} ${epoch}`
    const current = loading.get(key) ?? load().finally(() => loading.delete(key))
    loading.set(key, current)
    return await current
  }

  async function visible(request: ImageRequest): Promise<{ found: PublishedImages; preview: boolean }> {
    const current = await findPublished(request.blogId)
    if (current !== null) return { found: current, preview: false }
    const blog = isValidPreviewToken(request.blogId, request.token) ? await findBlog(request.blogId) : null
    if (blog === null) throw missing(request)
    const found = { blog, byName: new Map(), epoch: NaN, loadedAtMs: 0 }
    return { found, preview: blog.status !== 'published' }
  }

  async function findImage(
    found: PublishedImages,
    { blogId, filename }: ImageRequest
  ): Promise<DeliverableImage | null> {
    const known = found.byName.get(filename)
    if (known !== undefined) return known
    const record = await store.images.find(blogId, filename)
    if (record === null) return null
    const { alt: _alt, originalName: _name, ...image } = record
    // Unknown names are not remembered: anybody can ask for them.
    if (found.byName.size < MAX_NAMES) found.byName.set(filename, image)
    return image
  }

  async function readSocialImages({ accountId, id, title }: BlogFacts): Promise<Map<string, string | null>> {
    const list = await mapInSlices([null, ...(await store.images.list(accountId, id))], (image) => {
      const name = socialFilename({ blogId: id, title, image })
      return [name, image?.filename ?? null] as const
    })
    return new Map(list.reverse())
  }

  function listSocialImages(found: PublishedImages): Promise<Map<string, string | null>> {
    const known = socialLists.get(found)
    if (known !== undefined) return known
    const list = readSocialImages(found.blog)
    socialLists.set(found, list)
    list.catch(() => socialLists.delete(found))
    return list
  }

  /** The social image under its current name, or under a name that it had before. */
  async function social(found: PublishedImages, request: ImageRequest): Promise<ImageFile> {
    const { accountId, id: blogId, title } = found.blog
    const filename = (await listSocialImages(found)).get(request.filename)
    const image = filename == null ? null : await findImage(found, { blogId, filename })
    const isDeleted = filename != null && image === null
    const delivered =
      filename === undefined || isDeleted
        ? await images.openFormerSocialImage(blogId, request.filename)
        : await images.openSocialImage({
            blogId,
            title,
            image,
            accountId,
            beforeCreate: limitOf(found.blog, request.beforeCreate),
            blogExists: async () => (await findBlog(blogId)) !== null
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
      const { found, preview } = await visible(request)
      if (isSocialFilename(request.filename)) return { ...(await social(found, request)), preview }
      const image = await findImage(found, request)
      if (image === null) throw missing(request)
      const { width, format, accept } = request
      const beforeCreate = limitOf(found.blog, request.beforeCreate)
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
