import type { CategoryCount } from '../../../schemas/blog.ts'
import type { BlogStore } from '../port.ts'
import { blogsOf } from './blogs-documents.ts'
import type { Database } from './database.ts'
import { seenBy } from './seen-by.ts'

/** Counts blogs, and finds those that something has to be done about. */
export function createBlogOverviews(
  database: Database
): Pick<BlogStore, 'countByCategory' | 'removedSince' | 'dueToPublish' | 'renderedByOtherRules'> {
  const blogs = blogsOf(database)

  return {
    countByCategory: (reader) =>
      database.act(async () => {
        const seen = {
          ...seenBy(reader),
          'head.status': 'published',
          'head.category': { $gte: '' },
          ...(reader.locale === undefined ? {} : { 'head.locale': reader.locale })
        } as const
        const found = await blogs
          .aggregate<{ _id: string; count: number }>([
            { $match: seen },
            { $group: { _id: '$head.category', count: { $sum: 1 } } },
            { $sort: { count: -1, _id: 1 } }
          ])
          .toArray()
        return found.map(({ _id, count }): CategoryCount => ({ category: _id, count }))
      }),
    removedSince: (reader, since) =>
      database.act(async () => {
        const found = await blogs
          .find(
            { ...seenBy(reader), removedAt: { $gte: since } },
            { projection: { removedAt: 1, 'head.slug': 1, 'tombstone.slug': 1 }, sort: { removedAt: -1, _id: -1 } }
          )
          .toArray()
        return found.map(({ _id, head, tombstone, removedAt }) => ({
          id: _id,
          slug: (tombstone ?? head)?.slug ?? '',
          at: removedAt ?? ''
        }))
      }),
    dueToPublish: (now, limit) =>
      database.act(async () => {
        const found = await blogs
          .find(
            { 'head.status': 'scheduled', 'head.publishAt': { $lte: now } },
            { projection: { accountId: 1, 'head.publishAt': 1 }, sort: { 'head.publishAt': 1, _id: 1 }, limit }
          )
          .toArray()
        return found.map(({ _id, accountId, head }) => ({ accountId, id: _id, publishAt: head?.publishAt ?? '' }))
      }),
    renderedByOtherRules: (rulesVersion, { afterId, limit }) =>
      database.act(async () => {
        // What was deleted has no rules; a comparison with text passes it over.
        const found = await blogs
          .find(
            { _id: { $gt: afterId ?? '' }, 'head.rulesVersion': { $gte: '', $ne: rulesVersion } },
            { projection: { accountId: 1 }, sort: { _id: 1 }, limit }
          )
          .toArray()
        return found.map(({ _id, accountId }) => ({ accountId, id: _id }))
      })
  }
}
