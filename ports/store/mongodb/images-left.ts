import { blogsOf } from './blogs-documents.ts'
import type { Database } from './database.ts'
import { imagesOf } from './images-documents.ts'

/** So many blogs are looked after at a time. */
const PORTION = 100

/**
 * Removes the images' records of blogs that were deleted. Until then nobody is told of them; who
 * dies in between leaves them to the next deletion, of any account.
 */
export async function removeLeftImages(database: Database): Promise<void> {
  const blogs = blogsOf(database)
  const left = (await blogs.find({ imagesLeft: true }, { projection: { _id: 1 }, limit: PORTION }).toArray()).map(
    ({ _id }) => _id
  )
  if (left.length === 0) return
  await imagesOf(database).deleteMany({ blogId: { $in: left } })
  await blogs.updateMany({ _id: { $in: left } }, { $unset: { imagesLeft: '' } })
}

/** Whether the blog was deleted: then its images are gone, whatever is left of their records. */
export async function isBuried(database: Database, blogId: string): Promise<boolean> {
  return (await blogsOf(database).findOne({ _id: blogId, deleted: true }, { projection: { _id: 1 } })) !== null
}
