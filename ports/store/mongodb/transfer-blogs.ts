import { ApiError } from '../../../errors.ts'
import type { BlogRecord, BlogTombstone, ImageRecord } from '../port.ts'
import { blogOf, blogsOf, buriedFields, fieldsOf, slugKey, type BlogDocument } from './blogs-documents.ts'
import { createBlogWrites } from './blogs-write.ts'
import type { Database } from './database.ts'
import { imagesOf, type ImageDocument } from './images-documents.ts'
import { removeLeftImages } from './images-left.ts'
import { compoundId } from './records-changed.ts'
import { documentMover, insertOwned, type Inserted, type Movers } from './transfer-mover.ts'

const LIVING = { deleted: false } as const
const BURIED = { deleted: true } as const

/**
 * Moves blogs and what hangs on them. What they are searched by, and the slugs that they gave up,
 * are made of them again.
 */
export function createBlogMovers(database: Database): Pick<Movers, 'blog' | 'tombstone' | 'image'> {
  const blogs = blogsOf(database)
  const writes = createBlogWrites(database)
  const idsOf = (records: { id: string }[]) => ({ _id: { $in: records.map(({ id }) => id) } })
  // One that was deleted is in the place of a blog that lives; it is enough that it is not the
  // same.
  const shown = (document: BlogDocument): BlogRecord =>
    document.deleted ? (document.tombstone as unknown as BlogRecord) : blogOf(document)
  const images = documentMover<ImageRecord, ImageDocument>({
    collection: imagesOf(database),
    order: ['_id'],
    name: ({ blogId, filename }) => [blogId, filename],
    documentOf: (image) => ({ _id: compoundId(image.blogId, image.filename), ...image }),
    recordOf: ({ _id, ...image }) => image
  })
  const tombstones = documentMover<BlogTombstone, BlogDocument>({
    collection: blogs,
    filter: BURIED,
    order: ['_id'],
    name: ({ id }) => [id],
    documentOf: (tombstone) => {
      const { imagesLeft, ...fields } = buriedFields(tombstone)
      return { _id: tombstone.id, accountId: tombstone.accountId, ...fields }
    },
    recordOf: ({ tombstone }) => tombstone!,
    places: (records) => [{ ...idsOf(records), ...BURIED }]
  })

  return {
    blog: {
      ...documentMover<BlogRecord, BlogDocument>({
        collection: blogs,
        filter: LIVING,
        order: ['_id'],
        name: ({ id }) => [id],
        documentOf: (blog) => ({ _id: blog.id, accountId: blog.accountId, ...LIVING, ...fieldsOf(blog) }),
        recordOf: shown,
        places: (records) => [
          idsOf(records),
          { slugKey: { $in: records.map(({ accountId, slug }) => slugKey(accountId, slug)) }, ...LIVING }
        ],
        concerns: (found, { id, accountId, slug }) =>
          found.id === id || (found.accountId === accountId && found.slug === slug && found.body !== undefined)
      }),
      insert: async (records) =>
        await Promise.all(
          records.map((blog) =>
            writes.add(blog).then(
              (): Inserted => 'added',
              (error: unknown): Inserted => {
                if (error instanceof ApiError && error.code === 'slug_taken') return 'conflict'
                throw error
              }
            )
          )
        )
    },
    tombstone: {
      ...tombstones,
      // One that was deleted while it was moved lives on, as it was read.
      insert: async (records) => {
        const living = new Set(
          (await blogs.find({ ...idsOf(records), ...LIVING }, { projection: { _id: 1 } }).toArray()).map(
            ({ _id }) => _id
          )
        )
        return await insertOwned(records, ({ id }) => !living.has(id), tombstones.insert)
      }
    },
    image: {
      ...images,
      page: async (after, limit) => {
        if (after === null) await removeAllLeftImages(database)
        return await images.page(after, limit)
      }
    }
  }
}

async function removeAllLeftImages(database: Database): Promise<void> {
  while ((await blogsOf(database).findOne({ imagesLeft: true }, { projection: { _id: 1 } })) !== null) {
    await removeLeftImages(database)
  }
}
