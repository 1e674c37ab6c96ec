import type { Collection } from 'mongodb'
import type { ImageRecord, ImageStore } from '../port.ts'
import { blogCollection } from './blogs/documents.ts'
import { deleteRevisions } from './blogs/revisions.ts'
import type { Database } from './database.ts'
import { compoundId, insertIfAbsent, WITHOUT_ID } from './documents.ts'
import { readInSlices } from './slices.ts'

/** Blogs of which `deletePendingParts` deletes the image records and revisions at a time. */
const BATCH_SIZE = 100

export interface ImageDocument extends ImageRecord {
  _id: string
}

export const imageCollection = (database: Database): Collection<ImageDocument> =>
  database.collection<ImageDocument>('images')

/** Records of images. Their bytes are stored as files. */
export function createImages(database: Database): ImageStore {
  const images = imageCollection(database)

  return {
    insertIfAbsent: (image) =>
      database.run(async () => {
        const { record, added } = await insertIfAbsent(images, compoundId(image.blogId, image.filename), image)
        return { image: record, added }
      }),
    setAlt: ({ accountId, blogId, filename }, alt) =>
      database.run(
        async () =>
          await images.findOneAndUpdate(
            { _id: compoundId(blogId, filename), accountId },
            { $set: { alt } },
            { projection: WITHOUT_ID, returnDocument: 'after' }
          )
      ),
    find: (blogId, filename) =>
      database.run(async () => {
        const found = await images.findOne<ImageRecord>(
          { _id: compoundId(blogId, filename) },
          { projection: WITHOUT_ID }
        )
        return found === null || (await isBlogDeleted(database, blogId)) ? null : found
      }),
    list: (accountId, blogId) =>
      database.run(async () => {
        const found = await readInSlices(
          images.find<ImageRecord>(
            { blogId, accountId },
            { projection: WITHOUT_ID, sort: { createdAt: 1, filename: 1 } }
          )
        )
        return found.length === 0 || (await isBlogDeleted(database, blogId)) ? [] : found
      }),
    delete: (accountId, blogId, filename) =>
      database.run(
        async () => (await images.deleteOne({ _id: compoundId(blogId, filename), accountId })).deletedCount === 1
      )
  }
}

/** True when the blog was deleted. Its images count as deleted too, even if records are left. */
export async function isBlogDeleted(database: Database, blogId: string): Promise<boolean> {
  return (await blogCollection(database).findOne({ _id: blogId, deleted: true }, { projection: { _id: 1 } })) !== null
}

/**
 * Deletes the image records and the revisions of deleted blogs. Those left by a crash are deleted with
 * the next blog of any account.
 */
export async function deletePendingParts(database: Database): Promise<void> {
  const blogs = blogCollection(database)
  const deleted = await blogs
    .find({ imagesToDelete: true }, { projection: { accountId: 1 }, limit: BATCH_SIZE })
    .toArray()
  const ids = deleted.map(({ _id }) => _id)
  if (ids.length === 0) return
  await imageCollection(database).deleteMany({ blogId: { $in: ids } })
  await deleteRevisions(
    database,
    deleted.map(({ _id, accountId }) => ({ accountId, id: _id }))
  )
  await blogs.updateMany({ _id: { $in: ids } }, { $unset: { imagesToDelete: '' } })
}
