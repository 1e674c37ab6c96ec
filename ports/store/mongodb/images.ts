import type { ImageRecord, ImageStore } from '../port.ts'
import type { Database } from './database.ts'
import { imagesOf } from './images-documents.ts'
import { isBuried } from './images-left.ts'
import { compoundId, WITHOUT_ID } from './records-changed.ts'
import { ensured } from './records-ensured.ts'

/** Keeps what is known of images; their bytes are files. */
export function createImages(database: Database): ImageStore {
  const images = imagesOf(database)

  return {
    insertIfAbsent: (image) =>
      database.act(async () => {
        const { record, added } = await ensured(images, compoundId(image.blogId, image.filename), image)
        return { image: record, added }
      }),
    find: (blogId, filename) =>
      database.act(async () => {
        const found = await images.findOne<ImageRecord>(
          { _id: compoundId(blogId, filename) },
          { projection: WITHOUT_ID }
        )
        return found === null || (await isBuried(database, blogId)) ? null : found
      }),
    list: (accountId, blogId) =>
      database.act(async () => {
        const found = await images
          .find<ImageRecord>({ blogId, accountId }, { projection: WITHOUT_ID, sort: { createdAt: 1, filename: 1 } })
          .toArray()
        return found.length === 0 || (await isBuried(database, blogId)) ? [] : found
      }),
    delete: (accountId, blogId, filename) =>
      database.act(
        async () => (await images.deleteOne({ _id: compoundId(blogId, filename), accountId })).deletedCount === 1
      )
  }
}
