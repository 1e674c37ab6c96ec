import { ApiError, problem } from '../../errors.ts'
import type { BlogRecord, ImageRecord } from '../../ports/store/port.ts'
import type { ImageLibrary } from '../image-library.ts'
import type { StorageQuota } from '../storage.ts'
import type { BlogWriter, createBlogWriting } from './writing.ts'

interface Parts {
  images: ImageLibrary
  storage: StorageQuota
  writing: ReturnType<typeof createBlogWriting>
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'blog_gone'

/**
 * Images uploaded to a blog. Every change renders the blog again, because its text may refer to
 * images by file name.
 */
export function createBlogImages({ images, storage, writing }: Parts) {
  async function discard({ accountId, blogId, filename }: ImageRecord): Promise<void> {
    await images.remove(accountId, blogId, filename)
    await images.removeAll(blogId)
  }

  return {
    async add(
      writer: BlogWriter,
      id: string,
      upload: { name: string; alt: string; size: number; load: () => Promise<Buffer> }
    ): Promise<{ image: ImageRecord; added: boolean; blog: BlogRecord }> {
      const { accountId } = await writing.getMetadata(writer, id)
      // The original and the encoded image are both stored.
      await storage.reserve(accountId, { images: 1, bytes: 2 * upload.size })
      const uploaded = await images.upload({ accountId, blogId: id, ...upload })
      try {
        return { ...uploaded, blog: await writing.recompose(writer, id) }
      } catch (error) {
        // Its images were deleted before this one was stored.
        if (isGone(error)) await discard(uploaded.image)
        throw error
      }
    },

    async list(writer: BlogWriter, id: string): Promise<ImageRecord[]> {
      const { accountId } = await writing.getMetadata(writer, id)
      return await images.list(accountId, id)
    },

    /** Returns the blog without the image. */
    async remove(writer: BlogWriter, id: string, filename: string): Promise<BlogRecord> {
      const { accountId } = await writing.getMetadata(writer, id)
      if (!(await images.remove(accountId, id, filename))) {
        throw problem('image_not_found', `The blog has no image "${filename}".`)
      }
      return await writing.recompose(writer, id)
    }
  }
}
