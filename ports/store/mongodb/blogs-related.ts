import type { BlogStore } from '../port.ts'
import { blogsOf, headOf } from './blogs-documents.ts'
import type { Database } from './database.ts'
import { distinctValues } from './distinct.ts'

const OF_VECTOR = {
  _id: 0,
  'head.id': 1,
  'head.projectId': 1,
  'head.locale': 1,
  'head.category': 1,
  'head.tags': 1,
  'head.publishedAt': 1,
  'body.vector': 1
} as const

/**
 * Keeps what blogs have to do with one another. Of related entries for many blogs each blog's are
 * replaced by themselves: they can be made again at any time.
 */
export function createBlogRelations(
  database: Database
): Pick<
  BlogStore,
  'vectors' | 'setRelated' | 'related' | 'pendingRelatedAccounts' | 'pendingRelated' | 'clearPendingRelated'
> {
  const blogs = blogsOf(database)

  return {
    vectors: (accountId, { afterId, limit }) =>
      database.act(async () => {
        const found = await blogs
          .find(
            { accountId, 'head.status': 'published', _id: { $gt: afterId ?? '' } },
            { projection: OF_VECTOR, sort: { _id: 1 }, limit }
          )
          .toArray()
        return found.map((document) => ({ ...headOf(document), vector: document.body?.vector ?? [] }))
      }),
    setRelated: async (accountId, lists) => {
      if (lists.length === 0) return
      const writes = lists.map(({ id, related }) => ({
        updateOne: {
          filter: { _id: id, accountId, deleted: false },
          update: { $set: { related: related.toSorted((a, b) => b.score - a.score) } }
        }
      }))
      await database.act(() => blogs.bulkWrite(writes, { ordered: false }))
    },
    pendingRelatedAccounts: (limit) =>
      database.act(() =>
        distinctValues(database, {
          collection: 'blogs',
          field: 'accountId',
          filter: { pendingRelatedAccounts: true },
          index: 'related_due',
          limit
        })
      ),
    pendingRelated: (accountId, limit) =>
      database.act(async () => {
        const found = await blogs
          .find({ accountId, pendingRelatedAccounts: true }, { projection: { relatedVersion: 1 }, limit })
          .toArray()
        return found.map(({ _id: id, relatedVersion = 0 }) => ({ id, version: relatedVersion }))
      }),
    clearPendingRelated: async (accountId, marks) => {
      if (marks.length === 0) return
      const writes = marks.map(({ id, version }) => ({
        updateOne: {
          filter: { _id: id, accountId, relatedVersion: version },
          update: { $unset: { pendingRelatedAccounts: '' as const, relatedVersion: '' as const } }
        }
      }))
      await database.act(() => blogs.bulkWrite(writes, { ordered: false }))
    },
    related: async (accountId, id) =>
      (await database.act(() => blogs.findOne({ _id: id, accountId, deleted: false }, { projection: { related: 1 } })))
        ?.related ?? []
  }
}
