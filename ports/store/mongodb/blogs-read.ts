import type { Filter } from 'mongodb'
import type { BlogStore } from '../port.ts'
import { blogOf, blogsOf, HEAD, headOf, WHOLE, type BlogDocument } from './blogs-documents.ts'
import type { Database } from './database.ts'
import { seenBy } from './seen-by.ts'

/** Reads blogs that are named by their ids. */
export function createBlogReads(
  database: Database
): Pick<
  BlogStore,
  'find' | 'findMetadata' | 'findMetadataById' | 'findTombstone' | 'findPublished' | 'existsInProject'
> {
  const blogs = blogsOf(database)
  const head = async (filter: Filter<BlogDocument>) => {
    const found = await database.act(() => blogs.findOne({ ...filter, deleted: false }, { projection: HEAD }))
    return found === null ? null : headOf(found)
  }

  return {
    find: async (accountId, id) => {
      const found = await database.act(() =>
        blogs.findOne({ _id: id, accountId, deleted: false }, { projection: WHOLE })
      )
      return found === null ? null : blogOf(found)
    },
    findMetadata: (accountId, id) => head({ _id: id, accountId }),
    findMetadataById: (id) => head({ _id: id }),
    findTombstone: async (accountId, id) =>
      (await database.act(() => blogs.findOne({ _id: id, accountId, deleted: true }, { projection: { tombstone: 1 } })))
        ?.tombstone ?? null,
    findPublished: async (reader, ids) =>
      (
        await database.act(() =>
          blogs
            .find({ ...seenBy(reader), _id: { $in: ids }, 'head.status': 'published' }, { projection: HEAD })
            .toArray()
        )
      ).map(headOf),
    existsInProject: async (accountId, projectId) =>
      (await database.act(() =>
        blogs.findOne({ accountId, projectId, deleted: false }, { projection: { _id: 1 } })
      )) !== null
  }
}
