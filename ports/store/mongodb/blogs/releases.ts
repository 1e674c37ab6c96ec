import type { AnyBulkWriteOperation } from 'mongodb'
import type { BlogTombstone } from '../../port.ts'
import type { Database } from '../database.ts'
import { blogCollection, toTombstoneFields, type BlogDocument } from './documents.ts'

/** Deleted blogs whose slugs one deletion forgets. */
const MAX_FORGOTTEN = 200

/**
 * Removes from earlier deleted blogs of the project the slugs that this one gave up after them: the blog that
 * gave up a slug last decides, and a deleted blog stays deleted. Otherwise a slug that is used and deleted over
 * and over would be read with all blogs that ever had it. Can be interrupted: a later deletion of the same slug
 * removes what is left.
 */
export async function forgetEarlierReleases(database: Database, tombstone: BlogTombstone): Promise<void> {
  const { id, accountId, projectId } = tombstone
  const { releasedSlugs } = toTombstoneFields(tombstone)
  if (releasedSlugs.length === 0) return
  const blogs = blogCollection(database)
  const earlier = await blogs
    .find(
      {
        accountId,
        projectId,
        deleted: true,
        'releasedSlugs.slug': { $in: releasedSlugs.map(({ slug }) => slug) },
        _id: { $ne: id }
      },
      { projection: { releasedSlugs: 1 }, hint: 'by_former_slug' }
    )
    .limit(MAX_FORGOTTEN)
    .toArray()
  const leftAt = new Map(releasedSlugs.map((released) => [released.slug, released.leftAt]))
  const updates = earlier.flatMap((document): AnyBulkWriteOperation<BlogDocument>[] => {
    const remaining = document.releasedSlugs.filter(
      (released) => !(leftAt.has(released.slug) && released.leftAt < leftAt.get(released.slug)!)
    )
    if (remaining.length === document.releasedSlugs.length) return []
    return [
      { updateOne: { filter: { _id: document._id, deleted: true }, update: { $set: { releasedSlugs: remaining } } } }
    ]
  })
  if (updates.length > 0) await blogs.bulkWrite(updates, { ordered: false })
}
