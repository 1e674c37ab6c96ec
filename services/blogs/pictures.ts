import { refuse } from '../../errors.ts'
import type { ImageRecord } from '../../ports/store/port.ts'
import type { ImageLibrary } from '../image-library.ts'
import type { createWriting, Writer } from './writing.ts'

/**
 * The pictures of a blog. Its content is made anew when they change, because the text may speak of
 * them by name.
 */
export function createPictures({
  images,
  writing
}: {
  images: ImageLibrary
  writing: ReturnType<typeof createWriting>
}) {
  return {
    async addImage(
      writer: Writer,
      id: string,
      picture: { name: string; alt: string; bytes: Buffer }
    ): Promise<{ image: ImageRecord; added: boolean }> {
      const { accountId } = await writing.read(writer, id)
      const uploaded = await images.upload({ accountId, blogId: id, ...picture })
      await writing.compose(writer, id)
      return uploaded
    },

    async listImages(writer: Writer, id: string): Promise<ImageRecord[]> {
      const { accountId } = await writing.read(writer, id)
      return await images.records(accountId, id)
    },

    async removeImage(writer: Writer, id: string, filename: string): Promise<void> {
      const { accountId } = await writing.read(writer, id)
      if (!(await images.remove(accountId, id, filename))) {
        throw refuse('image_not_found', `The blog has no image "${filename}".`)
      }
      await writing.compose(writer, id)
    }
  }
}
